import { Worker } from 'node:worker_threads'
import { err, type Result } from '../../base/result.ts'
import type { ReadFailure } from '../../console/position-port.ts'
import type { HistoryCall, HistoryMessage, HistoryReply } from './service.ts'
import { workerUrl } from '../worker-url.ts'

type Answer = Result<unknown, ReadFailure>

/** The thread that reads stores. It is started when it is needed. */
export type HistoryThread = {
  /** Never rejects. */
  readonly ask: (call: HistoryCall) => Promise<Answer>
  readonly close: () => Promise<void>
}

const WORKER = workerUrl(import.meta.url, './history-worker')
const MAX_HEAP_MB = 256

/**
 * Asks the thread and waits so long. A call that takes longer ends the thread, for SQLite cannot be asked to
 * stop; the next call gets a new one.
 */
export function createHistoryThread(timeLimitMs: number): HistoryThread {
  const waiting = new Map<number, (answer: Answer) => void>()
  let worker: Worker | null = null
  let nextId = 1

  function start(): Worker {
    const started = startWorker()
    started.on('message', ({ id, answer }: HistoryReply) => waiting.get(id)?.(answer))
    // An error is followed by the exit.
    started.on('error', () => undefined)
    started.on('exit', () => {
      if (worker === started) letGo('the store could not be read; the next try begins anew')
    })
    return started
  }

  function letGo(message: string): Worker | null {
    const gone = worker
    worker = null
    for (const settle of waiting.values()) settle(err({ kind: 'unreadable', message }))
    return gone
  }

  function giveUp(id: number): void {
    const message = `reading the store took longer than ${timeLimitMs} ms; ask for less`
    waiting.get(id)?.(err({ kind: 'slow', message }))
    void letGo('another read took too long; try again')?.terminate()
  }

  return {
    ask(call) {
      const id = nextId
      nextId += 1
      worker ??= start()
      const message: HistoryMessage = { id, call }
      worker.postMessage(message)
      return new Promise((resolve) => {
        const timer = setTimeout(giveUp, timeLimitMs, id)
        waiting.set(id, (answer) => {
          clearTimeout(timer)
          waiting.delete(id)
          resolve(answer)
        })
      })
    },
    async close() {
      await letGo('the daemon is ending')?.terminate()
    },
  }
}

function startWorker(): Worker {
  const limits = { maxOldGenerationSizeMb: MAX_HEAP_MB }
  const worker = new Worker(WORKER, { name: 'history', resourceLimits: limits })
  // Reading the past is no reason to stay alive.
  worker.unref()
  return worker
}

import { Worker } from 'node:worker_threads'
import { err, type Result } from '../../../base/result.ts'
import type { Ms } from '../../../base/time.ts'
import type { PastPort, ReadFailure } from '../../console/position-port.ts'
import { createCalls } from '../../../base/threads/calls.ts'
import { storePlaceKey, type StorePlace } from '../../../store/place.ts'
import { workerUrl } from '../../../base/threads/first-message.ts'

/** A call to the thread that reads the stores. `now` is passed in because time is data there too. */
export type HistoryCall = {
  readonly place: StorePlace
  readonly now: Ms
  readonly what: keyof PastPort
  readonly query: Parameters<PastPort[keyof PastPort]>[0]
}

/** The history of every position of a process, read in one thread apart from trading and HTTP. */
export type HistoryService = {
  readonly pastOf: (store: StorePlace) => PastPort
  readonly close: () => Promise<void>
}

type Answer = Result<unknown, ReadFailure>
type Waiting = { readonly call: HistoryCall; readonly settle: (answer: Answer) => void }

const WORKER = workerUrl(import.meta.url, './history-worker')
const MAX_HEAP_MB = 256
/** Maximum number of calls waiting for one store; further ones are refused. */
const MAX_WAITING = 8
const TIME_LIMIT_MS = 5_000

/** Runs one call per store at a time, and queues a few. */
export function createHistoryService(timeLimitMs: Ms = TIME_LIMIT_MS): HistoryService {
  const thread = createHistoryThread(timeLimitMs)
  const queues = new Map<string, Waiting[]>()

  function ask(call: HistoryCall): Promise<Answer> {
    const key = storePlaceKey(call.place)
    const queue = queues.get(key) ?? []
    queues.set(key, queue)
    if (queue.length > MAX_WAITING) {
      const message = `${MAX_WAITING} other requests for this position's history are waiting; try again in a moment`
      return Promise.resolve(err({ kind: 'busy', message }))
    }
    return new Promise((settle) => {
      queue.push({ call, settle })
      if (queue.length === 1) void work(queue)
    })
  }

  async function work(queue: Waiting[]): Promise<void> {
    for (let first = queue[0]; first !== undefined; first = queue[0]) {
      first.settle(await thread.ask(first.call))
      queue.shift()
    }
  }

  return {
    pastOf(place) {
      const answer = (what: keyof PastPort) => (query: HistoryCall['query']) =>
        ask({ what, query, place, now: Date.now() })
      // Each call has its own answer type.
      return {
        history: answer('history'),
        days: answer('days'),
        fills: answer('fills'),
        notices: answer('notices'),
      } as PastPort
    },
    close: thread.close,
  }
}

/** The thread that reads stores. */
type HistoryThread = {
  /** Never rejects. */
  readonly ask: (call: HistoryCall) => Promise<Answer>
  readonly close: () => Promise<void>
}

/**
 * Starts the thread with the first call. A call that takes too long ends the thread, because SQLite cannot be interrupted; the
 * next call starts a new one.
 */
function createHistoryThread(timeLimitMs: Ms): HistoryThread {
  const calls = createCalls<HistoryCall, Answer>()
  let worker: Worker | null = null

  function start(): Worker {
    const limits = { maxOldGenerationSizeMb: MAX_HEAP_MB }
    const started = new Worker(WORKER, { name: 'history', resourceLimits: limits })
    // Reading history must not keep the process alive.
    started.unref()
    started.on('message', calls.answered)
    // An error is followed by the exit.
    started.on('error', () => undefined)
    started.on('exit', () => {
      if (worker === started) release('the store could not be read; the next request starts a new reader')
    })
    return started
  }

  function release(message: string): Worker | null {
    const released = worker
    worker = null
    calls.abandon(err({ kind: 'unreadable', message }))
    return released
  }

  function onLate(): Answer {
    void release('another read took too long; try again')?.terminate()
    return err({
      kind: 'slow',
      message: `reading the store took longer than ${timeLimitMs} ms; ask for less`,
    })
  }

  return {
    ask(call) {
      worker ??= start()
      return calls.ask(worker, call, { withinMs: timeLimitMs, onLate })
    },
    async close() {
      await release('the daemon is ending')?.terminate()
    },
  }
}

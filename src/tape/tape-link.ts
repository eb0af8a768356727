import type { Worker } from 'node:worker_threads'
import type { TapeMessage, TapeReply } from './tape-message.ts'
import type { TapeRow } from './tape-row.ts'

/** The thread that writes as a link sees it: a worker's `postMessage` and `on`. */
export type TapeThread = {
  readonly send: (message: TapeMessage) => void
  readonly on: Worker['on']
}

/** The owner's end of that thread; see `TapeWriter`. */
export type TapeLink = {
  readonly append: (row: TapeRow) => void
  readonly flush: () => Promise<void>
  readonly close: () => Promise<void>
  readonly onFailure: (listener: (message: string) => void) => void
}

export function createTapeLink(thread: TapeThread, folder: string): TapeLink {
  const listeners: ((message: string) => void)[] = []
  const flushes = new Map<number, () => void>()
  const closed = Promise.withResolvers<void>()
  let failure: string | null = null
  let closing = false
  let ended = false
  let lastFlush = 0
  let outbox: TapeRow[] = []

  function fail(message: string): void {
    if (failure !== null) return
    failure = message
    for (const listener of listeners) listener(message)
  }

  function end(): void {
    ended = true
    for (const resolve of flushes.values()) resolve()
    flushes.clear()
    closed.resolve()
  }

  /** What one turn of the owner appends travels in one message. */
  function post(): void {
    if (outbox.length === 0) return
    const rows = outbox
    outbox = []
    if (failure === null && !ended) thread.send(rows)
  }

  thread.on('message', (reply: TapeReply) => {
    if (reply.type === 'failed') fail(reply.message)
    else if (reply.type === 'closed') end()
    else if (reply.type === 'flushed') {
      flushes.get(reply.id)?.()
      flushes.delete(reply.id)
    }
  })
  // Either means that the thread is gone: what it had not written is lost.
  thread.on('error', (error: unknown) => {
    fail(`${folder}: the tape's thread died: ${error instanceof Error ? error.message : String(error)}`)
  })
  thread.on('exit', () => {
    if (!ended) fail(`${folder}: the tape's thread ended by itself; nothing is recorded any more`)
    end()
  })

  return {
    append(row) {
      if (closing) return
      outbox.push(row)
      if (outbox.length === 1) queueMicrotask(post)
    },
    flush() {
      post()
      if (failure !== null || closing || ended) return Promise.resolve()
      const id = ++lastFlush
      thread.send({ type: 'flush', id })
      return new Promise((resolve) => flushes.set(id, resolve))
    },
    close() {
      post()
      if (!closing && !ended) thread.send({ type: 'close' })
      closing = true
      return closed.promise
    },
    onFailure(listener) {
      listeners.push(listener)
      const known = failure
      if (known !== null) queueMicrotask(() => listener(known))
    },
  }
}

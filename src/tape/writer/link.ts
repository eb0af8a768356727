import type { Ms } from '../../base/time.ts'
import type { TapeProblem } from '../model/batch.ts'
import type { TapeRow } from '../model/row.ts'
import type { Worker } from 'node:worker_threads'
import { errorText } from '../../base/error-text.ts'

/** What the thread that writes a tape is born with. */
export type TapeWriterInit = { readonly folder: string; readonly rotateMs: Ms }

/** To the thread; a list is rows, for they are nearly all of it. */
export type TapeMessage =
  | readonly TapeRow[]
  | { readonly type: 'flush'; readonly id: number }
  | { readonly type: 'close' }

/** From the thread: first `opened` or `refused`, last `closed`. */
export type TapeReply =
  | { readonly type: 'opened'; readonly recovered: readonly TapeProblem[] }
  | { readonly type: 'refused'; readonly message: string }
  | { readonly type: 'flushed'; readonly id: number }
  | { readonly type: 'failed'; readonly message: string }
  | { readonly type: 'closed' }

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
  const failure = createFailure()
  const flushes = new Map<number, () => void>()
  const closed = Promise.withResolvers<void>()
  const post = createOutbox((rows) => {
    if (!failure.failed() && !ended) thread.send(rows)
  })
  let closing = false
  let ended = false
  let lastFlush = 0

  function end(): void {
    ended = true
    for (const resolve of flushes.values()) resolve()
    flushes.clear()
    closed.resolve()
  }

  thread.on('message', (reply: TapeReply) => {
    if (reply.type === 'failed') failure.fail(reply.message)
    else if (reply.type === 'closed') end()
    else if (reply.type === 'flushed') {
      flushes.get(reply.id)?.()
      flushes.delete(reply.id)
    }
  })
  // Either means that the thread is gone: what it had not written is lost.
  thread.on('error', (error: unknown) => {
    failure.fail(`${folder}: the tape's thread died: ${errorText(error)}`)
  })
  thread.on('exit', () => {
    if (!ended) failure.fail(`${folder}: the tape's thread ended by itself; nothing is recorded any more`)
    end()
  })

  return {
    append(row) {
      if (!closing) post.add(row)
    },
    flush() {
      post.now()
      if (failure.failed() || closing || ended) return Promise.resolve()
      const id = ++lastFlush
      thread.send({ type: 'flush', id })
      return new Promise((resolve) => flushes.set(id, resolve))
    },
    close() {
      post.now()
      if (!closing && !ended) thread.send({ type: 'close' })
      closing = true
      return closed.promise
    },
    onFailure: failure.listen,
  }
}

type Failure = {
  readonly failed: () => boolean
  readonly fail: (message: string) => void
  readonly listen: (listener: (message: string) => void) => void
}

/** The first failure is the only one; who listens late hears of it too. */
function createFailure(): Failure {
  const listeners: ((message: string) => void)[] = []
  let first: string | null = null
  return {
    failed: () => first !== null,
    fail(message) {
      if (first !== null) return
      first = message
      for (const listener of listeners) listener(message)
    },
    listen(listener) {
      listeners.push(listener)
      const known = first
      if (known !== null) queueMicrotask(() => listener(known))
    },
  }
}

type Outbox = { readonly add: (row: TapeRow) => void; readonly now: () => void }

/** What one turn of the owner appends travels in one message. */
function createOutbox(send: (rows: readonly TapeRow[]) => void): Outbox {
  let rows: TapeRow[] = []

  function now(): void {
    if (rows.length === 0) return
    const waiting = rows
    rows = []
    send(waiting)
  }

  return {
    add(row) {
      rows.push(row)
      if (rows.length === 1) queueMicrotask(now)
    },
    now,
  }
}

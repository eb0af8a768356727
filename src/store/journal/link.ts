import type { Worker } from 'node:worker_threads'
import { errorText } from '../../base/error-text.ts'
import { decodeJson, encodeJson } from '../../base/codec.ts'
import type { JournalMessage, JournalReply, JournalWrite } from './messages.ts'
import type { StoreFailure } from '../failure.ts'

/** The journal thread as a link sees it: a worker's `postMessage` and `on`. */
export type JournalThread = {
  readonly send: (message: JournalMessage) => void
  readonly on: Worker['on']
}

/** The owner's end of the journal thread. After a failure nothing is sent any more. */
export type JournalLink = {
  /** Costs about a microsecond: what one turn posts travels in one message when the turn's code has run. */
  readonly post: (write: JournalWrite) => void
  readonly prune: (keepFromMs: number) => Promise<number>
  readonly durableSeq: () => number
  readonly onDurable: (listener: (seq: number) => void) => void
  readonly onFailure: (listener: (failure: StoreFailure) => void) => void
  readonly fail: (failure: StoreFailure) => void
  /** Resolves when everything posted before is on disk (or has failed) and the files are closed. */
  readonly close: () => Promise<void>
}

export function createJournalLink(thread: JournalThread, lastSeq: number): JournalLink {
  const failures = createFailures()
  const outbox = createOutbox(thread, failures)
  const durableListeners: ((seq: number) => void)[] = []
  const prunes = new Map<number, (rows: number) => void>()
  const closed = Promise.withResolvers<void>()
  let durable = lastSeq
  let closing = false

  function hear(reply: JournalReply): void {
    if (reply.type === 'durable') {
      if (reply.seq <= durable || failures.failed()) return
      durable = reply.seq
      for (const listener of durableListeners) listener(durable)
    } else if (reply.type === 'failed') {
      failures.fail(reply.failure)
    } else if (reply.type === 'pruned') {
      prunes.get(reply.id)?.(reply.rows)
      prunes.delete(reply.id)
    } else if (reply.type === 'closed') {
      closed.resolve()
    }
  }

  thread.on('message', hear)
  // Either means that the journal thread is gone: what it had not acknowledged may be lost.
  thread.on('error', (error: unknown) => failures.fail(threadFailure(`died: ${errorText(error)}`)))
  thread.on('exit', () => {
    if (!closing) failures.fail(threadFailure('ended by itself'))
    for (const resolve of prunes.values()) resolve(0)
    closed.resolve()
  })

  return {
    post: outbox.post,
    prune(keepFromMs) {
      if (failures.failed() || closing) return Promise.resolve(0)
      const id = prunes.size === 0 ? 1 : Math.max(...prunes.keys()) + 1
      outbox.send({ type: 'prune', id, keepFromMs })
      return new Promise((resolve) => prunes.set(id, resolve))
    },
    durableSeq: () => durable,
    onDurable: (listener) => void durableListeners.push(listener),
    onFailure: failures.listen,
    fail: failures.fail,
    close() {
      if (!closing) outbox.send({ type: 'close' })
      closing = true
      return closed.promise
    },
  }
}

type Failures = {
  readonly failed: () => boolean
  readonly fail: (failure: StoreFailure) => void
  readonly listen: (listener: (failure: StoreFailure) => void) => void
}

/** The first failure is the only one; who listens late hears of it too. */
function createFailures(): Failures {
  const listeners: ((failure: StoreFailure) => void)[] = []
  let first: StoreFailure | null = null
  return {
    failed: () => first !== null,
    fail(failure) {
      if (first !== null) return
      first = failure
      for (const listener of listeners) listener(failure)
    },
    listen(listener) {
      listeners.push(listener)
      const known = first
      if (known !== null) queueMicrotask(() => listener(known))
    },
  }
}

type Outbox = {
  readonly post: (write: JournalWrite) => void
  /** Sends a message of its own after everything posted before it. */
  readonly send: (message: JournalMessage) => void
}

function createOutbox(thread: JournalThread, failures: Failures): Outbox {
  let queue: JournalWrite[] = []

  function flush(): void {
    if (queue.length === 0) return
    const writes = queue
    queue = []
    if (failures.failed()) return
    try {
      sendCloned(thread, writes)
    } catch (error) {
      failures.fail({ kind: 'io', message: `an event cannot be written as data: ${errorText(error)}` })
    }
  }

  return {
    post(write) {
      queue.push(write)
      if (queue.length === 1) queueMicrotask(flush)
    },
    send(message) {
      flush()
      thread.send(message)
    },
  }
}

function sendCloned(thread: JournalThread, writes: readonly JournalWrite[]): void {
  try {
    thread.send(writes)
  } catch (error) {
    if (!(error instanceof DOMException && error.name === 'DataCloneError')) throw error
    // A strategy's parameters may hold what cannot be cloned (a function); the journal keeps their JSON.
    thread.send(decodeJson(encodeJson(writes)) as readonly JournalWrite[])
  }
}

function threadFailure(how: string): StoreFailure {
  return { kind: 'io', message: `the store's journal thread ${how}; nothing is written any more: restart` }
}

import type { EventEmitter } from 'node:events'
import { errorText } from '../result.ts'
import { createCalls, type NumberedAnswer, type NumberedCall } from './calls.ts'

/** Sent to a linked thread; nearly every message is a list of items that its owner posted. */
export type ToThread<Item, Call> = readonly Item[] | NumberedCall<Call> | { readonly type: 'close' }

/** Sent from a linked thread, besides its own reports. */
export type FromThread<Answer, Failure> =
  | NumberedAnswer<Answer>
  | { readonly type: 'failed'; readonly failure: Failure }
  | { readonly type: 'closed' }

/** The parts of a worker, or of an owner's port to a shared thread, that a link uses. */
export type LinkedThread<Item, Call> = {
  readonly postMessage: (message: ToThread<Item, Call>) => void
  readonly on: EventEmitter['on']
}

/** The owner's end of a thread that writes for it. After the first failure, posted items are no longer sent. */
export type ThreadLink<Item, Call, Answer, Failure> = {
  /** Costs about a microsecond: items posted in one turn are sent as one message at its end. */
  readonly post: (item: Item) => void
  /** Calls the thread after everything posted so far. Null if the thread cannot answer. */
  readonly ask: (call: Call) => Promise<Answer | null>
  readonly hasFailed: () => boolean
  readonly fail: (failure: Failure) => void
  /** Reports the first failure only; a late listener receives it too. */
  readonly onFailure: (listener: (failure: Failure) => void) => void
  /** Discards the items posted in this turn. */
  readonly discard: () => void
  /** Resolves when the thread has processed everything posted so far, or has ended. */
  readonly close: () => Promise<void>
}

/** `ended` returns the failure for a thread that dies or ends, which loses everything it had not acknowledged. */
export function createThreadLink<Item, Call, Answer, Failure>(
  thread: LinkedThread<Item, Call>,
  ended: (how: string) => Failure,
): ThreadLink<Item, Call, Answer, Failure> {
  const failures = createFailures<Failure>()
  const calls = createCalls<Call, Answer | null>()
  const closed = Promise.withResolvers<void>()
  let posted: Item[] = []
  let isClosing = false
  let hasEnded = false

  function flush(): void {
    if (posted.length === 0) return
    const items = posted
    posted = []
    if (!failures.hasFailed() && !hasEnded) thread.postMessage(items)
  }

  function end(): void {
    hasEnded = true
    calls.abandon(null)
    closed.resolve()
  }

  // The thread's own reports have other types; the owner listens to them itself.
  thread.on('message', (message: FromThread<Answer, Failure>) => {
    if (message.type === 'answer') calls.answered(message)
    else if (message.type === 'failed') failures.fail(message.failure)
    else if (message.type === 'closed') end()
  })
  thread.on('error', (error: unknown) => failures.fail(ended(`died: ${errorText(error)}`)))
  thread.on('exit', () => {
    if (!hasEnded) failures.fail(ended('ended by itself'))
    end()
  })

  return {
    ...failures,
    post(item) {
      if (isClosing) return
      posted.push(item)
      if (posted.length === 1) queueMicrotask(flush)
    },
    ask(call) {
      flush()
      if (failures.hasFailed() || isClosing || hasEnded) return Promise.resolve(null)
      return calls.ask(thread, call)
    },
    discard: () => void (posted = []),
    close() {
      flush()
      if (!isClosing && !hasEnded) thread.postMessage({ type: 'close' })
      isClosing = true
      return closed.promise
    },
  }
}

type Failures<Failure> = Pick<
  ThreadLink<unknown, unknown, unknown, Failure>,
  'hasFailed' | 'fail' | 'onFailure'
>

function createFailures<Failure>(): Failures<Failure> {
  const listeners: ((failure: Failure) => void)[] = []
  let first: { readonly failure: Failure } | null = null
  return {
    hasFailed: () => first !== null,
    fail(failure) {
      if (first !== null) return
      first = { failure }
      for (const listener of listeners) listener(failure)
    },
    onFailure(listener) {
      listeners.push(listener)
      const known = first
      if (known !== null) queueMicrotask(() => listener(known.failure))
    },
  }
}

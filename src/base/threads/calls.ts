import type { Ms } from '../time.ts'
import { runAfter } from './timing.ts'

/** A call to a thread; its answer has the same number. */
export type NumberedCall<Call> = { readonly type: 'call'; readonly id: number; readonly call: Call }
export type NumberedAnswer<Answer> = {
  readonly type: 'answer'
  readonly id: number
  readonly answer: Answer
}

/** The value to return if no answer arrives in time. */
type TimeLimit<Answer> = { readonly withinMs: Ms; readonly onLate: () => Answer }

/** The unanswered calls to one thread. */
type Calls<Call, Answer> = {
  /** Sends the call under the next number. Rejects only if the call cannot be cloned. */
  readonly ask: (
    thread: { readonly postMessage: (message: NumberedCall<Call>) => void },
    call: Call,
    limit?: TimeLimit<Answer>,
  ) => Promise<Answer>
  readonly answered: (numbered: NumberedAnswer<Answer>) => void
  /** Resolves every open call with this answer, after the thread ended. */
  readonly abandon: (answer: Answer) => void
}

/** Pairs calls to a thread with their answers. Drops late answers. */
export function createCalls<Call, Answer>(): Calls<Call, Answer> {
  const open = new Map<number, (answer: Answer) => void>()
  let lastId = 0
  return {
    ask(thread, call, limit) {
      const id = ++lastId
      return new Promise((resolve) => {
        const late = () => {
          open.delete(id)
          if (limit !== undefined) resolve(limit.onLate())
        }
        const timer = limit === undefined ? undefined : runAfter(late, limit.withinMs)
        open.set(id, (answer) => {
          clearTimeout(timer)
          open.delete(id)
          resolve(answer)
        })
        thread.postMessage({ type: 'call', id, call })
      })
    },
    answered: ({ id, answer }) => open.get(id)?.(answer),
    abandon(answer) {
      for (const settle of open.values()) settle(answer)
    },
  }
}

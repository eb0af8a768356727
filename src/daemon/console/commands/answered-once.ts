import { createHash } from 'node:crypto'
import { Refusal } from '../refusal.ts'
import { keyProblem } from './command-entry.ts'

/** A recorded answer. */
export type GivenAnswer = { readonly status: number; readonly body: unknown }

/** Returns recorded answers by key, so that a repeated request is executed once. */
type AnsweredOnce = (
  key: string | undefined,
  request: string,
  act: () => Promise<GivenAnswer>,
) => Promise<GivenAnswer & { readonly isReplay: boolean }>

const KEPT_MS = 10 * 60_000
const MAX_KEPT = 1_000

type Recorded = { readonly at: number; readonly print: string; readonly answer: Promise<GivenAnswer> }

/**
 * A client that repeats a request with the same key, because the answer was lost or late, gets the first answer, even if it is still being
 * prepared. The same key on a different request is refused as a mistake. A request that was refused before it reached a position is not
 * recorded.
 */
export function createAnsweredOnce(): AnsweredOnce {
  const kept = new Map<string, Recorded>()

  function forgetOld(): void {
    for (const [key, { at }] of kept) {
      if (performance.now() - at < KEPT_MS && kept.size < MAX_KEPT) return
      kept.delete(key)
    }
  }

  return async (key, request, act) => {
    if (key === undefined) return { ...(await act()), isReplay: false }
    const problem = keyProblem(key)
    if (problem !== null) throw new Refusal(400, 'bad-key', problem)
    forgetOld()
    const print = createHash('sha256').update(request).digest('hex')
    const first = kept.get(key)
    if (first !== undefined) {
      if (first.print === print) return { ...(await first.answer), isReplay: true }
      throw new Refusal(422, 'key-used', 'this Idempotency-Key belongs to another request; take a new one')
    }
    const answer = act()
    kept.set(key, { at: performance.now(), print, answer })
    answer.catch(() => kept.delete(key))
    return { ...(await answer), isReplay: false }
  }
}

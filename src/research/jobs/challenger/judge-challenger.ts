import { err, ok, type Result } from '../../../base/result.ts'
import type { Ms } from '../../../base/time.ts'
import { liftedNotice, type Notice, raisedNotice } from '../../../daemon/notify/notice.ts'
import { type ChallengerView, comparedSchema } from '../../../daemon/view/challenger-view.ts'
import type { ComparedShadows } from './compare-shadows.ts'

/** A challenger by its name, its parameters, and what tells its code from another one. */
export type ChallengerIdentity = Pick<ChallengerView, 'use' | 'params' | 'fingerprint'>

/**
 * `refused`: why the challenger could not be loaded, or was ended. `problem`: what is missing besides. `isLoaded`: it begins now,
 * so that there is nothing to trade over yet.
 */
export type ChallengerAnswer =
  | ComparedShadows
  | { readonly refused: string }
  | { readonly problem: string }
  | { readonly isLoaded: true }

/** What is known of a challenger that never ran. */
export function newChallenger(identity: ChallengerIdentity, now: Ms): ChallengerView {
  return { ...identity, since: now, at: now, compared: null, suspended: null, problem: null }
}

/**
 * What a run changes. A challenger that could not be loaded, that was suspended by its own core, or that had to be
 * ended, is suspended with the reason; what is wrong with the recording is a problem, and is tried again.
 */
export function judgeChallenger(before: ChallengerView, answer: ChallengerAnswer, now: Ms): ChallengerView {
  const next = { ...before, at: now, problem: null }
  if ('refused' in answer) return { ...next, suspended: { since: now, why: answer.refused } }
  if ('isLoaded' in answer) return next
  if ('problem' in answer) return { ...next, problem: answer.problem }
  const { compared, suspension } = answer
  const shown = readCompared(compared)
  if (!shown.ok) return { ...next, problem: shown.error }
  return { ...next, compared: shown.value, suspended: suspension }
}

/** A figure that is no number would be lost in the file, and shown as none. */
function readCompared(compared: unknown): Result<NonNullable<ChallengerView['compared']>, string> {
  const parsed = comparedSchema.safeParse(compared)
  if (parsed.success) return ok(parsed.data)
  const [issue] = parsed.error.issues
  return err(`the comparison cannot be shown: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`)
}

/** Raised where a challenger is suspended, lifted where another one took its place. Null = neither. */
export function challengerNotice(
  before: ChallengerView | null,
  next: ChallengerView,
  now: Ms,
): Notice | null {
  const [was, is] = [before?.suspended ?? null, next.suspended]
  if (is !== null && was === null)
    return raisedNotice(
      now,
      'challenger-suspended',
      `the challenger ${next.use} is no longer asked: ${is.why}`,
    )
  if (was !== null && is === null)
    return liftedNotice(now, 'challenger-suspended', 'another challenger is configured')
  return null
}

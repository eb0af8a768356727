import { err, ok, type Result } from '../../../base/result.ts'
import type { Ms } from '../../../base/time.ts'
import { liftedNotice, type Notice, raisedNotice } from '../../../daemon/notify/notice.ts'
import { type ChallengerView, comparedSchema } from '../../../daemon/view/challenger-view.ts'
import type { ComparedShadows } from './compare-shadows.ts'

/** A challenger by name, parameters and fingerprint of its code. */
export type ChallengerIdentity = Pick<ChallengerView, 'use' | 'params' | 'fingerprint'>

/**
 * `refused`: why the challenger could not be loaded, or was ended. `problem`: a problem of the recording. `isLoaded`:
 * just loaded, without a recording so far.
 */
export type ChallengerAnswer =
  | ComparedShadows
  | { readonly refused: string }
  | { readonly problem: string }
  | { readonly isLoaded: true }

/** Returns the view of a challenger that has not run yet. */
export function newChallenger(identity: ChallengerIdentity, now: Ms): ChallengerView {
  return { ...identity, since: now, at: now, compared: null, suspended: null, problem: null }
}

/**
 * Returns the view after a run. A challenger is suspended with the reason if it could not be loaded, was suspended by its
 * own core, or had to be ended; a problem of the recording is retried.
 */
export function judgeChallenger(before: ChallengerView, answer: ChallengerAnswer, now: Ms): ChallengerView {
  const next = { ...before, at: now, problem: null }
  if ('refused' in answer) return { ...next, suspended: { since: now, why: answer.refused } }
  if ('isLoaded' in answer) return next
  if ('problem' in answer) return { ...next, problem: answer.problem }
  const { compared, suspension } = answer
  const shown = readCompared(compared)
  if (!shown.ok) return { ...next, problem: shown.error }
  const suspended = suspension === null ? null : { since: suspension.since, why: suspension.why }
  return { ...next, compared: shown.value, suspended }
}

/** JSON turns NaN and Infinity into null. */
function readCompared(compared: unknown): Result<NonNullable<ChallengerView['compared']>, string> {
  const parsed = comparedSchema.safeParse(compared)
  if (parsed.success) return ok(parsed.data)
  const [issue] = parsed.error.issues
  return err(`the comparison cannot be shown: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`)
}

/** Raises an alert when a challenger is suspended, lifts it when another challenger replaces it; null = no change. */
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

import { err, ok, type Result } from '../../base/result.ts'
import type { Ms } from '../../base/time.ts'
import { liftedNotice, type Notice, raisedNotice } from '../../notify/notice.ts'
import { type ChallengerView, comparedSchema } from '../../view/challenger-view.ts'
import type { ChallengerAnswer } from './challenger-worker.ts'

/** A challenger by its name, its parameters, and what tells its code from another one. */
export type ChallengerIdentity = Pick<ChallengerView, 'use' | 'params' | 'fingerprint'>

/** What is known of a challenger that never ran. */
export function newChallenger(identity: ChallengerIdentity, now: Ms): ChallengerView {
  return { ...identity, since: now, at: now, compared: null, suspended: null, problem: null }
}

/**
 * What a run changes. A challenger that could not be loaded, that was suspended by its own core, or whose thread had to be
 * ended, is suspended with the reason; what is wrong with the recording is a problem, and is tried again.
 */
export function judgeChallenger(
  before: ChallengerView,
  answer: Result<ChallengerAnswer, string>,
  now: Ms,
): ChallengerView {
  const next = { ...before, at: now, problem: null }
  if (!answer.ok) return { ...next, suspended: { since: now, why: answer.error } }
  if ('refused' in answer.value) return { ...next, suspended: { since: now, why: answer.value.refused } }
  if ('isLoaded' in answer.value) return next
  if ('problem' in answer.value) return { ...next, problem: answer.value.problem }
  const { compared, suspension } = answer.value
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
  next: ChallengerView | null,
  now: Ms,
): Notice | null {
  const [was, is] = [before?.suspended ?? null, next?.suspended ?? null]
  if (is !== null && was === null)
    return raisedNotice(
      now,
      'challenger-suspended',
      `the challenger ${next?.use ?? ''} is no longer asked: ${is.why}`,
    )
  if (was !== null && is === null)
    return liftedNotice(now, 'challenger-suspended', 'another challenger, or none, is configured')
  return null
}

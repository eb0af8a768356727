import type { Side } from '../../../base/money/side.ts'
import type { Ms } from '../../../base/time.ts'
import { countForReview, createReview, endOverride, LONGEST_OVERRIDE_MS } from '../../risk/latch.ts'
import type { EngineState } from '../model/state.ts'
import type { Transition } from '../transition.ts'

/** Counts a booked fill towards the next review. */
export function reviewFill(
  transition: Transition,
  fill: { readonly side: Side; readonly usd18: bigint },
): void {
  const { state, now } = transition
  const limits = state.config.risk.reviewAfter
  if (limits === null) return
  const review = (state.review ??= createReview(now))
  if (countForReview(review, fill, limits)) transition.requestDecision('fill')
}

/** Alerts when an override has ended: from now on fills count again. */
export function endReviewOverride({ state, now, alert }: Transition): void {
  const ended = state.review === undefined ? null : endOverride(state.review, now)
  if (ended === null) return
  const message = `the postponement of the review by ${ended.who} (${ended.why}) has ended: fills count again`
  alert('review', message)
}

/** Returns why an override until this time is refused; null = it is accepted. */
export function overrideProblem(state: EngineState, until: Ms, now: Ms): string | null {
  if (state.config.risk.reviewAfter === null)
    return 'risk.reviewAfter is null: there is no review to postpone'
  if (until <= now) return 'the review cannot be postponed to a time in the past'
  if (until - now > LONGEST_OVERRIDE_MS) return 'a review can be postponed for 24 hours at most'
  return null
}

/** An operator has reviewed the fills: counting starts again, and with `until` no review is due before it. */
export function reviewDone(state: EngineState, by: { who: string; why: string }, until: Ms | null): void {
  if (state.review === undefined && until === null) return
  state.review = createReview(state.now)
  if (until !== null) state.review.override = { ...by, until }
}

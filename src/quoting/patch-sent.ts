import type { Ms } from '../base/time.ts'
import { countMismatch } from './count-mismatch.ts'
import type { QuotedSpread, QuotingState } from './quoting-state.ts'
import { samePairs, sameSpread } from './same-spread.ts'

/** A PATCH went out; `safety` as the stance has it. */
export function patchSent(
  state: QuotingState,
  request: number,
  spread: QuotedSpread,
  now: Ms,
  safety = false,
): void {
  state.inFlight = { request, spread }
  state.lastSentAt = now
  state.asked = { spread, safety }
  delete state.isCounted
  delete state.unverified
}

/**
 * The venue answered our PATCH with what it now holds. When that is not what was asked for, the belief
 * is `differs`: it is known, and wrong; the repair is paced like a failure, for a venue that answers so
 * once may answer so for ever. Pairs that the venue does not name, or names one by one where all were
 * asked for, are those that were asked for.
 */
export function patchConfirmed(
  state: QuotingState,
  held: QuotedSpread,
  asked: QuotedSpread | null,
  now: Ms,
  namesPairs = false,
): void {
  // Beyond the list is a matter of its own: no repair with the same list changes it.
  const unasked = asked !== null && namesPairs ? pairsBeyond(asked.quotePairs, held.quotePairs) : null
  if (unasked !== null) state.unaskedPairs = unasked
  else if (namesPairs) delete state.unaskedPairs
  const asAsked =
    asked !== null &&
    (unasked !== null ||
      asked.quotePairs === null ||
      held.quotePairs === null ||
      samePairs(asked.quotePairs, held.quotePairs))
  const holds = asAsked ? { ...held, quotePairs: asked.quotePairs } : held
  const equal = asked === null || sameSpread(holds, asked)
  state.inFlight = null
  state.failures = equal ? 0 : state.failures + 1
  state.confirmed = holds
  if (!equal) countMismatch(state)
  state.confirmedAt = now
  state.awaiting = { bid: false, ask: false }
  state.belief = equal ? 'known' : 'differs'
  state.why = equal ? 'confirmed by the venue' : 'the venue holds another spread than it was asked for'
}

/** What the venue quotes beyond the list that it was asked for; null = nothing. */
function pairsBeyond(asked: readonly string[] | null, held: readonly string[] | null): string | null {
  if (asked === null) return null
  if (held === null) return 'all pairs'
  const more = held.filter((pair) => !asked.includes(pair))
  return more.length === 0 ? null : more.join(', ')
}

/** A PATCH was refused for certain: what stood before still stands. */
export function patchRefused(state: QuotingState): void {
  state.inFlight = null
  state.failures += 1
}

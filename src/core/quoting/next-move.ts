import { backoffMs } from '../../base/backoff.ts'
import type { Ms } from '../../base/time.ts'
import type { Approved } from '../risk/approved.ts'
import type { Target } from '../risk/approval.ts'
import { openAsAsked } from './confirmation.ts'
import { canCloseSides, type QuotedSpread, type QuotingState, samePairs } from './quote-state.ts'

/** The pause after consecutive failures, to avoid flooding a venue in trouble. */
const FIRST_RETRY_MS: Ms = 500
const LONGEST_RETRY_MS: Ms = 8_000
/** The pause of a safety move in the last moment of a lease, which leaves time for a few attempts. */
const LAST_RETRY_MS: Ms = 100

export type QuotingSettings = {
  readonly requoteThresholdBps: number
  readonly minRequoteIntervalMs: Ms
  readonly pairs: readonly string[] | null
}

export type RequoteReason = 'first' | 'repair' | 'safety' | 'side' | 'threshold' | 'pairs'

/** The quoter's next move; `wait` gives the latest time to ask again. */
export type Move =
  | { readonly kind: 'none' }
  | { readonly kind: 'wait'; readonly until: Ms }
  | { readonly kind: 'read-back' }
  | { readonly kind: 'patch'; readonly spread: QuotedSpread; readonly reason: RequoteReason }

/**
 * Compares the approved quote with the quote that the venue last confirmed. An unknown quote is repaired first: it is read back,
 * then sent, because a read-back cannot show the side flags and a PATCH is idempotent. A safety move waits only for a PATCH in
 * flight. `isLastMoment`: the lease ends soon, so a failed safety move is repeated without the usual pause.
 */
export function nextMove(
  state: QuotingState,
  target: Approved<Target>,
  now: Ms,
  settings: QuotingSettings,
  isLastMoment = false,
): Move {
  if (state.inFlight !== null) return NO_MOVE
  if (state.failures > 0) {
    const isHurried = isLastMoment && target.safety
    const pause = isHurried ? LAST_RETRY_MS : backoffMs(state.failures, FIRST_RETRY_MS, LONGEST_RETRY_MS)
    const retryAt = (state.lastSentAt ?? now) + pause
    if (now < retryAt) return { kind: 'wait', until: retryAt }
  }
  const { status, confirmed } = state
  if (status !== 'confirmed' || confirmed === null) {
    if (!target.safety && (state.awaiting.bid || state.awaiting.ask)) return { kind: 'read-back' }
    const reason = confirmed === null ? 'first' : 'repair'
    return { kind: 'patch', spread: spreadOfTarget(target, settings.pairs), reason }
  }
  const spread = spreadOfTarget(target, settings.pairs)
  const standing = canCloseSides(state) ? confirmed : openAsAsked(confirmed, spread)
  if (isHeld(standing, target, settings.pairs)) return NO_MOVE
  const reason = reasonToMove(standing, spread, target.safety, settings)
  if (reason === null) return NO_MOVE
  const allowedAt = (state.lastSentAt ?? -Infinity) + settings.minRequoteIntervalMs
  if (reason !== 'safety' && now < allowedAt) return { kind: 'wait', until: allowedAt }
  return { kind: 'patch', spread, reason }
}

const NO_MOVE: Move = { kind: 'none' }

/** Returns whether the venue holds the approved quote. Two sides that are off are equal at any idle spread. */
function isHeld(held: QuotedSpread, { bidBps, askBps }: Target, pairs: readonly string[] | null): boolean {
  return (
    held.quoteBid === (bidBps !== null) &&
    held.quoteAsk === (askBps !== null) &&
    (bidBps === null || held.bidBps === bidBps) &&
    (askBps === null || held.askBps === askBps) &&
    samePairs(held.quotePairs, pairs)
  )
}

function reasonToMove(
  standing: QuotedSpread,
  wanted: QuotedSpread,
  safety: boolean,
  settings: QuotingSettings,
): RequoteReason | null {
  if (safety) return 'safety'
  if (standing.quoteBid !== wanted.quoteBid || standing.quoteAsk !== wanted.quoteAsk) return 'side'
  const bid = wanted.quoteBid ? Math.abs(standing.bidBps - wanted.bidBps) : 0
  const ask = wanted.quoteAsk ? Math.abs(standing.askBps - wanted.askBps) : 0
  if (Math.max(bid, ask) >= settings.requoteThresholdBps && Math.max(bid, ask) > 0) return 'threshold'
  return samePairs(standing.quotePairs, wanted.quotePairs) ? null : 'pairs'
}

/** Returns the PATCH for an approved target. A side that is off still needs a number: the idle spread. */
function spreadOfTarget(target: Approved<Target>, pairs: readonly string[] | null): QuotedSpread {
  return {
    bidBps: target.bidBps ?? target.idleBps,
    askBps: target.askBps ?? target.idleBps,
    quoteBid: target.bidBps !== null,
    quoteAsk: target.askBps !== null,
    quotePairs: pairs,
  }
}

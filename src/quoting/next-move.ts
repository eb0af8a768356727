import type { Ms } from '../base/time.ts'
import type { Approved } from '../risk/approved.ts'
import type { Stance } from '../risk/stance.ts'
import { sameSpread } from './same-spread.ts'
import type { QuotedSpread, QuotingState } from './quoting-state.ts'
import { spreadOfStance } from './spread-of-stance.ts'

export type QuotingSettings = {
  readonly requoteThresholdBps: number
  readonly minRequoteIntervalMs: Ms
  readonly pairs: readonly string[] | null
}

export type RequoteReason = 'first' | 'repair' | 'safety' | 'side' | 'threshold' | 'pairs'

/** The quoter's next move; `wait` says when to ask again at the latest. */
export type Move =
  | { readonly kind: 'none' }
  | { readonly kind: 'wait'; readonly until: Ms }
  | { readonly kind: 'read-back' }
  | { readonly kind: 'patch'; readonly spread: QuotedSpread; readonly reason: RequoteReason }

/**
 * Holds what should stand against what we believe stands. Unknown is repaired first: read back, then
 * send, because a read-back cannot show the side flags and a PATCH is idempotent. A safety move waits
 * for nothing but the PATCH already under way.
 */
export function nextMove(
  state: QuotingState,
  stance: Approved<Stance>,
  now: Ms,
  settings: QuotingSettings,
): Move {
  if (state.inFlight !== null) return { kind: 'none' }
  const retryAt = state.failures === 0 ? now : (state.lastSentAt ?? now) + retryPause(state.failures)
  if (now < retryAt) return { kind: 'wait', until: retryAt }
  const spread = spreadOfStance(stance, settings.pairs)
  if (state.belief !== 'known' || state.confirmed === null) {
    if (!stance.safety && (state.awaiting.bid || state.awaiting.ask)) return { kind: 'read-back' }
    return { kind: 'patch', spread, reason: state.confirmed === null ? 'first' : 'repair' }
  }
  if (sameSpread(spread, state.confirmed)) return { kind: 'none' }
  const reason = reasonToMove(state.confirmed, spread, stance.safety, settings)
  if (reason === null) return { kind: 'none' }
  const allowedAt = (state.lastSentAt ?? Number.NEGATIVE_INFINITY) + settings.minRequoteIntervalMs
  if (reason !== 'safety' && now < allowedAt) return { kind: 'wait', until: allowedAt }
  return { kind: 'patch', spread, reason }
}

/** After failures in a row: half a second, doubling to eight, so that a venue in trouble is not hammered. */
function retryPause(failures: number): Ms {
  return Math.min(8_000, 250 * 2 ** Math.min(failures, 5))
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
  return bid === 0 && ask === 0 ? 'pairs' : null
}

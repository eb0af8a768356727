import { MINUTE_MS, type Ms } from '../../base/time.ts'
import { type Rate, rateStepBps } from '../../base/money/rate.ts'
import type { MarketState, MidGap } from './market-state.ts'

/** A difference counts once both sources have kept their figures for this long: a new mid reaches one of them seconds earlier. */
export const GAP_LASTS_MS: Ms = MINUTE_MS
/** If the public rate names no mid for this long, GET /rate is used. */
export const PUBLIC_MID_STALE_MS: Ms = 3 * MINUTE_MS
/** Up to this many bps of difference raise no alert: GET /rate may be rounded to whole shillings. */
const REPORTED_BPS = 5

/** Returns whether both sources have named different mids for longer than a mid can be in transit. */
export function doesGapLast({ rateSeenAt, seenAt, since }: MidGap): boolean {
  return Math.min(rateSeenAt, seenAt) - since >= GAP_LASTS_MS
}

/** Returns how far the public rate's mid is above GET /rate, in bps; null = they agree, or only one has answered since. */
export function gapBps({ gap, publicMid }: MarketState): number | null {
  if (gap === undefined || publicMid === null || gap.rateSeenAt <= gap.since) return null
  return rateStepBps(gap.rate, publicMid)
}

export function isDifferenceReported(bps: number): boolean {
  return Math.abs(bps) > REPORTED_BPS
}

/** Returns whether operators must be notified of the difference: true once per gap. */
export function shouldReportGap(market: MarketState): boolean {
  const { gap } = market
  if (gap === undefined || gap.isReported || !doesGapLast(gap)) return false
  gap.isReported = isDifferenceReported(gapBps(market) ?? 0)
  return gap.isReported
}

/** Returns the last figure of GET /rate; null = refused, or not answered yet. */
export function figureOfRate({ gap, mid, pending, problem }: MarketState): Rate | null {
  if (gap !== undefined) return gap.rate
  return pending?.mid ?? (problem === null ? mid : null)
}

/** The public rate named this mid: a gap begins, continues or ends. Called before the mid is taken. */
export function recordPublicMid(market: MarketState, mid: Rate, t: Ms): void {
  // Without a mid of GET /rate there is nothing to compare: its next figure is the first one.
  if (market.mid === null) return
  const rate = figureOfRate(market)
  if (rate === mid) market.gap = undefined
  else if (market.gap !== undefined) market.gap.seenAt = t
  else if (rate !== null)
    market.gap = {
      rate,
      rateSeenAt: t,
      since: t,
      seenAt: t,
      isFirst: market.publicMid === null,
      ...(market.isPublicGone === true && { isReturn: true }),
      isReported: false,
    }
  market.publicMid = mid
  market.isPublicGone = undefined
}

/**
 * Returns the mid that follows from an answer of GET /rate: its own figure, or the public rate's figure once the gap lasts. Until
 * then GET /rate replaces a mid that the public rate named last only if it has moved.
 */
export function executionMid(market: MarketState, rate: Rate, t: Ms): Rate {
  const { gap, publicMid } = market
  if (gap === undefined || publicMid === null) return rate
  const hasMoved = gap.rate !== rate
  gap.rate = rate
  gap.rateSeenAt = t
  if (rate === publicMid) market.gap = undefined
  else if (t - gap.seenAt > PUBLIC_MID_STALE_MS) {
    market.gap = undefined
    market.isPublicGone = true
  } else if (doesGapLast(gap) || (!hasMoved && market.mid === publicMid)) return publicMid
  return rate
}

/** Gives the public rate its full time to name a mid again after a process takes over. */
export function restartGap(market: MarketState, now: Ms): void {
  const { gap } = market
  if (gap === undefined) return
  if (doesGapLast(gap)) gap.seenAt = now
  else market.gap = undefined
}

import type { Ms } from '../base/time.ts'
import type { Rate } from '../money/rate.ts'
import type { Side } from '../money/side.ts'
import type { MarketState } from './market-state.ts'
import { rateStepBps } from './rate-step.ts'

export type PublicReading = {
  readonly t: Ms
  readonly side: Side
  readonly mid: Rate | null
  readonly bestBps: number | null
  readonly protocolFeeBps: number | null
}

/** What a public reading brought: a new mid within the bound, and whether the best spread moved. */
export type PublicChange = {
  readonly midChanged: boolean
  readonly confirmMid: boolean
  readonly bestMoved: boolean
}

/**
 * The public endpoint costs nothing of the key's budget, so it is where a new mid is seen first. It does
 * not date its mid and does not say `quotable`: a new figure inside the step bound is taken at once, any
 * new figure asks for GET /rate to confirm it.
 */
export function takePublicRate(
  market: MarketState,
  reading: PublicReading,
  maxStepBps: number | null,
): PublicChange {
  if (reading.protocolFeeBps !== null) market.protocolFeeBps = reading.protocolFeeBps
  const before = market.competition[reading.side]
  market.competition[reading.side] =
    reading.bestBps === null ? null : { bps: reading.bestBps, seenAt: reading.t }
  const bestMoved = before?.bps !== market.competition[reading.side]?.bps
  const mid = reading.mid !== null && reading.mid > 0n ? reading.mid : null
  const news = mid !== null && mid !== market.publicMid
  if (mid !== null) market.publicMid = mid
  if (mid === null || !news || market.mid === null || mid === market.mid) {
    return { midChanged: false, confirmMid: false, bestMoved }
  }
  const within = maxStepBps === null || Math.abs(rateStepBps(market.mid, mid)) <= maxStepBps
  if (within && market.problem === null) {
    market.previousMid = market.mid
    market.mid = mid
    market.midSource = 'public'
    return { midChanged: true, confirmMid: true, bestMoved }
  }
  return { midChanged: false, confirmMid: true, bestMoved }
}

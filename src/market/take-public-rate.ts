import type { Ms } from '../base/time.ts'
import type { Rate } from '../money/rate.ts'
import type { Side } from '../money/side.ts'
import { takeFeeWord } from './fee-words.ts'
import type { MarketState } from './market-state.ts'
import { breachOf, noteInForce, type MidBounds } from './mid-bounds.ts'

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
  /** The protocol fee that this endpoint named before, where it is another one now; null = no change. */
  readonly feeBefore: number | null
}

/**
 * The public endpoint costs nothing of the key's budget, so it is where a new mid is seen first. It does
 * not date its mid and does not say `quotable`: a new figure inside all bounds is taken at once, any
 * new figure asks for GET /rate to confirm it. It is the venue's own word: it never confirms what waits.
 */
export function takePublicRate(market: MarketState, reading: PublicReading, bounds: MidBounds): PublicChange {
  const feeBefore = takeFeeWord(market, 'public', reading.protocolFeeBps)
  const before = market.competition[reading.side]
  market.competition[reading.side] =
    reading.bestBps === null ? null : { bps: reading.bestBps, seenAt: reading.t }
  const bestMoved = before?.bps !== market.competition[reading.side]?.bps
  const mid = reading.mid !== null && reading.mid > 0n ? reading.mid : null
  const news = mid !== null && mid !== market.publicMid
  if (mid !== null) market.publicMid = mid
  if (mid === null || !news || market.mid === null || mid === market.mid) {
    return { midChanged: false, confirmMid: false, bestMoved, feeBefore }
  }
  if (market.problem === null && breachOf(market, mid, bounds, reading.t) === null) {
    noteInForce(market, market.mid, mid, reading.t, false)
    market.previousMid = market.mid
    market.mid = mid
    market.midSource = 'public'
    return { midChanged: true, confirmMid: true, bestMoved, feeBefore }
  }
  return { midChanged: false, confirmMid: true, bestMoved, feeBefore }
}

import { shareAmong } from '../../../core/market/routing.ts'
import { MAX_SPREAD_BPS, MIN_SPREAD_BPS } from '../../../base/money/bps.ts'
import { noisyLook } from '../../../core/models/flow/pick-off.ts'

/** Takers of one side, and the amounts at risk. */
export type OneSide = {
  /** F: retail volume a day at zero spread, USD. */
  readonly retailUsdPerDay: number
  /** R: mean spread that a retail taker accepts, bps. */
  readonly reservationBps: number
  /** K: the amount that an informed taker can take at once, USD. */
  readonly poolUsd: number
  /** Looks of informed takers a day. */
  readonly looksPerDay: number
  /** Error with which they see the gap, and their required gain beyond our spread, bps. */
  readonly informedTau: number
  readonly margin: number
  /** Fair value minus mid on the side on which we sell dollars, and the sd of its unknown part, bps. */
  readonly ghat: number
  readonly gapSd: number
  readonly rivalBps: readonly number[]
  readonly toleranceBps: number
}

/**
 * Returns the daily income of a spread on one side in the present state, USD: retail F share(b) min(1, exp(-(b - ghat)/R))
 * (b - ghat) less informed loss, looks * K * loss(b - ghat), over 10,000. Every look counts as if the gap were new, which is
 * too conservative if one take empties the side. Source: market.md sections 4.3 and 4.5.
 */
export function oneSideIncome(bps: number, side: OneSide): number {
  const { retailUsdPerDay, reservationBps, poolUsd, looksPerDay, informedTau, margin, ghat, gapSd } = side
  const distance = bps - ghat
  const accepted = Math.min(1, Math.exp(-distance / reservationBps))
  const retail = retailUsdPerDay * shareAmong(bps, side.rivalBps, side.toleranceBps) * accepted * distance
  const { loss } = noisyLook(gapSd, { b: distance, tau: informedTau, margin })
  return (retail - looksPerDay * poolUsd * loss) / 1e4
}

/** Returns the spread of 10 to 500 bps that earns the most, with its income; null = no spread earns anything. */
export function bestOneSide(side: OneSide): { readonly bps: number; readonly usdPerDay: number } | null {
  let best: { readonly bps: number; readonly usdPerDay: number } | null = null
  for (let bps = MIN_SPREAD_BPS; bps <= MAX_SPREAD_BPS; bps++) {
    const usdPerDay = oneSideIncome(bps, side)
    if (usdPerDay > (best?.usdPerDay ?? 0)) best = { bps, usdPerDay }
  }
  return best
}

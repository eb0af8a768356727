import { routedShare } from '../../market/routing.ts'
import { MAX_SPREAD_BPS, MIN_SPREAD_BPS } from '../../../base/money/bps.ts'

/** One side of the venue, where `rivals` other providers quote the same best spread. */
type RivalSide = {
  /** Number of rivals. */
  readonly rivals: number
  /** Their spread, bps. */
  readonly best: number
  /** Cost of a fill to us, bps: adverse selection, restocking, fees. */
  readonly cost: number
  /** Per bps: of the takers exp(-k b) accept a spread of b bps. */
  readonly k: number
  /** The router picks round-robin within this distance of the lowest spread, bps. */
  readonly tolerance: number
}

/** Returns the income of a spread per taker who comes to the venue: our share * (b - cost) exp(-k b), bps. */
export function replyValue(bps: number, { rivals, best, cost, k, tolerance }: RivalSide): number {
  const share = routedShare(bps, rivals === 0 ? null : best, tolerance)
  return (share === 0.5 ? 1 / (rivals + 1) : share) * (bps - cost) * Math.exp(-k * bps)
}

/**
 * Returns the best spread, 10 to 500 bps, against rivals that do not move; null if every spread that attracts takers is below
 * the cost. It is cost + 1/k as without rivals, best + tolerance for a share of 1/(rivals + 1), or just below best - tolerance
 * for all takers. Source: market.md section 4.4; quant.md section 1.6.
 */
export function bestReply(side: RivalSide): number | null {
  let reply: number | null = null
  let most = 0
  for (let bps = MIN_SPREAD_BPS; bps <= MAX_SPREAD_BPS; bps++) {
    const value = replyValue(bps, side)
    if (value <= most) continue
    reply = bps
    most = value
  }
  return reply
}

/**
 * Returns the value of best - cost, in bps, above which undercutting beats matching: ((t + 1) r + t) / (r - 1) with
 * r = (rivals + 1) exp(k (2t + 1)). Source: market.md section 4.4.
 */
export function undercutThreshold({ rivals, k, tolerance }: Omit<RivalSide, 'best' | 'cost'>): number {
  const r = (rivals + 1) * Math.exp(k * (2 * tolerance + 1))
  // Divided by r, so a steep k does not overflow.
  return (tolerance + 1 + tolerance / r) / (1 - 1 / r)
}

/** A price war between us and one rival, with the rival's response time. */
type PriceWar = Omit<RivalSide, 'rivals'> & {
  /** Days until the rival responds to an undercut. */
  readonly answerDays: number
  /** Income in `days` days counts for exp(-discount * days). */
  readonly discountPerDay: number
}

/**
 * Returns the value of matching a single rival's spread and of undercutting it: all takers until the rival responds, then both
 * quote where undercutting just stops paying, cost + threshold, with half of the takers each. In bps for one taker per day,
 * discounted over an infinite horizon. The best reply to a static rival differs from the best reply to one who responds.
 * Source: market.md section 4.4.
 */
export function undercutWorth(war: PriceWar): { readonly stay: number; readonly undercut: number } {
  const { best, cost, k, tolerance, answerDays, discountPerDay } = war
  const side = { rivals: 1, best, cost, k, tolerance }
  const alone = replyValue(best - tolerance - 1, side)
  const settled = Math.min(best, Math.ceil(cost + undercutThreshold(side)))
  const shared = replyValue(settled, { ...side, best: settled })
  const answered = Math.exp(-discountPerDay * answerDays)
  return {
    stay: replyValue(best, side) / discountPerDay,
    undercut: (alone * (1 - answered) + shared * answered) / discountPerDay,
  }
}

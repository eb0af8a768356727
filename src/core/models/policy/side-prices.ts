import { shareAmong } from '../../market/routing.ts'
import { MAX_SPREAD_BPS, MIN_SPREAD_BPS } from '../../../base/money/bps.ts'
import { pickOffLoss } from '../flow/pick-off.ts'

/** How many spreads the venue admits: 10, 11 ... 500 bps. */
export const PRICES = MAX_SPREAD_BPS - MIN_SPREAD_BPS + 1

/** The takers of one side of our quote. */
export type SideFlow = {
  /** A: takers a day at the fair value, of one lot each. */
  readonly takersPerDay: number
  /** Per bps: takers fall by exp(-k x) at a distance of x from the fair value. */
  readonly k: number
  /** What is known of k: Gamma of this shape and mean k, as a posterior gives it; null = k is certain. */
  readonly kShape: number | null
  /** From our spread to its distance from the fair value: + where the fair value is on the far side of the mid. */
  readonly shiftBps: number
  /** What the fair value moves against us with each of these fills. */
  readonly adverseBps: number
  /** Takers who know the fair value better than we do: visits a day and side, and the error of our own estimate. */
  readonly informed: { readonly perDay: number; readonly tauBps: number }
  /** Spreads of the others on this side. */
  readonly rivalBps: readonly number[]
  /** The router picks round-robin within this distance of the lowest spread. */
  readonly toleranceBps: number
}

/** For each allowed spread, the lowest first: fills a day, and what they earn in bps * lot a day before inventory. */
export type SidePrices = { readonly rates: Float64Array; readonly incomes: Float64Array }

/**
 * Fills a day below which the rate counts as zero: one in more than a million years. Otherwise a side whose takers are a rounding
 * error would be on or off by the path of the programme.
 */
const LEAST_RATE = 1e-9

/**
 * What each allowed spread brings: retail share * A exp(-k x) (x - adverse) less informed loss, x = spread + shift.
 * Informed takers compare with the fair value and not with the rivals, so they come to us whatever the others quote.
 * Source: quant.md sections 1.5 and 1.6; market.md section 4.5.
 */
export function sidePrices(flow: SideFlow): SidePrices {
  const { takersPerDay, k, kShape, shiftBps, adverseBps, informed, rivalBps, toleranceBps } = flow
  const rates = new Float64Array(PRICES)
  const incomes = new Float64Array(PRICES)
  for (let i = 0; i < PRICES; i++) {
    const bps = MIN_SPREAD_BPS + i
    const distance = bps + shiftBps
    const retail = takersPerDay * acceptance(distance, k, kShape) * shareAmong(bps, rivalBps, toleranceBps)
    rates[i] = retail
    incomes[i] = retail * (distance - adverseBps)
    if (informed.perDay > 0) {
      const { loss, hitProbability } = pickOffLoss({ ghat: 0, tau: informed.tauBps, b: distance })
      rates[i] = retail + informed.perDay * hitProbability
      incomes[i] = incomes[i]! - informed.perDay * loss
    }
    if (rates[i]! < LEAST_RATE) rates[i] = incomes[i] = 0
  }
  return { rates, incomes }
}

/**
 * The mean of exp(-k x) over what is known of k: (1 + k x / shape)^-shape. Doubt about k makes wide spreads worth more,
 * so that it widens. Nearer than the fair value, where that mean has a pole, the mean k stands for all.
 * Source: market.md section 4.7.
 */
function acceptance(distance: number, k: number, shape: number | null): number {
  if (shape === null || distance <= 0) return Math.exp(-k * distance)
  return Math.exp(-shape * Math.log1p((k * distance) / shape))
}

/** No spread of this side: it is off. */
export const OFF = -1

/** Values that differ by less are equal but for rounding. */
const ROUNDING = 1e-12

/**
 * The place of the best spread where one fill changes the value of the inventory by `step`, or OFF where no allowed
 * spread pays. A spread at which no one comes pays nothing. Of equals the one `before`, or else the lowest: two that
 * differ by rounding alone do not replace one another round after round.
 */
export function bestPrice({ rates, incomes }: SidePrices, step: number, before: number): number {
  let best = OFF
  let most = 0
  for (let i = 0; i < PRICES; i++) {
    const rate = rates[i]!
    const value = incomes[i]! + rate * step
    if (rate > 0 && (value > most || (best === OFF && value === 0))) {
      best = i
      most = value
    }
  }
  const value = (place: number) => (place === OFF ? 0 : incomes[place]! + rates[place]! * step)
  const size = (place: number) =>
    place === OFF ? 0 : Math.abs(incomes[place]!) + rates[place]! * Math.abs(step)
  return value(before) >= value(best) - ROUNDING * (size(before) + size(best)) ? before : best
}

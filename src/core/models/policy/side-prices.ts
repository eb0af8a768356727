import { shareAmong } from '../../market/routing.ts'
import { MAX_SPREAD_BPS, MIN_SPREAD_BPS } from '../../../base/money/bps.ts'
import { pickOffLoss } from '../flow/pick-off.ts'

/** Number of spreads that the venue accepts: 10, 11 ... 500 bps. */
export const PRICES = MAX_SPREAD_BPS - MIN_SPREAD_BPS + 1

/** The takers of one side of our quote. */
export type SideFlow = {
  /** A: takers per day at the fair value, one lot each. */
  readonly takersPerDay: number
  /** Per bps: takers fall by exp(-k x) at a distance of x from the fair value. */
  readonly k: number
  /** The posterior of k: Gamma with this shape and mean k; null = k is certain. */
  readonly kShape: number | null
  /** From our spread to its distance from the fair value: + where the fair value is on the far side of the mid. */
  readonly shiftBps: number
  /** Movement of the fair value against us with each of these fills. */
  readonly adverseBps: number
  /** Takers who know the fair value better than we do: visits a day and side, and the error of our own estimate. */
  readonly informed: { readonly perDay: number; readonly tauBps: number }
  /** Spreads of the others on this side. */
  readonly rivalBps: readonly number[]
  /** The router picks round-robin within this distance of the lowest spread. */
  readonly toleranceBps: number
}

/** For each allowed spread, the lowest first: fills per day and their income in bps * lot per day before inventory effects. */
export type SidePrices = { readonly rates: Float64Array; readonly incomes: Float64Array }

/**
 * Fills per day below which the rate counts as zero: one in more than a million years. Otherwise the path of the programme would
 * decide whether a side with a negligible taker rate is on or off.
 */
const LEAST_RATE = 1e-9

/**
 * Returns the income of each allowed spread: retail share * A exp(-k x) (x - adverse) less informed loss, x = spread + shift.
 * Informed takers compare with the fair value rather than with rivals, so they come regardless of other quotes. Source: quant.md
 * sections 1.5 and 1.6; market.md section 4.5.
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
 * Returns the mean of exp(-k x) over the posterior of k: (1 + k x / shape)^-shape. Uncertainty about k raises the value of wide
 * spreads, so the quote widens. At or below the fair value, where that mean has a pole, the mean k is used. Source: market.md
 * section 4.7.
 */
function acceptance(distance: number, k: number, shape: number | null): number {
  if (shape === null || distance <= 0) return Math.exp(-k * distance)
  return Math.exp(-shape * Math.log1p((k * distance) / shape))
}

/** Marks a side that is off: no spread. */
export const OFF = -1

/** Values that differ by less are considered equal. */
const ROUNDING = 1e-12

/**
 * Returns the index of the best spread if one fill changes the inventory's value by `step`, or OFF if no allowed spread pays. A
 * spread without takers pays nothing. On ties `before` wins, else the lowest spread, so two spreads that differ only by rounding
 * do not alternate from round to round.
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

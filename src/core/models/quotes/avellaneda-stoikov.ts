import { moments } from '../sample-statistics.ts'
import { seededRandom } from '../../../base/random.ts'

/** Inputs of the quotes of Avellaneda and Stoikov. Prices are in units of the mid, time in units of `horizon`. */
type HorizonMarket = {
  /** sigma: of the mid, per square root of a unit of time. */
  readonly sigma: number
  /** gamma: risk aversion, per unit of money. */
  readonly riskAversion: number
  /** k: decay of the fills, per unit of distance from the mid. */
  readonly k: number
}

/** Both quotes as distances: from the mid to the reservation price, and the total spread around it. */
type HorizonQuotes = { readonly reservationOffset: number; readonly spread: number }

/**
 * The optimal quotes of a maker who closes at a horizon that is `remaining` away: the reservation price
 * r = S - q gamma sigma^2 (T - t), and the total spread gamma sigma^2 (T - t) + (2/gamma) ln(1 + gamma/k) around it.
 * Source: Avellaneda, Stoikov 2008, equations 29 and 30 with 12.
 */
export function avellanedaStoikovQuotes(
  { sigma, riskAversion, k }: HorizonMarket,
  lots: number,
  remaining: number,
): HorizonQuotes {
  const risk = riskAversion * sigma * sigma * remaining
  return { reservationOffset: -lots * risk, spread: risk + (2 / riskAversion) * Math.log1p(riskAversion / k) }
}

/** Options for the simulation of many paths. */
type PathsOptions = HorizonMarket & {
  /** The mid at the start. */
  readonly start: number
  readonly horizon: number
  /** Length of a step; the horizon is a whole number of them, rounded. */
  readonly step: number
  /** A: fills per side and unit of time at no distance. */
  readonly a: number
  readonly paths: number
  readonly seed: number
}

/** Results of one strategy over the paths; profit is cash plus inventory at the last mid. */
type PathsResult = {
  readonly averageSpread: number
  readonly profit: number
  readonly profitSe: number
  readonly profitStd: number
  readonly finalQ: number
  readonly finalQStd: number
}

/** Returns the number of steps of a path. */
export function stepsOf({ horizon, step }: Pick<PathsOptions, 'horizon' | 'step'>): number {
  return Math.max(1, Math.round(horizon / step))
}

/**
 * The experiment of the paper's section 3.3: the inventory strategy, and the symmetric one that quotes its average
 * spread around the mid. In each step a side is filled with probability lambda(delta) dt, at most 1 (not
 * 1 - exp(-lambda dt), which earns 4 to 12 % less), then the mid moves by +- sigma sqrt(dt). Both strategies get the same
 * random numbers. Source: Avellaneda, Stoikov 2008; golden in quant.md section 2.1.
 */
export function avellanedaStoikovPaths(options: PathsOptions): {
  readonly inventory: PathsResult
  readonly symmetric: PathsResult
} {
  const steps = stepsOf(options)
  let sum = 0
  const risks = new Float64Array(steps)
  const halves = new Float64Array(steps)
  for (let i = 0; i < steps; i++) {
    const { spread, reservationOffset } = avellanedaStoikovQuotes(
      options,
      1,
      options.horizon - i * options.step,
    )
    sum += spread
    risks[i] = -reservationOffset
    halves[i] = spread / 2
  }
  const averageSpread = sum / steps
  const inventory = simulate(options, averageSpread, risks, halves)
  const symmetric = simulate(options, averageSpread, risks.fill(0), halves.fill(averageSpread / 2))
  return { inventory, symmetric }
}

/** Quotes `halves` around the mid less `risks` times the inventory, step by step. */
function simulate(
  { start, step, sigma, k, a, paths, seed }: PathsOptions,
  averageSpread: number,
  risks: Float64Array,
  halves: Float64Array,
): PathsResult {
  const random = seededRandom(seed, 'avellaneda-stoikov')
  const move = sigma * Math.sqrt(step)
  const expected = a * step
  const profits = new Float64Array(paths)
  const finals = new Float64Array(paths)
  for (let path = 0; path < paths; path++) {
    let mid = start
    let cash = 0
    let lots = 0
    for (let i = 0; i < risks.length; i++) {
      const half = halves[i] ?? 0
      const skew = lots * (risks[i] ?? 0)
      const asked = half - skew
      const bid = half + skew
      // A probability above 1 acts as 1, because every draw is below 1.
      const isSold = random() < expected * Math.exp(-k * asked)
      const isBought = random() < expected * Math.exp(-k * bid)
      if (isSold) {
        cash += mid + asked
        lots--
      }
      if (isBought) {
        cash -= mid - bid
        lots++
      }
      mid += random() < 0.5 ? move : -move
    }
    profits[path] = cash + lots * mid
    finals[path] = lots
  }
  const profit = moments(profits)
  const final = moments(finals)
  return {
    averageSpread,
    profit: profit.mean,
    profitSe: profit.sd / Math.sqrt(paths),
    profitStd: profit.sd,
    finalQ: final.mean,
    finalQStd: final.sd,
  }
}

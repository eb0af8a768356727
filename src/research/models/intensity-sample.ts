/** How long a spread was live on one side. */
export type Exposure = {
  readonly days: number
  /** Our share of the takers meanwhile: 0 = none could reach us, 1 = we were alone, 1/m = shared among m. */
  readonly weight: number
  /** Half-spread from the mid. */
  readonly bps: number
}

/** Number of fills at a spread. */
export type FillCount = { readonly bps: number; readonly count: number }

/** The sufficient statistics of an exponential intensity, one entry per distinct spread, ascending. */
export type IntensitySample = {
  readonly bps: Float64Array
  /** Days times weight; only spreads with exposure are listed. */
  readonly days: Float64Array
  readonly counts: Float64Array
  readonly fills: number
  /** Excluded fills at spreads without exposure, which have no likelihood. */
  readonly unexposedFills: number
  /** Sum of days. */
  readonly exposureDays: number
  /** Mean spread of the fills; 0 without fills. */
  readonly meanFillBps: number
}

/** Sums exposures and fills by spread. */
export function intensitySample(exposures: Iterable<Exposure>, fills: Iterable<FillCount>): IntensitySample {
  const daysAt = new Map<number, number>()
  for (const { days, weight, bps } of exposures) {
    if (days * weight > 0) daysAt.set(bps, (daysAt.get(bps) ?? 0) + days * weight)
  }
  const bps = Float64Array.from(daysAt.keys()).sort()
  const countAt = new Map<number, number>()
  for (const fill of fills) countAt.set(fill.bps, (countAt.get(fill.bps) ?? 0) + fill.count)
  const days = bps.map((at) => daysAt.get(at) ?? 0)
  const counts = bps.map((at) => countAt.get(at) ?? 0)
  const total = sum(counts)
  return {
    bps,
    days,
    counts,
    fills: total,
    unexposedFills: sum(Float64Array.from(countAt.values())) - total,
    exposureDays: sum(days),
    meanFillBps: total === 0 ? 0 : sum(counts.map((count, i) => count * (bps[i] ?? 0))) / total,
  }
}

function sum(values: Float64Array): number {
  return values.reduce((total, value) => total + value, 0)
}

/** Exposure tilted by exp(-k delta): the expected fills of an intensity that decays with k. */
type TiltedExposure = {
  /** ln of sum e_j exp(-k delta_j). */
  readonly logSum: number
  /** Mean and standard deviation of the spread under these weights. */
  readonly meanBps: number
  readonly sdBps: number
}

/**
 * Returns the sums of quant.md section 3 in one pass, safe for any k because it uses only differences of exponents. The
 * sample has at least one entry.
 */
export function tiltedExposure({ bps, days }: IntensitySample, k: number): TiltedExposure {
  let largest = -Infinity
  for (let i = 0; i < bps.length; i++) largest = Math.max(largest, Math.log(days[i]!) - k * bps[i]!)
  const origin = bps[0] ?? 0
  let sum = 0
  let first = 0
  let second = 0
  for (let i = 0; i < bps.length; i++) {
    const weight = Math.exp(Math.log(days[i]!) - k * bps[i]! - largest)
    const away = bps[i]! - origin
    sum += weight
    first += weight * away
    second += weight * away * away
  }
  const mean = first / sum
  return {
    logSum: largest + Math.log(sum),
    meanBps: origin + mean,
    sdBps: Math.sqrt(Math.max(0, second / sum - mean * mean)),
  }
}

import type { Estimate } from '../../../core/models/calibration.ts'

/** A published mid that follows the true rate: level += kappa (mean of the previous day - level), plus noise. */
export type PublishedRate = {
  /** Volatility of the true rate, bps per square root of a working day. */
  readonly sigma: number
  /** The share of the distance that an update closes, > 0, <= 1. */
  readonly kappa: number
  /** Standard deviation of the noise that rounding and composition add to each update, bps. */
  readonly noise: number
}

/**
 * Returns standard deviation and autocorrelation of the steps between updates, without drift. With a = 1 - kappa: V =
 * kappa^2 sigma^2 (2/3 + a/3) / (1 - a^2), C = a V + kappa^2 sigma^2 / 6; sd = sqrt(V + 2 noise^2), autocorrelation =
 * (C - noise^2) / (V + 2 noise^2). Source: market.md section 4.6.
 */
export function publishedStepMoments({ sigma, kappa, noise }: PublishedRate): {
  readonly sd: number
  readonly autocorrelation: number
} {
  const a = 1 - kappa
  const move = (kappa * sigma) ** 2
  const level = (move * (2 / 3 + a / 3)) / (1 - a * a)
  const variance = level + 2 * noise * noise
  if (variance === 0) return { sd: 0, autocorrelation: 0 }
  return { sd: Math.sqrt(variance), autocorrelation: (a * level + move / 6 - noise * noise) / variance }
}

/** sigma, kappa and noise of a published rate with 90 % intervals. */
type PublishedFit = {
  readonly sigma: Estimate
  readonly kappa: Estimate
  readonly noise: Estimate
}

const FEWEST_STEPS = 20
/** Search region: kappa, and noise as a multiple of sigma. */
const WHOLE: Region = { kappa: [0.02, 1], ratio: [0, 3] }
/** Sums of squares below this are rounding errors. */
const NO_SCATTER = 1e-20
const GRID = 80
const ROUNDS = 3
/** Half of the 90 % quantile of chi2 with one degree of freedom. */
const LIKELIHOOD_DROP = 1.352772

/**
 * Estimates sigma, kappa and noise from the steps of a published rate in bps, in order of publication, by the largest
 * Whittle likelihood: on a grid of kappa and noise/sigma with sigma in closed form, then on finer grids over the likely
 * region. A constant drift does not matter. The 90 % intervals come from the profile likelihood. Null for fewer than 20
 * steps or steps without scatter. Source: Whittle 1953; the spectrum follows from market.md section 4.6.
 */
export function fitPublishedRate(steps: readonly number[]): PublishedFit | null {
  if (steps.length < FEWEST_STEPS) return null
  const spectrum = periodogram(steps)
  const scatter = spectrum.reduce((sum, { power }) => sum + power, 0)
  if (!(scatter > NO_SCATTER * steps.reduce((sum, step) => sum + step * step, 0))) return null
  let region = WHOLE
  let likely: readonly Candidate[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const points = gridOver(region).map(([kappa, ratio]) => candidate(spectrum, kappa, ratio))
    const limit = Math.min(...points.map(({ loss }) => loss)) + LIKELIHOOD_DROP
    likely = points.filter(({ loss }) => loss <= limit)
    region = around(likely, region)
  }
  const best = likely.reduce((one, other) => (other.loss < one.loss ? other : one))
  // At this kappa and noise/sigma, sigma may vary within the remaining likelihood.
  const reaches = likely.map((point) => {
    const left = (best.loss + LIKELIHOOD_DROP - point.loss) / spectrum.length
    return { point, low: scaleAt(left, -1), high: scaleAt(left, 1) }
  })
  const estimate = (figure: (point: PublishedRate) => number, doesScale: boolean): Estimate => ({
    value: figure(best),
    low: Math.min(...reaches.map(({ point, low }) => figure(point) * (doesScale ? low : 1))),
    high: Math.max(...reaches.map(({ point, high }) => figure(point) * (doesScale ? high : 1))),
  })
  return {
    sigma: estimate(({ sigma }) => sigma, true),
    kappa: estimate(({ kappa }) => kappa, false),
    noise: estimate(({ noise }) => noise, true),
  }
}

type Region = { readonly kappa: readonly [number, number]; readonly ratio: readonly [number, number] }

function gridOver({ kappa, ratio }: Region): readonly (readonly [number, number])[] {
  const places = Array.from({ length: GRID }, (_, i) => i / (GRID - 1))
  const on = ([low, high]: readonly [number, number], place: number) => low + place * (high - low)
  return places.flatMap((x) => places.map((y) => [on(kappa, x), on(ratio, y)] as const))
}

/** Returns the smallest region around these points, one cell of the previous grid wider on each side. */
function around(points: readonly Candidate[], former: Region): Region {
  const range = (key: 'kappa' | 'ratio'): readonly [number, number] => {
    const [low, high] = former[key]
    const cell = (high - low) / (GRID - 1)
    const values = points.map((point) => point[key])
    return [
      Math.max(WHOLE[key][0], Math.min(...values) - cell),
      Math.min(WHOLE[key][1], Math.max(...values) + cell),
    ]
  }
  return { kappa: range('kappa'), ratio: range('ratio') }
}

/** The factor on sigma below (-1) or above (1) its best value that costs `drop` per ordinate: y + exp(-y) - 1 = drop. */
function scaleAt(drop: number, direction: -1 | 1): number {
  if (drop === 0) return 1
  let logVariance = direction * Math.sqrt(2 * drop)
  for (let step = 0; step < 20; step++)
    logVariance -= (logVariance + Math.expm1(-logVariance) - drop) / -Math.expm1(-logVariance)
  return Math.exp(logVariance / 2)
}

type Ordinate = { readonly cosine: number; readonly power: number }

/** |sum s exp(-i w t)|^2 / n at w = 2 pi j / n, j >= 1, which excludes the mean. */
function periodogram(steps: readonly number[]): readonly Ordinate[] {
  const n = steps.length
  return Array.from({ length: Math.floor((n - 1) / 2) }, (_, j) => {
    const angle = (2 * Math.PI * (j + 1)) / n
    let re = 0
    let im = 0
    for (const [t, step] of steps.entries()) {
      re += step * Math.cos(angle * t)
      im += step * Math.sin(angle * t)
    }
    return { cosine: Math.cos(angle), power: (re * re + im * im) / n }
  })
}

type Candidate = PublishedRate & { readonly ratio: number; readonly loss: number }

/** Returns minus the log-likelihood with the best sigma, for which the mean of power over spectrum is 1. */
function candidate(spectrum: readonly Ordinate[], kappa: number, ratio: number): Candidate {
  const a = 1 - kappa
  let logs = 0
  let sum = 0
  for (const { cosine, power } of spectrum) {
    const level = (kappa * kappa * (2 + cosine)) / 3 / (1 - 2 * a * cosine + a * a)
    const shape = level + 2 * ratio * ratio * (1 - cosine)
    logs += Math.log(shape)
    sum += power / shape
  }
  const variance = sum / spectrum.length
  const sigma = Math.sqrt(variance)
  return { sigma, kappa, noise: ratio * sigma, ratio, loss: logs + spectrum.length * Math.log(variance) }
}

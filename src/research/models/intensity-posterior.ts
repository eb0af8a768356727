import { type Estimate, type Intensity, takerLaw } from '../../core/models/calibration.ts'
import { gammaCdf } from '../../core/models/distributions.ts'
import { type IntensitySample, tiltedExposure } from './intensity-sample.ts'
import { drawExponential, drawNormal, type Random } from '../../base/random.ts'
import { Z90 } from './fit-intensity.ts'
import type { FactorModel } from './fit-factors.ts'

/** Prior of the intensity: A ~ Gamma(fills, days), ln k ~ Normal(ln medianK, logSdOfK). */
type IntensityPrior = {
  readonly fills: number
  readonly days: number
  readonly medianK: number
  readonly logSdOfK: number
}

/** 40 fills a day at zero spread, worth one fill; 1/k = 60 bps within a factor of two. Source: quant.md section 3. */
export const INTENSITY_PRIOR: IntensityPrior = { fills: 1, days: 1 / 40, medianK: 1 / 60, logSdOfK: 0.7 }

/** Posterior means with 90 % bands, and their grid. */
type IntensityPosterior = {
  readonly a: Estimate
  readonly k: Estimate
  readonly grid: PosteriorGrid
}

/** Given k = ks[i], which has probability chances[i], A ~ Gamma(shape, rates[i]). */
type PosteriorGrid = {
  readonly ks: Float64Array
  readonly chances: Float64Array
  readonly shape: number
  readonly rates: Float64Array
}

const POINTS = 200
/** Each takes some Newton steps over the whole tape. */
const FACTOR_POINTS = 41
const REACH_IN_SDS = 4
const TAIL = 0.05
/** Grid points with less probability cannot visibly move a 5 % quantile. */
const NEGLIGIBLE = 1e-7

/**
 * Returns A and k from few or no fills: the prior supplies what the data lacks. p(k | D) is proportional to p(k) exp(-k
 * sum delta_i) / (b0 + sum e exp(-k delta))^(a0 + N) on 200 points even in ln k, and A | k is Gamma(a0 + N, b0 + sum e
 * exp(-k delta)). Overdispersed counts weigh less, by the square of `overdispersion`. Source: quant.md section 3.
 */
export function intensityPosterior(
  sample: IntensitySample,
  overdispersion = 1,
  prior: IntensityPrior = INTENSITY_PRIOR,
): IntensityPosterior {
  const { bps, fills, meanFillBps } = sample
  const likelihoodAt = (k: number): LikelihoodAt => ({
    exposure: bps.length === 0 ? 0 : Math.exp(tiltedExposure(sample, k).logSum),
    ofSpreads: -k * fills * meanFillBps,
  })
  return posteriorOf(gridOf(likelihoodAt, POINTS, fills, 1 / overdispersion ** 2, prior))
}

/** The same with the likelihood of `model` instead of one pooled sample: its factors are those that fit best at each k. */
export function factorPosterior(model: FactorModel, fills: number, overdispersion = 1): IntensityPosterior {
  const likelihoodAt = (k: number): LikelihoodAt => {
    const { logA, logLikelihood } = model.profile(k)
    const logExposure = Math.log(fills) - logA
    return { exposure: Math.exp(logExposure), ofSpreads: logLikelihood + fills * logExposure }
  }
  return posteriorOf(gridOf(likelihoodAt, FACTOR_POINTS, fills, 1 / overdispersion ** 2, INTENSITY_PRIOR))
}

function posteriorOf(grid: PosteriorGrid): IntensityPosterior {
  const { ks, chances, shape, rates } = grid
  const meanOf = (values: Float64Array) => values.reduce((sum, value, i) => sum + value * chances[i]!, 0)
  const kQuantile = (probability: number) => quantileOfK(grid, probability)
  const aQuantile = (probability: number) => quantileOfA(grid, probability)
  return {
    a: { value: meanOf(rates.map((rate) => shape / rate)), low: aQuantile(TAIL), high: aQuantile(1 - TAIL) },
    k: { value: meanOf(ks), low: kQuantile(TAIL), high: kQuantile(1 - TAIL) },
    grid,
  }
}

/** The likelihood of A at a k: A^fills exp(-A exposure), times exp(ofSpreads). */
type LikelihoodAt = { readonly exposure: number; readonly ofSpreads: number }

function gridOf(
  likelihoodAt: (k: number) => LikelihoodAt,
  points: number,
  fills: number,
  worth: number,
  prior: IntensityPrior,
): PosteriorGrid {
  const shape = prior.fills + worth * fills
  const ks = new Float64Array(points)
  const rates = new Float64Array(points)
  const logs = new Float64Array(points)
  for (let i = 0; i < points; i++) {
    const inSds = REACH_IN_SDS * ((2 * i) / (points - 1) - 1)
    const k = prior.medianK * Math.exp(inSds * prior.logSdOfK)
    const { exposure, ofSpreads } = likelihoodAt(k)
    ks[i] = k
    rates[i] = prior.days + worth * exposure
    // The grid is even in ln k, where the prior of k is normal.
    logs[i] = -0.5 * inSds * inSds + worth * ofSpreads - shape * Math.log(rates[i]!)
  }
  const largest = Math.max(...logs)
  const weights = logs.map((log) => Math.exp(log - largest))
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  return { ks, chances: weights.map((weight) => weight / total), shape, rates }
}

/** Spreads each point's probability evenly over the half steps to its neighbours, in ln k. */
function quantileOfK({ ks, chances }: PosteriorGrid, probability: number): number {
  const step = Math.log(ks[1]! / ks[0]!)
  let below = 0
  let i = 0
  while (i < ks.length - 1 && below + chances[i]! < probability) below += chances[i++]!
  return ks[i]! * Math.exp(step * ((probability - below) / chances[i]! - 0.5))
}

function quantileOfA({ chances, shape, rates }: PosteriorGrid, probability: number): number {
  const kept = Array.from(chances.keys()).filter((i) => chances[i]! > NEGLIGIBLE)
  const below = (a: number) => kept.reduce((sum, i) => sum + chances[i]! * gammaCdf(shape, a * rates[i]!), 0)
  const scale = kept.map((i) => shape / rates[i]!)
  let low = 0
  let high = Math.max(...scale)
  while (below(high) < probability) high *= 2
  while (high - low > 1e-6 * high) {
    const middle = low > 0 && high > 4 * low ? Math.sqrt(low * high) : (low + high) / 2
    if (below(middle) < probability) low = middle
    else high = middle
  }
  return (low + high) / 2
}

/**
 * Draws A and k from their posterior, for replicates of a backtest. Their errors are correlated: at the spread of the fills,
 * the rate is known to one part in sqrt(fills) with an error independent of k; A is that rate extrapolated to zero spread by
 * the drawn k. That pivot spread follows from Var ln A = Var ln rate + pivot^2 Var k; where k is only the prior, it is the
 * quoted spread, and the rate is the measured one. A calibration file holds all inputs. A parameter whose interval starts at 0
 * or has no width is used unchanged. Source: quant.md section 3.
 */
export function drawIntensity(
  intensity: Intensity,
  random: Random,
): { readonly a: number; readonly k: number } {
  const { a, k, fills, overdispersion, quotedRate } = intensity
  const sdOfLogA = logSd(a)
  const sdOfLogK = logSd(k)
  // Without fills A and k come from the prior and are independent; otherwise one fill is the prior's weight.
  const sdOfRate = fills === 0 ? sdOfLogA : Math.min(sdOfLogA, overdispersion / Math.sqrt(fills + 1))
  const sdOfShift = Math.sqrt(sdOfLogA ** 2 - sdOfRate ** 2)
  const [forK, forRate] = [drawNormal(random), drawNormal(random)]
  // Log-normal with a median that makes the mean the estimate.
  const drawnK = k.value * Math.exp(sdOfLogK * (forK - sdOfLogK / 2))
  if (quotedRate !== undefined) {
    const scatter =
      fills === 0
        ? drawExponential(random)
        : Math.exp((overdispersion / Math.sqrt(fills)) * drawNormal(random))
    return { a: scatter * takerLaw(intensity, drawnK).a, k: drawnK }
  }
  const medianOfA = a.low > 0 ? Math.sqrt(a.low * a.high) : a.value
  return { a: medianOfA * Math.exp(sdOfRate * forRate + sdOfShift * forK), k: drawnK }
}

function logSd({ low, high }: Estimate): number {
  return low > 0 && high > low ? Math.log(high / low) / (2 * Z90) : 0
}

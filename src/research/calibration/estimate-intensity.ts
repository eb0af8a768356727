import { DAY_MS, HOUR_MS } from '../../base/time.ts'
import type { Estimate, Intensity, QuotedRate } from '../../core/models/calibration.ts'
import { poissonInterval } from '../../core/models/distributions.ts'
import { changePoint } from '../models/change-point.ts'
import {
  createFactorModel,
  type FactorChoices,
  type FactorFit,
  type FactorModel,
  type IntensityCell,
} from '../models/fit-factors.ts'
import { fitIntensity, overdispersion, Z90 } from '../models/fit-intensity.ts'
import { factorPosterior, intensityPosterior } from '../models/intensity-posterior.ts'
import { intensitySample, type IntensitySample, tiltedExposure } from '../models/intensity-sample.ts'
import { type Side, SIDES } from '../../base/money/side.ts'
import { sampleOfCells } from './exposure-ledger.ts'

/** An intensity and the sample to which it was fitted. */
export type IntensityEstimate = {
  readonly intensity: Intensity
  readonly sample: IntensitySample
  /** Standard deviation of the spreads at which fills are expected, within an hour of the week and a side; 0 = it did not move. */
  readonly sdBps: number
  /** The day on which other takers came; null = none. */
  readonly changedOn: number | null
}

/** With fewer fills the prior contributes (quant.md section 3). */
export const FEWEST_ESTIMATED_FILLS = 30
/** A larger standard error of k, as a share of k, means that k is unknown: its symmetric interval would reach 0. */
const WORST_ERROR_OF_K = 0.5

/** The exposure and the fills of a tape, and how they are read. */
export type ObservedTakers = FactorChoices & {
  readonly cells: Readonly<Record<Side, readonly IntensityCell[]>>
}

/** A and k of both sides together and of each one. */
export type TakerEstimates = Readonly<Record<Side | 'both', IntensityEstimate>> & {
  /** The first day of the takers' present regime, from which on the estimates are; null = the whole tape is one. */
  readonly sinceDay: number | null
}

/** Returns A and k of the takers' last regime: by likelihood if the data suffices, else by the posterior. */
export function estimateTakers({ cells, ...choices }: ObservedTakers): TakerEstimates {
  let sinceDay: number | null = null
  const of = (side: Side) => cells[side].filter((cell) => sinceDay === null || dayOf(cell) >= sinceDay)
  let both = estimateIntensity(SIDES.flatMap(of), choices, 'all')
  while (both.changedOn !== null) {
    sinceDay = both.changedOn
    both = estimateIntensity(SIDES.flatMap(of), choices, 'all')
  }
  const alone = (side: Side) => estimateIntensity(of(side), choices, 'side')
  return { both, bid: alone('bid'), ask: alone('ask'), sinceDay }
}

const dayOf = ({ hour }: IntensityCell) => Math.floor((hour * HOUR_MS) / DAY_MS)

/** Returns A and k of some of the takers over the whole exposure. */
export function estimateSome(cells: readonly IntensityCell[], choices: FactorChoices): IntensityEstimate {
  return estimateIntensity(cells, choices, 'some')
}

function estimateIntensity(
  cells: readonly IntensityCell[],
  choices: FactorChoices,
  takers: 'all' | 'side' | 'some',
): IntensityEstimate {
  const sample = sampleOfCells(cells)
  if (sample.fills < FEWEST_ESTIMATED_FILLS || sample.bps.length < 2) return fromPooled(cells, sample)
  const model = createFactorModel(cells, choices)
  const fit = model.fit()
  const changedOn = fit === null || takers !== 'all' ? null : changePoint(fit)
  if (fit === null) return fromPosterior(model, sample, pooledScatter(cells, sample), 0)
  const scatter = overdispersion(fit.days)
  const sdBps = 1 / Math.sqrt(sample.fills * fit.varianceOfK)
  const { a, k, seOfK } = intervalsOf(fit, scatter)
  const found =
    seOfK <= WORST_ERROR_OF_K * k.value
      ? { intensity: intensityOf({ a, k }, sample, 'likelihood', scatter), sample, sdBps }
      : takers === 'side'
        ? fromPooled(cells, sample)
        : fromPosterior(model, sample, scatter, sdBps)
  return { ...found, changedOn }
}

/** Days err together, so each interval is as wide as the scatter of their counts or their own errors make it, whichever is more. */
function intervalsOf({ k, logA, varianceOfK, varianceOfLogA, days }: FactorFit, scatter: number) {
  const reachOf = (variance: number, errors: readonly number[]) => {
    const squares = errors.reduce((sum, error) => sum + error * error, 0)
    return (
      Z90 *
      Math.sqrt(Math.max(scatter ** 2 * variance, (squares * days.length) / Math.max(1, days.length - 1)))
    )
  }
  const ofK = reachOf(
    varianceOfK,
    days.map((day) => day.ofK),
  )
  const ofLogA = reachOf(
    varianceOfLogA,
    days.map((day) => day.ofLogA),
  )
  return {
    a: { value: Math.exp(logA), low: Math.exp(logA - ofLogA), high: Math.exp(logA + ofLogA) },
    k: { value: k, low: k - ofK, high: k + ofK },
    seOfK: ofK / Z90,
  }
}

function fromPosterior(
  model: FactorModel,
  sample: IntensitySample,
  scatter: number,
  sdBps: number,
): IntensityEstimate {
  const found = factorPosterior(model, sample.fills, scatter)
  return { intensity: intensityOf(found, sample, 'posterior', scatter), sample, sdBps, changedOn: null }
}

/** With few fills, or at one spread, hours and sides cannot be told apart. */
function fromPooled(cells: readonly IntensityCell[], sample: IntensitySample): IntensityEstimate {
  const scatter = pooledScatter(cells, sample)
  const { a, k } = intensityPosterior(sample, scatter)
  // Fills at one spread contain no information about k: the posterior's comes from the prior of A, a guess about another market.
  const found = { a, k: sample.bps.length > 1 ? k : PRIOR.k }
  return {
    intensity: intensityOf(found, sample, sample.fills === 0 ? 'default' : 'posterior', scatter),
    sample,
    sdBps: sample.fills === 0 ? 0 : tiltedExposure(sample, found.k.value).sdBps,
    changedOn: null,
  }
}

function pooledScatter(cells: readonly IntensityCell[], sample: IntensitySample): number {
  if (sample.fills === 0) return 1
  const { a, k } = fitIntensity(sample) ?? intensityPosterior(sample)
  const byDay = new Map<number, { count: number; expected: number }>()
  for (const cell of cells) {
    const counted = byDay.get(dayOf(cell)) ?? { count: 0, expected: 0 }
    counted.expected += cell.days * a.value * Math.exp(-k.value * cell.bps)
    counted.count += cell.fills
    byDay.set(dayOf(cell), counted)
  }
  return overdispersion(byDay.values())
}

function intensityOf(
  { a, k }: Pick<Intensity, 'a' | 'k'>,
  sample: IntensitySample,
  method: Intensity['method'],
  scatter: number,
): Intensity {
  const { fills, exposureDays } = sample
  const priorOnly = method === 'likelihood' ? [] : asWideAsPrior({ a, k })
  const isRateOnly = (priorOnly.includes('k') || fills === 0) && exposureDays > 0
  return {
    a,
    k,
    fills,
    exposureDays,
    method,
    overdispersion: scatter,
    priorOnly,
    ...(isRateOnly ? { quotedRate: quotedRate(sample) } : {}),
  }
}

/**
 * Returns the side to which no taker came while they came to the other one; null = none. Then the sides differ: each has its own
 * posterior, on this side a rate near zero, and the rate of both together is that of neither.
 */
export function untakenSide(bySide: Readonly<Record<Side, IntensityEstimate>>): Side | null {
  const untaken = SIDES.filter((side) => {
    const { fills, exposureDays } = bySide[side].intensity
    return fills === 0 && exposureDays > 0
  })
  const isOtherTaken = SIDES.some((side) => bySide[side].intensity.fills > 0)
  return isOtherTaken ? (untaken[0] ?? null) : null
}

const PRIOR = intensityPosterior(intensitySample([], []))
/** An interval of at least this share of the prior's, in logarithms, counts as equally wide. */
const AS_WIDE = 0.9

function asWideAsPrior(found: Pick<Intensity, 'a' | 'k'>): readonly ('a' | 'k')[] {
  const width = ({ low, high }: Estimate) => Math.log(high / low)
  return (['a', 'k'] as const).filter((key) => width(found[key]) >= AS_WIDE * width(PRIOR[key]))
}

/** Returns fills over exposure, which needs no model of the spread; for one spread the tape shows nothing more. */
export function quotedRate({ bps, days, fills, exposureDays }: IntensitySample): QuotedRate {
  const meanBps = bps.reduce((sum, each, i) => sum + (each * days[i]!) / exposureDays, 0)
  const { low, high } = poissonInterval(fills)
  const [value, from, to] = [fills, low, high].map((count) => count / exposureDays) as [
    number,
    number,
    number,
  ]
  return { bps: meanBps, perDay: { value, low: from, high: to } }
}

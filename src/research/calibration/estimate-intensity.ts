import type { Estimate, Intensity, QuotedRate } from '../../core/models/calibration.ts'
import { poissonInterval } from '../../core/models/distributions.ts'
import { type CountedDay, fitIntensity, type IntensityFit, overdispersion } from '../models/fit-intensity.ts'
import { intensityPosterior } from '../models/intensity-posterior.ts'
import { intensitySample, type IntensitySample, tiltedExposure } from '../models/intensity-sample.ts'
import { type Side, SIDES } from '../../base/money/side.ts'
import { sampleOfDays, type ExposedDay } from './exposure-ledger.ts'

/** An intensity and the sample to which it was fitted. */
export type IntensityEstimate = {
  readonly intensity: Intensity
  readonly sample: IntensitySample
  /** Standard deviation of the spreads at which fills are expected; 0 = at most one spread. */
  readonly sdBps: number
}

/** With fewer fills the prior contributes (quant.md section 3). */
export const FEWEST_ESTIMATED_FILLS = 30
/** A larger standard error of k, as a share of k, means that k is unknown: its symmetric interval would reach 0. */
const WORST_ERROR_OF_K = 0.5

/** Returns A and k of one side, or of both together: by likelihood if the data suffices, else by the posterior. */
export function estimateIntensity(days: readonly ExposedDay[]): IntensityEstimate {
  const sample = sampleOfDays(days)
  const { fills, exposureDays } = sample
  const first = fitIntensity(sample) ?? intensityPosterior(sample)
  const scatter = fills === 0 ? 1 : overdispersion(countedDays(days, first.a.value, first.k.value))
  const fit = fitIntensity(sample, scatter)
  const known = fit !== null && fills >= FEWEST_ESTIMATED_FILLS && isKnown(fit)
  const { a, k } = known ? fit : widened(intensityPosterior(sample, scatter), sample)
  const priorOnly = known ? [] : asWideAsPrior({ a, k })
  const method = fills === 0 ? 'default' : known ? 'likelihood' : 'posterior'
  return {
    intensity: {
      a,
      k,
      fills,
      exposureDays,
      method,
      overdispersion: scatter,
      priorOnly,
      ...((priorOnly.includes('k') || fills === 0) && exposureDays > 0
        ? { quotedRate: quotedRate(sample) }
        : {}),
    },
    sample,
    sdBps: fills === 0 ? 0 : tiltedExposure(sample, k.value).sdBps,
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

/**
 * Fills at one spread contain no information about k: the posterior's comes from the prior of A, a guess about another
 * market's size. Restores k's prior in that case.
 */
function widened({ a, k }: Pick<Intensity, 'a' | 'k'>, { bps }: IntensitySample): Pick<Intensity, 'a' | 'k'> {
  return { a, k: bps.length > 1 ? k : PRIOR.k }
}

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

function isKnown({ k, seOfK }: IntensityFit): boolean {
  return seOfK <= WORST_ERROR_OF_K * k.value
}

/** Both sides of a day are one count. */
function countedDays(days: readonly ExposedDay[], a: number, k: number): Iterable<CountedDay> {
  const byDay = new Map<number, { count: number; expected: number }>()
  for (const { day, exposures, fills } of days) {
    const counted = byDay.get(day) ?? { count: 0, expected: 0 }
    for (const exposure of exposures)
      counted.expected += exposure.days * exposure.weight * a * Math.exp(-k * exposure.bps)
    for (const { count } of fills) counted.count += count
    byDay.set(day, counted)
  }
  return byDay.values()
}

import type { Intensity } from '../models/calibration.ts'
import { type CountedDay, fitIntensity, type IntensityFit, overdispersion } from '../models/fit-intensity.ts'
import { intensityPosterior } from '../models/intensity-posterior.ts'
import { intensitySample, type IntensitySample, tiltedExposure } from '../models/intensity-sample.ts'
import { sampleOfDays, type ExposedDay } from './exposure-ledger.ts'

/** An intensity and what it was learned from. */
export type IntensityEstimate = {
  readonly intensity: Intensity
  readonly sample: IntensitySample
  /** Standard deviation of the spreads at which fills are expected; 0 = one spread, or none. */
  readonly sdBps: number
}

/** With fewer fills the prior speaks too (quant.md section 3). */
export const FEWEST_FILLS = 30
/** A standard error of k above this share of k is no knowledge: its symmetric interval would reach 0. */
const WORST_ERROR_OF_K = 0.5

/** A and k of one side, or of both taken as one: by likelihood where the data carries it, else by the posterior. */
export function estimateIntensity(days: readonly ExposedDay[]): IntensityEstimate {
  const sample = sampleOfDays(days)
  const { fills, exposureDays } = sample
  if (fills === 0) {
    const { a, k } = intensityPosterior(intensitySample([], []))
    return {
      intensity: { a, k, fills, exposureDays, method: 'default', overdispersion: 1 },
      sample,
      sdBps: 0,
    }
  }
  const first = fitIntensity(sample) ?? intensityPosterior(sample)
  const scatter = overdispersion(countedDays(days, first.a.value, first.k.value))
  const fit = fitIntensity(sample, scatter)
  const known = fit !== null && fills >= FEWEST_FILLS && isKnown(fit)
  const { a, k } = known ? fit : intensityPosterior(sample, scatter)
  return {
    intensity: {
      a,
      k,
      fills,
      exposureDays,
      method: known ? 'likelihood' : 'posterior',
      overdispersion: scatter,
    },
    sample,
    sdBps: tiltedExposure(sample, k.value).sdBps,
  }
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

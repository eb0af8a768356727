import { DAY_MS, type Ms } from '../../base/time.ts'
import { type Calibration, type Estimate, type Intensity, takerLaw } from '../../core/models/calibration.ts'
import { Z90 } from '../models/fit-intensity.ts'

/** In this time half of what earlier fills show is forgotten, as the fills of a year show little about the takers of today. */
const HALF_LIFE_MS: Ms = 56 * DAY_MS
/** The 1 % point of chi-square with one degree of freedom. */
const OTHER_TAKERS = 6.635

/**
 * Returns `found` with its k joined with that of an earlier calibration of other days, which counts half per eight weeks of age, and not
 * at all if other takers came since; a warning names either. The rate of takers at the spread of the fills stays that of `found`: it changes from week to week,
 * and few fills show it. Source: Ibrahim, Chen 2000, power priors, doi:10.1214/ss/1009212673.
 */
export function joinPrior(found: Calibration, prior: Calibration): Calibration {
  const warned = (text: string) => ({ ...found, warnings: [text, ...found.warnings] })
  const ignore = (why: string) => warned(`k does not contain the earlier calibration: ${why}`)
  if (found.since !== undefined) return ignore('other takers came since')
  if (prior.both.priorOnly?.includes('k') === true) return ignore('its fills did not determine k')
  const weight = 2 ** (-(found.to - prior.to) / HALF_LIFE_MS)
  const [now, before] = [found.both.k, prior.both.k]
  const squared = Math.log(now.value / before.value) ** 2 / (logSd(now) ** 2 + logSd(before) ** 2 / weight)
  // Intervals without a width give NaN.
  if (!(squared <= OTHER_TAKERS)) return ignore('k since then differs from it by more than chance')
  const of = (side: 'bid' | 'ask') => {
    const [own, earlier] = [found[side], prior[side]]
    return own === null || earlier === null || own.fills === 0 ? own : joined(own, earlier.k, weight)
  }
  const counted = Math.round(weight * prior.both.fills)
  return {
    ...warned(`k also contains an earlier calibration: its ${prior.both.fills} fills count as ${counted}`),
    from: Math.min(found.from, prior.from),
    both: joined(found.both, before, weight),
    bid: of('bid'),
    ask: of('ask'),
  }
}

/** The errors of k and of the rate at the spread of the fills are independent, as in `drawIntensity`. */
function joined({ quotedRate, ...now }: Intensity, before: Estimate, weight: number): Intensity {
  const { k, fills, overdispersion } = now
  const [ofNow, ofBefore] = [logSd(k) ** 2, logSd(before) ** 2 / weight]
  const logK = (Math.log(k.value) * ofBefore + Math.log(before.value) * ofNow) / (ofNow + ofBefore)
  const ofK = 1 / (1 / ofNow + 1 / ofBefore)
  const [ofA, ofFills] = [logSd(now.a) ** 2, overdispersion ** 2 / fills]
  const ofRate = quotedRate === undefined ? Math.min(ofA, ofFills) : ofFills
  // The spread at which the rate is known.
  const pivotBps = quotedRate?.bps ?? Math.sqrt((ofA - ofRate) / ofNow) / k.value
  const law = takerLaw(quotedRate === undefined ? now : { ...now, quotedRate }, k.value)
  const joinedK = estimateOf(logK, ofK)
  const logA = Math.log(law.a) + pivotBps * (joinedK.value - k.value)
  const a = estimateOf(logA, ofRate + (pivotBps * joinedK.value) ** 2 * ofK)
  return { ...now, a, k: joinedK, method: 'posterior', priorOnly: [] }
}

const logSd = ({ low, high }: Estimate) => Math.log(high / low) / (2 * Z90)

function estimateOf(log: number, variance: number): Estimate {
  const reach = Z90 * Math.sqrt(variance)
  return { value: Math.exp(log), low: Math.exp(log - reach), high: Math.exp(log + reach) }
}

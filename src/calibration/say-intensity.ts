import { Z90 } from '../models/fit-intensity.ts'
import { LOGISTIC_PREFERRED, logisticRatio } from '../models/logistic-ratio.ts'
import { tiltedExposure } from '../models/tilted-exposure.ts'
import { FEWEST_FILLS, type IntensityEstimate } from './estimate-intensity.ts'

const WANTED_ERROR = 0.2
const NOTEWORTHY_SCATTER = 1.1
/** A dither of d draws whole bps from -d to d: a standard deviation of sqrt(d (d + 1) / 3). */
const DITHERS_BPS = [35, 69]

/** What a reader of A and k must know, in sentences. */
export function sayIntensity(estimate: IntensityEstimate): readonly string[] {
  return [
    ...sayUnexposed(estimate),
    ...sayMethod(estimate),
    ...saySpreads(estimate),
    ...sayScatter(estimate),
    ...sayLogistic(estimate),
  ]
}

function sayUnexposed({ sample: { unexposedFills } }: IntensityEstimate): readonly string[] {
  if (unexposedFills === 0) return []
  return [`${fillsText(unexposedFills)} at spreads that stood for no time at all are left out of A and k.`]
}

function sayMethod({ intensity: { fills, method } }: IntensityEstimate): readonly string[] {
  if (method === 'default') {
    return [
      'No fills while takers could reach us: A and k are only what was believed beforehand. Quote a fixed spread.',
    ]
  }
  if (fills < FEWEST_FILLS) {
    return [
      `Only ${fillsText(fills)}: below ${FEWEST_FILLS} A and k are mostly what was believed beforehand. Quote a fixed spread until then.`,
    ]
  }
  return []
}

/** How well k is known, and what would make it better known. */
function saySpreads(estimate: IntensityEstimate): readonly string[] {
  const { intensity, sdBps } = estimate
  const { fills, k, overdispersion } = intensity
  if (fills === 0) return []
  const needs = (sd: number) =>
    Math.ceil((overdispersion / (WANTED_ERROR * k.value * sd)) ** 2).toLocaleString('en-US')
  const dithered = DITHERS_BPS.map(
    (dither) => `${needs(Math.sqrt((dither * (dither + 1)) / 3))} with quote.ditherBps: ${dither}`,
  ).join(' or ')
  if (sdBps === 0) {
    return [
      `Our spread never moved: the fills say nothing about k, which is only what was believed beforehand, and A rests on it. To know it to 20 % takes ${dithered}.`,
    ]
  }
  if (saysNoFall(estimate)) {
    return [
      'Takers were no fewer at wider spreads, which cannot be the whole truth: k is held above 0 by what was believed beforehand. Look for competitors that the tape does not show.',
    ]
  }
  const error = Math.log(k.high / k.low) / (2 * Z90)
  if (error <= WANTED_ERROR) return []
  const scatter = `the spreads at which fills come had a standard deviation of ${sdBps.toFixed(1)} bps`
  return [
    `k is known to ${Math.round(100 * error)} % only: ${scatter}. To know it to 20 % takes ${needs(sdBps)} fills like these, ${dithered}.`,
  ]
}

/** Many fills, and the likelihood alone would have more takers at wider spreads. */
function saysNoFall({ intensity, sample }: IntensityEstimate): boolean {
  if (intensity.method !== 'posterior' || intensity.fills < FEWEST_FILLS) return false
  const { meanFillBps } = sample
  return meanFillBps >= tiltedExposure(sample, 0).meanBps
}

function sayScatter({ intensity: { overdispersion } }: IntensityEstimate): readonly string[] {
  if (overdispersion < NOTEWORTHY_SCATTER) return []
  return [
    `Daily counts scatter ${overdispersion.toFixed(1)} times as much as by chance alone; the intervals are that much wider.`,
  ]
}

function sayLogistic({ sample, intensity }: IntensityEstimate): readonly string[] {
  if (intensity.method !== 'likelihood') return []
  const found = logisticRatio(sample)
  const ratio = found === null ? 0 : found.ratio / intensity.overdispersion ** 2
  if (ratio <= LOGISTIC_PREFERRED) return []
  const range = `${sample.bps[0]} to ${sample.bps.at(-1)} bps`
  return [
    `A logistic curve explains the fills better than an exponential (likelihood ratio ${ratio.toFixed(1)}, above ${LOGISTIC_PREFERRED}): do not use A and k beyond ${range}, the spreads tried.`,
  ]
}

function fillsText(fills: number): string {
  return fills === 1 ? '1 fill' : `${fills.toLocaleString('en-US')} fills`
}

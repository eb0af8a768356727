import { DAY_MS } from '../../base/time.ts'
import type { ExposureStats } from './watch-exposure.ts'
import type { ProbeMeaning } from '../../store/tape/summary/probes.ts'
import type { ExclusionReason } from './share.ts'
import { Z90 } from '../models/fit-intensity.ts'
import { LOGISTIC_PREFERRED, logisticRatio } from '../models/logistic-ratio.ts'
import { SIGMA_FLOOR_BPS } from '../models/rate-volatility.ts'
import { tiltedExposure } from '../models/intensity-sample.ts'
import { FEWEST_ESTIMATED_FILLS, type IntensityEstimate, untakenSide } from './estimate-intensity.ts'
import { poissonInterval } from '../../core/models/distributions.ts'
import type { Calibration, Estimate } from '../../core/models/calibration.ts'
import { SIDES, type Side } from '../../base/money/side.ts'

const EXCLUSION_TEXTS: Readonly<Record<ExclusionReason, string>> = {
  unknown: 'before the first quote row',
  off: 'while that side was off',
  'not-quotable': 'while the venue did not quote',
  'no-inventory': 'while we could not have paid them',
  outbid: 'while another provider was better by more than the tolerance',
  'round-robin-lost': 'while another provider within the tolerance was next',
}

/** Returns sentences on gaps in the exposure. */
export function describeExposure(account: ExposureStats, meaning: ProbeMeaning): readonly string[] {
  return [
    ...describeUnknown(account),
    ...describeExcluded(account),
    ...describeCompetition(account, meaning),
    ...describeSilence(account),
  ]
}

function describeUnknown({ quoteRows, exposedMs, limitedMs }: ExposureStats): readonly string[] {
  if (quoteRows === 0) {
    return [
      'No quote rows on this tape: without our own spreads nothing can be learned about takers. Record with `mizani run` or `mizani record`, which write them.',
    ]
  }
  if (exposedMs === 0) return ['At no time could a taker reach our quote: nothing was learned about takers.']
  if (limitedMs === 0) return []
  return [
    `Our quote was limited to some pairs for ${shareText(limitedMs, exposedMs)} of the time; A is that of those pairs.`,
  ]
}

function describeExcluded({ unexpected, unsupportedFills: strangeFills }: ExposureStats): readonly string[] {
  const left = (Object.keys(EXCLUSION_TEXTS) as ExclusionReason[])
    .filter((barrier) => unexpected[barrier] > 0)
    .map((barrier) => `${unexpected[barrier]} ${EXCLUSION_TEXTS[barrier]}`)
  const strange = strangeFills === 0 ? [] : [`${strangeFills} not dollars against shillings`]
  if (left.length + strange.length === 0) return []
  return [`Fills left out of A and k: ${[...left, ...strange].join(', ')}.`]
}

function describeCompetition(account: ExposureStats, meaning: ProbeMeaning): readonly string[] {
  const { competitionRows, quoteRows, exposedMs, hiddenMs } = account
  if (quoteRows === 0 || exposedMs === 0) return []
  if (competitionRows === 0) {
    return [
      'No competition rows on this tape: no other provider is assumed to quote. If others did, A is too high and k is wrong.',
    ]
  }
  // A probe that shows our quote names us as the next provider, regardless of the competitors behind us.
  if (hiddenMs === 0 || meaning === 'picked') return []
  return [
    `For ${shareText(hiddenMs, exposedMs)} of the exposure we were the best provider, which hid the others; we are assumed to be alone then. With a rival within the tolerance A would be up to twice as large.`,
  ]
}

function describeSilence({ silentMs }: ExposureStats): readonly string[] {
  if (silentMs === 0) return []
  return [`${(silentMs / DAY_MS).toFixed(1)} days in silences longer than a day are not counted.`]
}

function shareText(part: number, whole: number): string {
  const percent = (100 * part) / whole
  return `${percent < 1 ? 'less than 1' : Math.round(percent)} %`
}

const WANTED_ERROR = 0.2
/** Below this share of its standard deviation that nothing else explains, a spread shows little of its own effect. */
const OWN_SHARE = 0.5
const NOTEWORTHY_SCATTER = 1.1
/** A dither of d draws whole bps from -d to d: a standard deviation of sqrt(d (d + 1) / 3). */
const DITHERS_BPS = [35, 69]

/** Returns a sentence on a change of the takers. */
export function describeChange(sinceDay: number | null, fills: number): readonly string[] {
  if (sinceDay === null) return []
  const day = new Date(sinceDay * DAY_MS).toISOString().slice(0, 10)
  return [
    `The takers changed on ${day}, in number or in patience: A and k are from the ${fillsText(fills)} since then.`,
  ]
}

/** Returns sentences on the limits of A and k. */
export function describeIntensity(estimate: IntensityEstimate): readonly string[] {
  return [
    ...describeUnexposed(estimate),
    ...describeMethod(estimate),
    ...describeErrorOfK(estimate),
    ...describeScatter(estimate),
    ...describeLogistic(estimate),
  ]
}

function describeUnexposed({ sample: { unexposedFills } }: IntensityEstimate): readonly string[] {
  if (unexposedFills === 0) return []
  return [`${fillsText(unexposedFills)} at spreads that were never live are left out of A and k.`]
}

function describeMethod({
  intensity: { fills, exposureDays, method },
}: IntensityEstimate): readonly string[] {
  if (method === 'default') {
    const known =
      exposureDays > 0 ? `the prior and these ${exposureDays.toFixed(1)} days of silence` : 'the prior'
    return [`No fills while takers could reach us: A and k are ${known} only. Quote a fixed spread.`]
  }
  if (fills < FEWEST_ESTIMATED_FILLS) {
    return [
      `Only ${fillsText(fills)}: below ${FEWEST_ESTIMATED_FILLS} A and k are mostly the prior. Quote a fixed spread until then.`,
    ]
  }
  return []
}

/** Returns a sentence on the error of k and how to reduce it. */
function describeErrorOfK(estimate: IntensityEstimate): readonly string[] {
  const { intensity, sdBps, sample } = estimate
  const { fills, k, overdispersion } = intensity
  if (fills === 0) return []
  const needs = (sd: number) =>
    Math.ceil((overdispersion / (WANTED_ERROR * k.value * sd)) ** 2).toLocaleString('en-US')
  const dithered = DITHERS_BPS.map(
    (dither) => `${needs(Math.sqrt((dither * (dither + 1)) / 3))} with quote.ditherBps: ${dither}`,
  ).join(' or ')
  if (sample.bps.length < 2) {
    return [
      `Our spread never moved: the fills show nothing about k, which is only the prior, and A depends on it. To know k to 20 % takes ${dithered}. Only the rate at that spread was measured.`,
    ]
  }
  const pooledBps = tiltedExposure(sample, k.value).sdBps
  if (sdBps < OWN_SHARE * pooledBps && intensity.method === 'posterior') {
    return [
      `Our spread moved with the hour, the weekday, the side or the fair value, by ${pooledBps.toFixed(1)} bps and by ${sdBps.toFixed(1)} apart from them, so what takers did may be due to those: k is mostly the prior. To know k to 20 % takes ${dithered}.`,
    ]
  }
  if (isFlat(estimate)) {
    return [
      'Takers were not fewer at wider spreads, which is implausible: the prior keeps k above 0. Look for competitors that the tape does not show.',
    ]
  }
  const error = Math.log(k.high / k.low) / (2 * Z90)
  if (error <= WANTED_ERROR) return []
  if (intensity.priorOnly?.includes('k') === true) {
    return [
      `The interval of k is as wide as before any fill: these spreads and fills show nothing about it. To know it to 20 % takes ${dithered}.`,
    ]
  }
  const scatter = `the spreads at which fills come had a standard deviation of ${sdBps.toFixed(1)} bps`
  return [
    `k is known only to ${Math.round(100 * error)} %: ${scatter}. To know it to 20 % takes ${needs(sdBps)} fills like these, ${dithered}.`,
  ]
}

/** Returns whether there are many fills and the likelihood alone would put more takers at wider spreads. */
function isFlat({ intensity, sample }: IntensityEstimate): boolean {
  if (intensity.method !== 'posterior' || intensity.fills < FEWEST_ESTIMATED_FILLS) return false
  const { meanFillBps } = sample
  return meanFillBps >= tiltedExposure(sample, 0).meanBps
}

function describeScatter({ intensity: { overdispersion } }: IntensityEstimate): readonly string[] {
  if (overdispersion < NOTEWORTHY_SCATTER) return []
  return [
    `Daily counts scatter ${overdispersion.toFixed(1)} times as much as by chance alone; the intervals are that much wider.`,
  ]
}

function describeLogistic({ sample, intensity }: IntensityEstimate): readonly string[] {
  if (intensity.method !== 'likelihood') return []
  const found = logisticRatio(sample)
  const ratio = found === null ? 0 : found.ratio / intensity.overdispersion ** 2
  if (ratio <= LOGISTIC_PREFERRED) return []
  const range = `${sample.bps[0]} to ${sample.bps.at(-1)} bps`
  return [
    `A logistic curve explains the fills better than an exponential (likelihood ratio ${ratio.toFixed(1)}, above ${LOGISTIC_PREFERRED}): do not use A and k beyond ${range}, the quoted spreads.`,
  ]
}

function fillsText(fills: number): string {
  return fills === 1 ? '1 fill' : `${fills.toLocaleString('en-US')} fills`
}

/** With fewer prints the bootstrap of sigma is unreliable. */
const FEW_PRINTS = 20

/** Returns sentences on measures other than A and k that rest on too little data. */
export function describeMeasures(
  bySide: Readonly<Record<Side, IntensityEstimate>>,
  { prints, sigma, markouts, fills }: Pick<Calibration, 'prints' | 'sigma' | 'markouts' | 'fills'>,
): readonly string[] {
  return [...describeSides(bySide), ...describeSigma(sigma, prints), ...describeMarkouts(markouts, fills)]
}

function describeSides(bySide: Readonly<Record<Side, IntensityEstimate>>): readonly string[] {
  const untaken = untakenSide(bySide)
  if (untaken !== null) {
    const { exposureDays } = bySide[untaken].intensity
    const most = poissonInterval(0).high / exposureDays
    return [
      `No taker came to the ${untaken} in ${exposureDays.toFixed(1)} days within reach, so at most ${most.toPrecision(2)} a day at the quoted spreads (90 %): each side is estimated by its own fills.`,
    ]
  }
  const thin = SIDES.map((side) => ({ side, ...bySide[side].intensity }))
    .filter(({ method }) => method === 'posterior')
    .map(({ side, fills }) => `${fills} on the ${side}`)
  if (thin.length === 0) return []
  return [
    `A and k of each side alone cannot be estimated from these fills (${thin.join(', ')}; at least ${FEWEST_ESTIMATED_FILLS} at different spreads are needed): both sides are estimated together.`,
  ]
}

function describeSigma(sigma: Estimate | null, prints: number): readonly string[] {
  if (sigma === null)
    return [`Published rates on this tape: ${prints}. A volatility needs three at different times.`]
  if (sigma.value <= SIGMA_FLOOR_BPS)
    return [
      `The volatility is below the floor of ${SIGMA_FLOOR_BPS} bps: the floor stands in its place, and for its interval.`,
    ]
  if (prints >= FEW_PRINTS) return []
  return [`The volatility rests on only ${prints} published rates: its interval is too narrow, if anything.`]
}

function describeMarkouts(markouts: Calibration['markouts'], fills: number): readonly string[] {
  if (fills === 0 || markouts.length > 0) return []
  return [
    'No markouts: fills before at least two published rates, and a later rate for each, are needed to measure informed takers.',
  ]
}

/** Warns that the tape has reference rows from sources we do not use. `named`: the source in the configuration. */
export function describeSources(
  { used, others }: { readonly used: string | null; readonly others: readonly string[] },
  named: string | null,
): readonly string[] {
  if (others.length === 0 || (used !== null && named !== null)) return []
  const list = others.join(', ')
  if (used === null)
    return [
      `No reference on this tape is from ${named}, which backtest.fairValue names, so that there are no markouts by time; there are some from ${list}.`,
    ]
  return [
    `Several sources have references on this tape: the markouts by time use ${used}, the first of them, and not ${list}; backtest.fairValue names the one to use.`,
  ]
}

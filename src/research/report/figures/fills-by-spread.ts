import { type Figure, figureText } from './figure.ts'
import type { ReportData } from '../report-data.ts'
import { type Estimate, type Intensity, takerLaw } from '../../../core/models/calibration.ts'
import { poissonInterval } from '../../../core/models/distributions.ts'
import { Z90 } from '../../models/fit-intensity.ts'

/** Number of ranges of spreads, each with an equal share of the exposure. */
const RANGES = 12
const CURVE_POINTS = 121
/** Range of the curve if no spread was tried. */
const UNTRIED = { from: 10, to: 200 }

/** Fills at each half-spread, with the calibration's expectation A exp(-k d) and its 90 % band. */
export function fillsBySpreadFigure({ spreads, law }: Pick<ReportData, 'spreads' | 'law'>): Figure {
  const ranges = rangesOf(spreads)
  const figure = {
    id: 'fills-by-spread',
    title: 'Fills against half-spread',
    unit: 'fills a day and side',
    digits: 1,
  } as const
  if (law === null) {
    const words =
      'Without a calibration no fills are expected: run mizani calibrate and set calibration in the configuration.'
    return { ...figure, words, chart: null }
  }
  const x = curveOver(ranges)
  const curve = Array.from(x, (bps) => intensityAt(law, bps))
  const points = ranges.map(({ bps, days, fills, from, to }) => {
    const { low, high } = poissonInterval(fills)
    const interval = [low / days, high / days] as const
    return { x: bps, y: fills / days, interval, label: `${rangeText(from, to)} bps:` }
  })
  return {
    ...figure,
    words: wordsOf(law, ranges),
    chart: {
      kind: 'plane',
      xUnit: 'bps',
      x,
      lines: [{ name: 'A exp(-k d)', colour: 'blue', values: valuesOf(curve, 'value') }],
      band: { name: '90 % band', low: valuesOf(curve, 'low'), high: valuesOf(curve, 'high') },
      points: points.length === 0 ? null : { name: 'Observed, 90 % interval', all: points },
    },
    table: {
      title: 'Fills by half-spread as a table',
      head: ['Half-spread, bps', 'Days in reach', 'Fills', 'Fills a day', 'Low', 'High', 'Expected'],
      rows: points.map(({ y, interval, x: bps }, i) => [
        rangeText(ranges[i]?.from ?? NaN, ranges[i]?.to ?? NaN),
        figureText(ranges[i]?.days ?? NaN, 2),
        figureText(ranges[i]?.fills ?? NaN, 0),
        ...[y, ...interval, intensityAt(law, bps).value].map((value) => figureText(value, 1)),
      ]),
      folded: true,
    },
  }
}

type Range = {
  readonly from: number
  readonly to: number
  /** Mean over the days. */
  readonly bps: number
  readonly days: number
  readonly fills: number
}

/** Returns neighbouring spreads merged until each range has its share of the days. */
function rangesOf({ bps, days, fills }: ReportData['spreads']): readonly Range[] {
  const total = days.reduce((sum, each) => sum + each, 0)
  const ranges: Range[] = []
  let open: { from: number; to: number; weighted: number; days: number; fills: number } | null = null
  for (let i = 0; i < bps.length; i++) {
    const [at, stood, came] = [bps[i] ?? 0, days[i] ?? 0, fills[i] ?? 0]
    open ??= { from: at, to: at, weighted: 0, days: 0, fills: 0 }
    open.to = at
    open.weighted += at * stood
    open.days += stood
    open.fills += came
    const isLast = i === bps.length - 1
    if (open.days * RANGES < total && !isLast) continue
    // Fills at spreads that no taker could reach have no rate.
    if (open.days > 0) ranges.push({ ...open, bps: open.weighted / open.days })
    open = null
  }
  return ranges
}

/** Extends slightly beyond the spreads that were tried. */
function curveOver(ranges: readonly Range[]): Float64Array {
  const from = ranges.length === 0 ? UNTRIED.from : 0.6 * (ranges[0]?.from ?? 0)
  const to = ranges.length === 0 ? UNTRIED.to : 1.25 * (ranges.at(-1)?.to ?? 0)
  return Float64Array.from({ length: CURVE_POINTS }, (_, i) => from + (i / (CURVE_POINTS - 1)) * (to - from))
}

function valuesOf(curve: readonly Estimate[], name: keyof Estimate): Float64Array {
  return Float64Array.from(curve, (estimate) => (Number.isFinite(estimate[name]) ? estimate[name] : NaN))
}

function wordsOf({ a, k, fills, method }: Intensity, ranges: readonly Range[]): string {
  const expected = `Expected: A ${figureText(a.value, 1)} fills a day and side, 1/k ${figureText(1 / k.value, 1)} bps, from ${figureText(fills, 0)} fills${method === 'default' ? '; both are the prior' : ''}.`
  const [first, last] = [ranges[0], ranges.at(-1)]
  if (first === undefined || last === undefined)
    return `${expected} No half-spread was within reach of takers.`
  const tried =
    first.from === last.to
      ? `One half-spread was tried, ${figureText(first.from, 0)} bps: the decay of the fills is not observed.`
      : `Tried: ${rangeText(first.from, last.to)} bps; beyond that the curve extrapolates.`
  return `${expected} ${tried}`
}

function rangeText(from: number, to: number): string {
  return from === to ? figureText(from, 0) : `${figureText(from, 0)} to ${figureText(to, 0)}`
}

/**
 * Returns the fills per day at a half-spread of `bps`, A exp(-k bps), with a 90 % interval. The errors of ln A and k
 * are correlated: by the information of the exponential likelihood, var(ln lambda(d)) = 1/N + (d - m)^2 se(k)^2 with
 * m the mean spread of the fills, which follows from se(ln A)^2 = 1/N + m^2 se(k)^2. So the band is narrowest at the
 * spreads of the fills. Where k is only the prior, it passes through the measured rate. Source: quant.md section 3.
 */
export function intensityAt(intensity: Intensity, bps: number): Estimate {
  const { a, k, fills, overdispersion, quotedRate } = intensity
  const value = takerLaw(intensity, k.value).a * Math.exp(-k.value * bps)
  const seOfK = (k.high - k.low) / (2 * Z90)
  const varianceOfLnA = a.low > 0 ? (Math.log(a.high / a.low) / (2 * Z90)) ** 2 : Infinity
  const atItsMean = Math.min(varianceOfLnA, overdispersion ** 2 / Math.max(1, fills))
  const mean = quotedRate?.bps ?? (seOfK > 0 ? Math.sqrt(varianceOfLnA - atItsMean) / seOfK : 0)
  const factor = Math.exp(Z90 * Math.sqrt(atItsMean + ((bps - mean) * seOfK) ** 2))
  return { value, low: value / factor, high: value * factor }
}

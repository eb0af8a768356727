import { seededRandom } from '../../../base/random.ts'
import { err, ok, type Result } from '../../../base/result.ts'
import { floatText } from '../../../base/text/numbers.ts'
import { bootstrapInterval } from '../../../core/models/intervals.ts'
import { pairedDifference } from '../../models/statistics/paired-difference.ts'
import type { ComparedRun } from './compared-run.ts'

/** Two runs over the same market, and their differences. */
export type Comparison = {
  readonly a: ComparedRun
  readonly b: ComparedRun
  /** B less A, day by day; null = a result has no days. */
  readonly paired: PairedDays | null
  /** Keys whose values differ; null = a result has no configuration. In a row, null = the key is missing. */
  readonly configuration:
    | readonly { readonly key: string; readonly a: string | null; readonly b: string | null }[]
    | null
  /** Limitations that a reader must know before trusting the difference. */
  readonly warnings: readonly string[]
}

type PairedDays = {
  readonly days: number
  /** Mean daily difference, dollars. */
  readonly meanUsd: number
  readonly seUsd: number
  /** Null if all days have the same difference. */
  readonly t: number | null
  readonly p: number
  /** Interval of the mean, by a block bootstrap of the days; null = fewer than five days. */
  readonly ci90Usd: readonly [number, number] | null
}

const FEWEST_DAYS = 5
/** Tolerance for equal fair values after a decimal round trip. */
const EQUAL = 1e-12

/**
 * Compares two runs. Refuses runs over different windows or markets, whose difference would not be due to the
 * strategies. Source: quant.md section 5, paired differences of daily PnL.
 */
export function compareRuns(a: ComparedRun, b: ComparedRun): Result<Comparison, string> {
  const problem = differentMarket(a, b)
  if (problem !== null) return err(problem)
  return ok({
    a,
    b,
    paired: pairedDays(a, b),
    configuration: configurationDifference(a, b),
    warnings: warningsOf(a, b),
  })
}

/** Returns how the markets of two runs differ; null = the same market as far as the results show. */
function differentMarket(a: ComparedRun, b: ComparedRun): string | null {
  const [first, second] = [windowText(a), windowText(b)]
  if (first !== second)
    return `${a.name} covers ${first} and ${b.name} covers ${second}: run both over one tape with equal --from and --to`
  if (a.daily === null || b.daily === null) return null
  const differs = a.daily.findIndex((day, i) => {
    const other = b.daily?.[i]
    return other === undefined || other.day !== day.day || Math.abs(other.fair / day.fair - 1) > EQUAL
  })
  const day = a.daily[differs]
  if (day === undefined) return a.daily.length === b.daily.length ? null : daysProblem(a, b)
  const other = b.daily[differs]
  if (other === undefined || other.day !== day.day) return daysProblem(a, b)
  return `the fair value at the end of ${day.day} is ${day.fair} in ${a.name} and ${other.fair} in ${b.name}: run both over one tape with equal backtest.fairValue`
}

function daysProblem(a: ComparedRun, b: ComparedRun): string {
  return `${a.name} and ${b.name} do not have the same days: run both over one tape with equal --from and --to`
}

function windowText({ result: { from, to } }: ComparedRun): string {
  return `${from} to ${to}`
}

function pairedDays(a: ComparedRun, b: ComparedRun): PairedDays | null {
  if (a.daily === null || b.daily === null || a.daily.length === 0) return null
  const [ours, theirs] = [b.daily, a.daily].map((days) => days.map(({ pnlUsd }) => pnlUsd))
  if (ours === undefined || theirs === undefined) return null
  const { mean, se, t, p } = pairedDifference(ours, theirs)
  const differences = ours.map((value, i) => value - (theirs[i] ?? 0))
  const random = seededRandom(1, 'paired days')
  const band = differences.length < FEWEST_DAYS ? null : bootstrapInterval(differences, meanOf, { random })
  return {
    days: differences.length,
    meanUsd: mean,
    seUsd: se,
    t,
    p,
    ci90Usd: band === null ? null : [band.low, band.high],
  }
}

function meanOf(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

function configurationDifference(a: ComparedRun, b: ComparedRun): Comparison['configuration'] {
  if (a.configuration === null || b.configuration === null) return null
  const [first, second] = [a.configuration, b.configuration].map(
    (rows) => new Map(rows.map(({ key, value }) => [key, value])),
  )
  const keys = new Set([...(first?.keys() ?? []), ...(second?.keys() ?? [])])
  return [...keys]
    .map((key) => ({ key, a: first?.get(key) ?? null, b: second?.get(key) ?? null }))
    .filter((row) => row.a !== row.b)
}

function warningsOf(a: ComparedRun, b: ComparedRun): readonly string[] {
  const without = [a, b].filter(({ daily }) => daily === null).map(({ name }) => name)
  const [first, second] = [a.result, b.result]
  return [
    ...(without.length === 0
      ? []
      : [
          `${without.join(' and ')}: written by a version without days, so there are no paired differences; run it again`,
        ]),
    ...(first.fillModel === second.fillModel
      ? []
      : [
          `the fill models differ (${first.fillModel}, ${second.fillModel}): they contribute to the difference, not only the strategies`,
        ]),
    ...(first.seed === second.seed
      ? []
      : [`the seeds differ (${first.seed}, ${second.seed}): the drawn takers differ`]),
    ...first.warnings.map((text) => (second.warnings.includes(text) ? text : `${a.name}: ${text}`)),
    ...second.warnings.filter((text) => !first.warnings.includes(text)).map((text) => `${b.name}: ${text}`),
  ]
}

const HASH = /^[0-9a-f]{64}$/

/** Returns a value for people; of a hash the first characters, which distinguish two. */
export function shownValue(value: string | null): string {
  if (value === null) return '-'
  return HASH.test(value) ? value.slice(0, 12) : value
}

/** Returns the difference B less A as a sentence. */
export function pairedText({ days, meanUsd, seUsd, t, p, ci90Usd }: PairedDays): string {
  const mean = `B less A: ${floatText(meanUsd, 2, 'plus')} USD a day over ${floatText(days, 0)} ${days === 1 ? 'day' : 'days'}`
  if (days < 2) return `${mean}, too few days for an error`
  const interval =
    ci90Usd === null
      ? 'too few days for an interval'
      : `90 % CI ${ci90Usd.map((usd) => floatText(usd, 2, 'plus')).join(' to ')}`
  const significance =
    t === null || ci90Usd === null
      ? ''
      : `, t ${floatText(t, 2)}, p ${p < 0.0001 ? '<.0001' : floatText(p, 4)}`
  return `${mean}, se ${floatText(seUsd, 2)} (${interval})${significance}`
}

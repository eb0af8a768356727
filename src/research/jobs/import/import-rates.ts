import { stringify } from 'yaml'
import { z } from 'zod'
import { err, ok, type Result } from '../../../base/result.ts'
import { formatRate, parseRate, type Rate, rateToNumber } from '../../../base/money/rate.ts'
import { floatText } from '../../../base/text/numbers.ts'
import { isoText } from '../../../base/text/times.ts'
import { DAY_MS, type Ms } from '../../../base/time.ts'
import type { TapeRow } from '../../../store/tape/model/row.ts'
import { isDayForm, plainName, readBankAmount, readBankDay } from '../../../treasury/statement/bank-format.ts'
import { csvRows, shapeProblem, splitAtHeader, type CsvRow } from '../../../treasury/statement/read-csv.ts'
import { fitPublishedRate, publishedStepMoments } from '../../models/fair-value/published-steps.ts'

/** How a file writes rates, as `treasury.bankFormats` describes files of banks. */
export const rateFormatSchema = z
  .strictObject({
    delimiter: z.enum([',', ';', '\t', '|']).default(','),
    decimal: z.enum(['.', ',']).default('.'),
    dates: z.string().refine(isDayForm, 'expected DD/MM/YYYY, DD-MMM-YY or similar').optional(),
    at: z.iso.time({ precision: -1 }).default('07:00'),
    columns: z.strictObject({
      date: z.string(),
      rate: z.string().optional(),
      buy: z.string().optional(),
      sell: z.string().optional(),
    }),
    where: z.record(z.string(), z.string()).default({}),
  })
  .refine(
    ({ columns: { rate, buy, sell } }) =>
      rate === undefined ? buy !== undefined && sell !== undefined : buy === undefined && sell === undefined,
    { path: ['columns'], message: 'expected either rate, or both buy and sell' },
  )
export type RateFormat = z.infer<typeof rateFormatSchema>

type ReadRate = { readonly t: Ms; readonly mid: Rate }
/** `lines`: those of its time, whose median it is. */
type ImportedRate = ReadRate & { readonly lines: readonly number[] }
type ImportProblem = { readonly line: number; readonly message: string }

/** `leftOut`: the number of whole rows that `where` does not select. */
type ImportedRates = { readonly rates: readonly ImportedRate[]; readonly leftOut: number }

/**
 * Reads the rates of a CSV text, TZS per USD, ascending in time; several of one time are one rate, their median. The error
 * lists every row that is not understood, or dated more than a day after `now`.
 */
export function importRates(
  text: string,
  format: RateFormat,
  now: Ms,
): Result<ImportedRates, ImportProblem[]> {
  const wanted = [...Object.values(format.columns), ...Object.keys(format.where)]
  const found = splitAtHeader(csvRows(text, format.delimiter), wanted)
  if (!found.ok) return err([found.error])
  const { head, rows, problem } = found.value
  const problems: ImportProblem[] = problem === null ? [] : [problem]
  const byTime = new Map<Ms, (ReadRate & { readonly line: number })[]>()
  let leftOut = 0
  for (const row of rows) {
    const { line } = row
    const read = readRow(row, head, format)
    if (!read.ok) problems.push({ line, message: read.error })
    else if (read.value !== null && read.value.t > now + DAY_MS)
      problems.push({ line, message: `${isoText(read.value.t)} is in the future` })
    else if (read.value === null) leftOut++
    else {
      const all = byTime.get(read.value.t) ?? []
      all.push({ ...read.value, line })
      byTime.set(read.value.t, all)
    }
  }
  if (problems.length === 0 && byTime.size === 0)
    problems.push({ line: head.line, message: `no row below has a rate; where leaves out ${leftOut}` })
  if (problems.length > 0) return err(problems)
  const rates = [...byTime].map(([t, all]) => ({
    t,
    mid: median(all.map(({ mid }) => mid)),
    lines: all.map(({ line }) => line),
  }))
  return ok({ rates: rates.sort((a, b) => a.t - b.t), leftOut })
}

/** Returns the rate of a row; null = a whole row that `where` does not select. */
function readRow(row: CsvRow, head: CsvRow, format: RateFormat): Result<ReadRate | null, string> {
  const header = head.cells.map(plainName)
  const cell = (name: string) => row.cells[header.indexOf(plainName(name))]?.trim() ?? ''
  const isHoldingRow = row.cells.some((each) => /[\r\n]/.test(each) && each.includes(format.delimiter))
  if (isHoldingRow) return err('a cell has a line break and a delimiter: a quote may not be closed')
  const shape = shapeProblem(row, head)
  if (shape !== null) return err(shape)
  const where = Object.entries(format.where)
  const blank = where.find(([name, value]) => cell(name) === '' && value.trim() !== '')
  if (blank !== undefined) return err(`it has no ${blank[0]}`)
  const isOther = where.some(([name, value]) => plainName(cell(name)) !== plainName(value))
  return isOther ? ok(null) : readRate(cell, format)
}

/** Returns the time of a date, or NaN. */
function readTime(written: string, { dates, at }: RateFormat): Ms {
  if (dates !== undefined) return Date.parse(`${readBankDay(written, dates) ?? 'no day'}T${at}:00Z`)
  const isIso = /^\d{4}-\d\d-\d\d[T ].*(?:Z|[+-]\d\d:?\d\d)$/.test(written)
  const isDay = readBankDay(written.slice(0, 10), 'YYYY-MM-DD') !== null
  return isIso && isDay ? Date.parse(written.replace(' ', 'T')) : NaN
}

function readRate(cell: (name: string) => string, format: RateFormat): Result<ReadRate, string> {
  const { columns, dates, decimal } = format
  const written = cell(columns.date)
  const t = readTime(written, format)
  if (Number.isNaN(t)) {
    const form = dates ?? 'an ISO 8601 time with a zone; for days set dates, for example dates: YYYY-MM-DD'
    return err(`${JSON.stringify(written.slice(0, 40))} is not ${form}`)
  }
  const sides: Rate[] = []
  for (const name of [columns.rate, columns.buy, columns.sell]) {
    if (name === undefined) continue
    const read = readBankAmount(cell(name), decimal)
    if (!read.ok) return err(`${name}: ${read.error}`)
    const rate = parseRate(formatRate(read.value))
    if (!rate.ok) return err(`${name}: ${rate.error.message}`)
    sides.push(rate.value)
  }
  if (sides.length === 2 && sides[0]! > sides[1]!) return err(`${columns.buy} is above ${columns.sell}`)
  return ok({ t, mid: sides.reduce((sum, side) => sum + side, 0n) / BigInt(sides.length) })
}

function median(mids: readonly Rate[]): Rate {
  const sorted = mids.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0))
  return (sorted[(sorted.length - 1) >> 1]! + sorted[sorted.length >> 1]!) / 2n
}

/** Returns the rates as rows of a tape: mids of the venue, or with a source references. */
export function tapeRows(rates: readonly ReadRate[], source: string | null): readonly TapeRow[] {
  return rates.map(({ t, mid }) =>
    source === null
      ? { type: 'rate', t, mid, rateUpdatedAt: t, quotable: null }
      : { type: 'reference', t, source, mid },
  )
}

/** Returns the rates as a file that a `csv` feed and a tape of mids read. */
export function feedText(rates: readonly ReadRate[]): string {
  return ['time,mid', ...rates.map(({ t, mid }) => `${isoText(t)},${formatRate(mid)}`), ''].join('\n')
}

/**
 * Returns a scenario file with sigma, kappa and noise fitted to the last rate of each day, and their 90 % intervals as
 * comments. The error names what is missing.
 */
export function scenarioText(rates: readonly ReadRate[], file: string): Result<string, string> {
  const lastOfDay = [...new Map(rates.map((rate) => [Math.floor(rate.t / DAY_MS), rate])).values()]
  const logs = lastOfDay.map(({ mid }) => 1e4 * Math.log(rateToNumber(mid)))
  const fit = fitPublishedRate(logs.slice(1).map((log, index) => log - logs[index]!))
  if (fit === null) return err(`${file} has ${logs.length} days; a fit needs 21, and rates that differ`)
  const { sigma, kappa, noise } = fit
  if (sigma.value > 500 || noise.value > 200)
    return err(`${file} moves too far for a scenario: check its unit`)
  const figure = (value: number) => Number(value.toPrecision(4))
  const interval = (name: string, { low, high }: typeof sigma) =>
    `# ${name}: 90 % interval ${floatText(low, 3)} to ${floatText(high, 3)}\n`
  const { sd, autocorrelation } = publishedStepMoments({
    sigma: sigma.value,
    kappa: kappa.value,
    noise: noise.value,
  })
  return ok(
    [
      `# Fitted to ${file}: ${logs.length} days, ${isoText(rates[0]!.t)} to ${isoText(rates.at(-1)!.t)}.\n`,
      `# Steps from day to day: sd ${floatText(sd, 1)} bps, autocorrelation ${floatText(autocorrelation, 2)}.\n`,
      interval('sigmaBps', sigma) + interval('kappa', kappa) + interval('noiseBps', noise),
      stringify({ rate: { sigmaBps: figure(sigma.value) } }),
      stringify({ publication: { kappa: figure(kappa.value), noiseBps: figure(noise.value) } }),
    ].join(''),
  )
}

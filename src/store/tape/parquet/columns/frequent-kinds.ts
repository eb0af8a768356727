import { parseRate, type Rate } from '../../../../base/money/rate.ts'
import {
  areTimes,
  isWithoutNulls,
  type RawColumn,
  readFlags,
  readInts,
  readLongs,
  readTexts,
  readTimes,
  type Values,
} from './raw-column.ts'
import type { CompetitionColumns, Probe, RateColumns } from '../../model/batch.ts'
import { type Amounts, type Asset, ASSETS, parseAmount } from '../../../../base/money/asset.ts'
import { BALANCE_SOURCES, BALANCE_TOKENS } from '../../model/decode-row.ts'
import type { BalancesRow } from '../../model/row.ts'

/**
 * Decodes a row group of rates directly into columns. Null if it was not written by `createParquetFile` or holds an
 * invalid rate: then the row-by-row reader finds and reports the problem.
 */
export function decodeRates(column: (name: string) => RawColumn | null): RateColumns | null {
  const t = readTimes(column('t'))
  const mid = parseEach(readTexts(column('midRateTZS')), rateOf)
  const updated = readLongs(column('rateUpdatedAt'))
  const quotable = readFlags(column('quotable'))
  if (t === null || mid === null || updated === null || quotable === null) return null
  if (!isWithoutNulls(mid) || !areTimes(updated.values)) return null
  const { length } = t
  const rateUpdatedAt = new Float64Array(length)
  for (let i = 0; i < length; i++) {
    const place = updated.at[i] as number
    rateUpdatedAt[i] = place < 0 ? Number.NaN : (updated.values[place] as number)
  }
  return { length, t, mid: mid.at, mids: mid.values, rateUpdatedAt, quotable: new Int8Array(quotable) }
}

const MAX_BPS = 32_767

/**
 * Decodes a row group of competition directly into columns. Null if it was not written by `createParquetFile` or holds
 * an invalid row: then the row-by-row reader finds and reports the problem.
 */
export function decodeCompetition(column: (name: string) => RawColumn | null): CompetitionColumns | null {
  const t = readTimes(column('t'))
  const from = readTexts(column('from'))
  const to = readTexts(column('to'))
  const amount = readTexts(column('amount'))
  const bidBps = bpsOf(readInts(column('bidBps')))
  const askBps = bpsOf(readInts(column('askBps')))
  if (t === null || from === null || to === null || amount === null) return null
  const own = ownOf(column('own'), t.length)
  const probes = probesOf(from, to, amount)
  if (probes === null || bidBps === null || askBps === null || own === null) return null
  return { length: t.length, t, ...probes, bidBps, askBps, own }
}

/** Unknown throughout a file from before the column existed. */
function ownOf(column: RawColumn | null, length: number): Int8Array | null {
  if (column === null) return new Int8Array(length).fill(-1)
  const flags = readFlags(column)
  return flags === null ? null : new Int8Array(flags)
}

function bpsOf(column: Values<number> | null): Int16Array | null {
  if (column === null) return null
  const { at, values } = column
  if (values.some((bps) => bps < 0 || bps > MAX_BPS)) return null
  const out = new Int16Array(at.length)
  for (let i = 0; i < out.length; i++) {
    // Reading index -1 of an array is a slow lookup by name.
    const place = at[i] as number
    out[i] = place < 0 ? -1 : (values[place] as number)
  }
  return out
}

type ProbeColumns = Pick<CompetitionColumns, 'probe' | 'probes'>

function probesOf(from: Values<string>, to: Values<string>, amount: Values<string>): ProbeColumns | null {
  if (![from, to, amount].every(isWithoutNulls)) return null
  const known = new Map<number, number>()
  const probes: Probe[] = []
  const probe = new Int32Array(from.at.length)
  for (let i = 0; i < probe.length; i++) {
    const [f, o, a] = [from.at[i] as number, to.at[i] as number, amount.at[i] as number]
    const key = (f * to.values.length + o) * amount.values.length + a
    let place = known.get(key)
    if (place === undefined) {
      const made = probeOf(from.values[f], to.values[o], amount.values[a])
      if (made === null) return null
      place = probes.push(made) - 1
      known.set(key, place)
    }
    probe[i] = place
  }
  return { probe, probes }
}

function probeOf(fromText = '', toText = '', amountText = ''): Probe | null {
  const [from, to] = [assetOf(fromText), assetOf(toText)]
  if (from === null || to === null) return null
  const amount = amountOf(amountText)
  return amount === null ? null : { from, to, amount }
}

function assetOf(text: string): Asset | null {
  return ASSETS.find((asset) => asset === text) ?? null
}

/**
 * Decodes a row group of balances. A pool changes only with a fill, so each amount is parsed once and equal rows share
 * their amounts. Null if it was not written by `createParquetFile` or holds an invalid row: then the row-by-row reader
 * finds and reports the problem.
 */
export function decodeBalances(column: (name: string) => RawColumn | null): readonly BalancesRow[] | null {
  const t = readTimes(column('t'))
  const source = parseEach(readTexts(column('source')), sourceOf)
  const columns = BALANCE_TOKENS.map(([name]) => parseEach(readTexts(column(name)), amountOf))
  const held = columns.filter((each) => each !== null)
  if (t === null || source === null || held.length < columns.length) return null
  const rows: BalancesRow[] = []
  let amounts: Partial<Amounts> = {}
  for (let i = 0; i < t.length; i++) {
    if (i === 0 || held.some(({ at }) => at[i] !== at[i - 1])) {
      amounts = {}
      for (const [k, { at, values }] of held.entries()) {
        const place = at[i] as number
        if (place >= 0) amounts[BALANCE_TOKENS[k]![1]] = values[place] as bigint
      }
    }
    const place = source.at[i] as number
    rows.push({
      type: 'balances',
      t: t[i] as number,
      amounts,
      source: place < 0 ? null : source.values[place]!,
    })
  }
  return rows
}

/** Parses each distinct text once; null if a value is invalid. */
function parseEach<T>(texts: Values<string> | null, parse: (text: string) => T | null): Values<T> | null {
  if (texts === null) return null
  const values: T[] = []
  for (const text of texts.values) {
    const value = parse(text)
    if (value === null) return null
    values.push(value)
  }
  return { at: texts.at, values }
}

function rateOf(text: string): Rate | null {
  const rate = parseRate(text)
  return rate.ok ? rate.value : null
}

function amountOf(text: string): bigint | null {
  const amount = parseAmount(text)
  return amount.ok && amount.value >= 0n ? amount.value : null
}

function sourceOf(text: string): BalancesRow['source'] {
  return BALANCE_SOURCES.find((source) => source === text) ?? null
}

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
import { type Asset, ASSETS, parseAmount } from '../../../../base/money/asset.ts'

/**
 * Decodes a row group of rates directly into columns. Null if it was not written by `createParquetFile` or holds an
 * invalid rate: then the row-by-row reader finds and reports the problem.
 */
export function decodeRates(column: (name: string) => RawColumn | null): RateColumns | null {
  const t = readTimes(column('t'))
  const mid = readTexts(column('midRateTZS'))
  const updated = readLongs(column('rateUpdatedAt'))
  const quotable = readFlags(column('quotable'))
  if (t === null || mid === null || updated === null || quotable === null) return null
  const mids = ratesOf(mid.values)
  if (mids === null || !isWithoutNulls(mid) || !areTimes(updated.values)) return null
  const { length } = t
  const rateUpdatedAt = new Float64Array(length)
  for (let i = 0; i < length; i++) {
    const place = updated.at[i] as number
    rateUpdatedAt[i] = place < 0 ? Number.NaN : (updated.values[place] as number)
  }
  return { length, t, mid: mid.at, mids, rateUpdatedAt, quotable: new Int8Array(quotable) }
}

/** Parses rates; null if one is invalid. */
function ratesOf(texts: readonly string[]): Rate[] | null {
  const rates: Rate[] = []
  for (const text of texts) {
    const rate = parseRate(text)
    if (!rate.ok) return null
    rates.push(rate.value)
  }
  return rates
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
  const amount = parseAmount(amountText)
  return amount.ok && amount.value >= 0n ? { from, to, amount: amount.value } : null
}

function assetOf(text: string): Asset | null {
  return ASSETS.find((asset) => asset === text) ?? null
}

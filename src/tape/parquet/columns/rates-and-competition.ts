import { parseRate, type Rate } from '../../../money/rate.ts'
import {
  areTimes,
  type Dictionary,
  type Places,
  type RawColumn,
  readPlaces,
  readTimes,
} from './raw-column.ts'
import type { CompetitionColumns, Probe, RateColumns } from '../../model/batch.ts'
import { type Asset, ASSETS, parseAmount } from '../../../money/asset.ts'

/**
 * A row group of rates, straight into columns. Null where it is not written as `createParquetFile` writes it
 * or holds what is no rate: then it has to be read row by row, which can tell what is wrong.
 */
export function decodeRates(column: (name: string) => RawColumn | null): RateColumns | null {
  const t = readTimes(column('t'))
  const mid = readPlaces(column('midRateTZS'))
  const updated = readPlaces(column('rateUpdatedAt'))
  const quotable = readPlaces(column('quotable'))
  if (t === null || mid === null || updated === null || quotable === null) return null
  const mids = ratesOf(readDictionary.texts(mid.dictionary))
  const updates = readDictionary.longs(updated.dictionary)
  if (mids === null || !areTimes(updates) || !areWithin(mid.at, 0, mids.length)) return null
  if (!areWithin(updated.at, -1, updates.length)) return null
  const { length } = t
  const rateUpdatedAt = new Float64Array(length)
  const flags = new Int8Array(length)
  for (let i = 0; i < length; i++) {
    const place = updated.at[i] as number
    rateUpdatedAt[i] = place < 0 ? Number.NaN : (updates[place] as number)
    flags[i] = quotable.at[i] as number
  }
  return { length, t, mid: mid.at, mids, rateUpdatedAt, quotable: flags }
}

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
 * A row group of competition, straight into columns. Null where it is not written as `createParquetFile`
 * writes it or holds what no such row can: then it has to be read row by row, which can tell what is wrong.
 */
export function decodeCompetition(column: (name: string) => RawColumn | null): CompetitionColumns | null {
  const t = readTimes(column('t'))
  const from = readPlaces(column('from'))
  const to = readPlaces(column('to'))
  const amount = readPlaces(column('amount'))
  const bidBps = bpsOf(readPlaces(column('bidBps')))
  const askBps = bpsOf(readPlaces(column('askBps')))
  if (t === null || from === null || to === null || amount === null) return null
  const probes = probesOf(from, to, amount)
  if (probes === null || bidBps === null || askBps === null) return null
  return { length: t.length, t, ...probes, bidBps, askBps }
}

function bpsOf(places: Places | null): Int16Array | null {
  if (places === null) return null
  const numbers = readDictionary.ints(places.dictionary)
  if (!areWithin(places.at, -1, numbers.length)) return null
  if (numbers.some((bps) => bps < 0 || bps > MAX_BPS)) return null
  const out = new Int16Array(places.at.length)
  for (let i = 0; i < out.length; i++) {
    const place = places.at[i] as number
    out[i] = place < 0 ? -1 : (numbers[place] as number)
  }
  return out
}

type ProbeColumns = Pick<CompetitionColumns, 'probe' | 'probes'>

function probesOf(from: Places, to: Places, amount: Places): ProbeColumns | null {
  const [fromTexts, toTexts] = [readDictionary.texts(from.dictionary), readDictionary.texts(to.dictionary)]
  const amounts = readDictionary.texts(amount.dictionary)
  const areThere =
    areWithin(from.at, 0, fromTexts.length) &&
    areWithin(to.at, 0, toTexts.length) &&
    areWithin(amount.at, 0, amounts.length)
  if (!areThere) return null
  const known = new Map<number, number>()
  const probes: Probe[] = []
  const probe = new Int32Array(from.at.length)
  for (let i = 0; i < probe.length; i++) {
    const [f, o, a] = [from.at[i] as number, to.at[i] as number, amount.at[i] as number]
    const key = (f * toTexts.length + o) * amounts.length + a
    let place = known.get(key)
    if (place === undefined) {
      const made = probeOf(fromTexts[f], toTexts[o], amounts[a])
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
  const amount = parseAmount(amountText, from)
  return amount.ok && amount.value >= 0n ? { from, to, amount: amount.value } : null
}

function assetOf(text: string): Asset | null {
  return ASSETS.find((asset) => asset === text) ?? null
}

/** What the values of a dictionary page are, by the type of its column. */
const readDictionary = { texts: readTexts, longs: readLongs, ints: readInts }

const UTF8 = new TextDecoder('utf-8', { fatal: true })
const LENGTH_BYTES = 4

/** The texts of a dictionary; throws where they are no UTF-8 or end early. */
function readTexts({ bytes, size }: Dictionary): string[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const texts: string[] = []
  let at = 0
  for (let i = 0; i < size; i++) {
    const end = at + LENGTH_BYTES + view.getUint32(at, true)
    if (end > bytes.length) throw new RangeError('a dictionary ends early')
    texts.push(UTF8.decode(bytes.subarray(at + LENGTH_BYTES, end)))
    at = end
  }
  return texts
}

/** The whole numbers of 64 bits of a dictionary, as doubles; throws where they end early. */
function readLongs({ bytes, size }: Dictionary): Float64Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return Float64Array.from({ length: size }, (_, i) => Number(view.getBigInt64(i * 8, true)))
}

/** The whole numbers of 32 bits of a dictionary; throws where they end early. */
function readInts({ bytes, size }: Dictionary): Int32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return Int32Array.from({ length: size }, (_, i) => view.getInt32(i * 4, true))
}

/** Whether every place is from `lowest` to below `end`. */
function areWithin(places: Int32Array, lowest: number, end: number): boolean {
  for (let i = 0; i < places.length; i++) {
    const place = places[i] as number
    if (place < lowest || place >= end) return false
  }
  return true
}

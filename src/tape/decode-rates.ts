import { parseRate, type Rate } from '../money/rate.ts'
import { areTimes } from './are-times.ts'
import { areWithin } from './are-within.ts'
import { readTimes, readPlaces, type RawColumn } from './raw-column.ts'
import { readDictionary } from './read-dictionary.ts'
import type { RateColumns } from './tape-batch.ts'

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

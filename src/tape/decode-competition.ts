import { parseAmount } from '../money/amount.ts'
import { ASSETS, type Asset } from '../money/asset.ts'
import { areWithin } from './are-within.ts'
import { readTimes, readPlaces, type Places, type RawColumn } from './raw-column.ts'
import { readDictionary } from './read-dictionary.ts'
import type { CompetitionColumns, Probe } from './tape-batch.ts'

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

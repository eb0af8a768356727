import type { Rate } from '../money/rate.ts'
import type { CompetitionColumns, Probe, RateColumns, TapeBatch } from './tape-batch.ts'
import type { CompetitionRow, RateRow, TapeRow } from './tape-row.ts'

/** The same rows by columns. They have to be in the order of a tape already. */
export function batchOfRows(rows: readonly TapeRow[]): TapeBatch {
  return {
    rows: rows.length,
    rates: rateColumns(rows.filter((row) => row.type === 'rate')),
    competition: competitionColumns(rows.filter((row) => row.type === 'competition')),
    references: rows.filter((row) => row.type === 'reference'),
    balances: rows.filter((row) => row.type === 'balances'),
    quotes: rows.filter((row) => row.type === 'quote'),
    fills: rows.filter((row) => row.type === 'fill'),
    decisions: rows.filter((row) => row.type === 'decision'),
  }
}

function rateColumns(rows: readonly RateRow[]): RateColumns {
  const mids = new Map<Rate, number>()
  const columns = {
    length: rows.length,
    t: new Float64Array(rows.length),
    mid: new Int32Array(rows.length),
    mids: [] as Rate[],
    rateUpdatedAt: new Float64Array(rows.length),
    quotable: new Int8Array(rows.length),
  }
  for (const [i, row] of rows.entries()) {
    columns.t[i] = row.t
    columns.mid[i] = indexOf(mids, row.mid, columns.mids, row.mid)
    columns.rateUpdatedAt[i] = row.rateUpdatedAt ?? Number.NaN
    columns.quotable[i] = row.quotable === null ? -1 : Number(row.quotable)
  }
  return columns
}

function competitionColumns(rows: readonly CompetitionRow[]): CompetitionColumns {
  const probes = new Map<string, number>()
  const columns = {
    length: rows.length,
    t: new Float64Array(rows.length),
    probe: new Int32Array(rows.length),
    probes: [] as Probe[],
    bidBps: new Int16Array(rows.length),
    askBps: new Int16Array(rows.length),
  }
  for (const [i, { t, from, to, amount, bidBps, askBps }] of rows.entries()) {
    columns.t[i] = t
    columns.probe[i] = indexOf(probes, `${from} ${to} ${amount}`, columns.probes, { from, to, amount })
    columns.bidBps[i] = bidBps ?? -1
    columns.askBps[i] = askBps ?? -1
  }
  return columns
}

/** The place of `value` in `values`, where it is put if its key is new. */
function indexOf<K, V>(places: Map<K, number>, key: K, values: V[], value: V): number {
  const known = places.get(key)
  if (known !== undefined) return known
  places.set(key, values.length)
  return values.push(value) - 1
}

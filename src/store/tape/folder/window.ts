import type { Ms } from '../../../base/time.ts'
import type { CompetitionColumns, RateColumns, TapeBatch } from '../model/batch.ts'

/** Splits a batch into the rows before `t` and those from `t` on. Columns are views of the same memory. */
export function splitBatch(batch: TapeBatch, t: Ms): readonly [TapeBatch, TapeBatch] {
  const rate = placeOf(t, batch.rates.length, (i) => batch.rates.t[i] as number)
  const competition = placeOf(t, batch.competition.length, (i) => batch.competition.t[i] as number)
  const lists = {
    references: splitRows(batch.references, t),
    balances: splitRows(batch.balances, t),
    quotes: splitRows(batch.quotes, t),
    fills: splitRows(batch.fills, t),
    decisions: splitRows(batch.decisions, t),
  }
  const half = (side: 0 | 1, rates: RateColumns, columns: CompetitionColumns): TapeBatch => {
    const rows = {
      references: lists.references[side],
      balances: lists.balances[side],
      quotes: lists.quotes[side],
      fills: lists.fills[side],
      decisions: lists.decisions[side],
    }
    const listed = Object.values(rows).reduce((sum, list) => sum + list.length, 0)
    return { rows: rates.length + columns.length + listed, rates, competition: columns, ...rows }
  }
  return [
    half(0, sliceRates(batch.rates, 0, rate), sliceCompetition(batch.competition, 0, competition)),
    half(
      1,
      sliceRates(batch.rates, rate, batch.rates.length),
      sliceCompetition(batch.competition, competition, batch.competition.length),
    ),
  ]
}

function sliceRates(columns: RateColumns, from: number, to: number): RateColumns {
  return {
    length: to - from,
    t: columns.t.subarray(from, to),
    mid: columns.mid.subarray(from, to),
    mids: columns.mids,
    rateUpdatedAt: columns.rateUpdatedAt.subarray(from, to),
    quotable: columns.quotable.subarray(from, to),
  }
}

function sliceCompetition(columns: CompetitionColumns, from: number, to: number): CompetitionColumns {
  return {
    length: to - from,
    t: columns.t.subarray(from, to),
    probe: columns.probe.subarray(from, to),
    probes: columns.probes,
    bidBps: columns.bidBps.subarray(from, to),
    askBps: columns.askBps.subarray(from, to),
    own: columns.own.subarray(from, to),
  }
}

function splitRows<Row extends { readonly t: Ms }>(
  rows: readonly Row[],
  t: Ms,
): readonly [readonly Row[], readonly Row[]] {
  const at = placeOf(t, rows.length, (i) => (rows[i] as Row).t)
  return [rows.slice(0, at), rows.slice(at)]
}

/** Returns the index of the first of `length` ascending times that is not before `t`. */
function placeOf(t: Ms, length: number, timeAt: (i: number) => Ms): number {
  let at = 0
  let end = length
  while (at < end) {
    const middle = (at + end) >>> 1
    if (timeAt(middle) < t) at = middle + 1
    else end = middle
  }
  return at
}

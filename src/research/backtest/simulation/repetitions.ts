import type {
  CompetitionColumns,
  RateColumns,
  TapeBatch,
  TapeSource,
} from '../../../store/tape/model/batch.ts'
import type { BalancesRow } from '../../../store/tape/model/row.ts'
import { createBatchWalker } from './batch-walker.ts'

/**
 * Returns the tape without the rows that a backtest passes over, for many backtests over one tape: their results are equal.
 * A batch keeps its count of rows and the last row of each kind, at which its time ends.
 */
export function withoutRepetitions({ batches, problems }: TapeSource): TapeSource {
  return {
    problems,
    async *batches() {
      const shorten = createShortener()
      for await (const batch of batches()) yield shorten(batch)
    },
  }
}

function createShortener(): (batch: TapeBatch) => TapeBatch {
  const kept = { rates: [] as number[], rivals: [] as number[], balances: [] as BalancesRow[] }
  const ignore = (): void => undefined
  const walk = createBatchWalker({
    before: ignore,
    rates: (_batch, row) => {
      kept.rates.push(row)
      return row + 1
    },
    reference: ignore,
    competition: (_t, _batch, row) => void kept.rivals.push(row),
    balances: (row) => {
      kept.balances.push(row)
      return false
    },
    quote: ignore,
    fill: ignore,
  })
  return (batch) => {
    kept.rates = []
    kept.rivals = []
    kept.balances = []
    walk(batch)
    const { rates, competition } = batch
    const lastBalances = batch.balances.at(-1)
    if (lastBalances !== undefined && kept.balances.at(-1) !== lastBalances) kept.balances.push(lastBalances)
    return {
      ...batch,
      rates: ratesAt(rates, withLast(kept.rates, rates.length)),
      competition: competitionAt(competition, withLast(kept.rivals, competition.length)),
      balances: kept.balances,
    }
  }
}

function withLast(rows: number[], length: number): Int32Array {
  if (length > 0 && rows.at(-1) !== length - 1) rows.push(length - 1)
  return Int32Array.from(rows)
}

function ratesAt({ t, mid, mids, rateUpdatedAt, quotable }: RateColumns, rows: Int32Array): RateColumns {
  return {
    length: rows.length,
    t: Float64Array.from(rows, (row) => t[row]!),
    mid: rows.map((row) => mid[row]!),
    mids,
    rateUpdatedAt: Float64Array.from(rows, (row) => rateUpdatedAt[row]!),
    quotable: Int8Array.from(rows, (row) => quotable[row]!),
  }
}

function competitionAt(
  { t, probe, probes, bidBps, askBps, own }: CompetitionColumns,
  rows: Int32Array,
): CompetitionColumns {
  return {
    length: rows.length,
    t: Float64Array.from(rows, (row) => t[row]!),
    probe: rows.map((row) => probe[row]!),
    probes,
    bidBps: Int16Array.from(rows, (row) => bidBps[row]!),
    askBps: Int16Array.from(rows, (row) => askBps[row]!),
    own: Int8Array.from(rows, (row) => own[row]!),
  }
}

import { invariant } from '../base/invariant.ts'
import type { CompetitionColumns, RateColumns } from './tape-batch.ts'
import type { CompetitionRow, RateRow } from './tape-row.ts'

/** Row `i` of the rates of a batch. */
export function rateRowOfColumns(columns: RateColumns, i: number): RateRow {
  const updatedAt = existing(columns.rateUpdatedAt[i])
  const quotable = existing(columns.quotable[i])
  return {
    type: 'rate',
    t: existing(columns.t[i]),
    mid: existing(columns.mids[existing(columns.mid[i])]),
    rateUpdatedAt: Number.isNaN(updatedAt) ? null : updatedAt,
    quotable: quotable < 0 ? null : quotable === 1,
  }
}

/** Row `i` of the competition of a batch. */
export function competitionRowOfColumns(columns: CompetitionColumns, i: number): CompetitionRow {
  const [bidBps, askBps] = [existing(columns.bidBps[i]), existing(columns.askBps[i])]
  return {
    type: 'competition',
    t: existing(columns.t[i]),
    ...existing(columns.probes[existing(columns.probe[i])]),
    bidBps: bidBps < 0 ? null : bidBps,
    askBps: askBps < 0 ? null : askBps,
  }
}

function existing<T>(value: T | undefined): T {
  invariant(value !== undefined, 'the columns of a batch are as long as it says')
  return value
}

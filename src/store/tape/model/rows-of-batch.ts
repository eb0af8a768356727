import { invariant } from '../../../base/result.ts'
import type { CompetitionColumns, RateColumns, TapeBatch } from './batch.ts'
import type { CompetitionRow, RateRow, TapeRow } from './row.ts'

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
  const own = existing(columns.own[i])
  return {
    type: 'competition',
    t: existing(columns.t[i]),
    ...existing(columns.probes[existing(columns.probe[i])]),
    bidBps: bidBps < 0 ? null : bidBps,
    askBps: askBps < 0 ? null : askBps,
    ...(own < 0 ? {} : { own: own === 1 }),
  }
}

function existing<T>(value: T | undefined): T {
  invariant(value !== undefined, 'the columns of a batch are as long as it says')
  return value
}

/** The rows of a batch in the order of a tape. */
export function* rowsOfBatch(batch: TapeBatch): Generator<TapeRow, undefined> {
  // In the order of ROW_KINDS: of equal times the first one is taken.
  const tracks: readonly Track[] = [
    { t: batch.rates.t, row: (i) => rateRowOfColumns(batch.rates, i), next: 0 },
    trackOf(batch.references),
    { t: batch.competition.t, row: (i) => competitionRowOfColumns(batch.competition, i), next: 0 },
    trackOf(batch.balances),
    trackOf(batch.quotes),
    trackOf(batch.fills),
    trackOf(batch.decisions),
  ]
  for (;;) {
    let first: Track | null = null
    let earliest = Number.POSITIVE_INFINITY
    for (const track of tracks) {
      const t = track.t[track.next] ?? Number.POSITIVE_INFINITY
      if (t >= earliest) continue
      first = track
      earliest = t
    }
    if (first === null) return
    yield first.row(first.next++)
  }
}

type Track = {
  readonly t: ArrayLike<number>
  readonly row: (i: number) => TapeRow
  next: number
}

function trackOf(rows: readonly TapeRow[]): Track {
  const row = (i: number): TapeRow => {
    const found = rows[i]
    invariant(found !== undefined, 'a track has a row for each of its times')
    return found
  }
  return { t: rows.map(({ t }) => t), row, next: 0 }
}

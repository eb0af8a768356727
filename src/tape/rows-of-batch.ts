import { invariant } from '../base/invariant.ts'
import { competitionRowOfColumns, rateRowOfColumns } from './row-of-columns.ts'
import type { TapeBatch } from './tape-batch.ts'
import type { TapeRow } from './tape-row.ts'

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

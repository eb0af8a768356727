import { invariant } from '../base/invariant.ts'
import type { CompetitionColumns, RateColumns, TapeBatch, TapeSource } from './tape-batch.ts'
import { ROW_KINDS, type CompetitionRow, type RateRow, type TapeRow } from './tape-row.ts'

/** The rows of a tape one by one, in its order. */
export async function* readRows(source: TapeSource): AsyncGenerator<TapeRow, undefined> {
  for await (const batch of source.batches()) yield* rowsOfBatch(batch)
}

/** The rows of a batch in the order of a tape. */
export function* rowsOfBatch(batch: TapeBatch): Generator<TapeRow, undefined> {
  const tracks: readonly Track[] = [
    { t: (i) => batch.rates.t[i], row: (i) => rateRow(batch.rates, i) },
    trackOf(batch.references),
    { t: (i) => batch.competition.t[i], row: (i) => competitionRow(batch.competition, i) },
    trackOf(batch.balances),
    trackOf(batch.quotes),
    trackOf(batch.fills),
    trackOf(batch.decisions),
  ]
  const next = new Int32Array(ROW_KINDS.length)
  for (;;) {
    let first = -1
    let firstT = Number.POSITIVE_INFINITY
    for (const [kind, track] of tracks.entries()) {
      const t = track.t(next[kind] ?? 0) ?? Number.POSITIVE_INFINITY
      if (t >= firstT) continue
      first = kind
      firstT = t
    }
    const track = tracks[first]
    if (track === undefined) return
    yield track.row(next[first] ?? 0)
    next[first] = (next[first] ?? 0) + 1
  }
}

type Track = {
  /** Undefined past the end. */
  readonly t: (i: number) => number | undefined
  readonly row: (i: number) => TapeRow
}

function trackOf(rows: readonly TapeRow[]): Track {
  return { t: (i) => rows[i]?.t, row: (i) => existing(rows[i]) }
}

function rateRow(columns: RateColumns, i: number): RateRow {
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

function competitionRow(columns: CompetitionColumns, i: number): CompetitionRow {
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

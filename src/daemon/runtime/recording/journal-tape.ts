import type { Ms } from '../../../base/time.ts'
import { encodeJson } from '../../../base/codec.ts'
import {
  batchOfRows,
  type TapeBatch,
  type TapeSource,
  type TapeWindow,
} from '../../../store/tape/model/batch.ts'
import { compareRows } from '../../../store/tape/model/encode-row.ts'
import type { TapeFill, QuoteRow, TapeRow } from '../../../store/tape/model/row.ts'

/** Collects the market rows of a journal; repeating rows only when they change. */
export type JournalTape = {
  readonly add: (rows: readonly TapeRow[]) => void
  /** Returns all rows, or those in the window including the values in force at its start. */
  readonly source: (window?: TapeWindow) => TapeSource & { readonly rows: number }
  readonly fills: () => readonly TapeFill[]
  readonly quotes: () => readonly QuoteRow[]
}

/** Keeps only the first of repeated rows: a backtest skips the others anyway. */
export function createJournalTape(): JournalTape {
  const rows: TapeRow[] = []
  const last = new Map<string, string>()
  let seenUntil: Ms = 0

  return {
    add(more) {
      for (const row of more) {
        if (row.type === 'decision') continue
        seenUntil = Math.max(seenUntil, row.t)
        const key = repeatKey(row)
        if (key !== null) {
          const text = repeatText(row)
          if (last.get(key) === text) continue
          last.set(key, text)
        }
        rows.push(row)
      }
    },
    source(window = {}) {
      const end = Math.min(seenUntil, (window.to ?? Infinity) - 1)
      const ordered = inWindow([...rows, ...shownAt(end, rows)].toSorted(compareRows), window)
      return {
        rows: ordered.length,
        batches: () => inBatches(ordered),
        problems: () => [],
      }
    },
    fills: () => rows.filter((row) => row.type === 'fill'),
    quotes: () => rows.filter((row) => row.type === 'quote'),
  }
}

const BATCH_ROWS = 16_384

/** Batches of whole moments. */
function* inBatches(rows: readonly TapeRow[]): Generator<TapeBatch> {
  for (let start = 0, end; start < rows.length; start = end) {
    end = start + BATCH_ROWS
    while (rows[end] !== undefined && rows[end]?.t === rows[end - 1]?.t) end += 1
    yield batchOfRows(rows.slice(start, end))
  }
}

/** Adds the rate in force at `end`, so quiet time at the end counts too. */
function shownAt(end: Ms, rows: readonly TapeRow[]): readonly TapeRow[] {
  const before = rows.filter(({ t }) => t <= end)
  const rate = before.findLast(({ type }) => type === 'rate')
  return rate === undefined || before.some(({ t }) => t === end) ? [] : [{ ...rate, t: end }]
}

/** Rows of one key repeat each other. */
function repeatKey(row: TapeRow): string | null {
  if (row.type === 'rate' || row.type === 'balances') return row.type
  return row.type === 'competition' ? `${row.from} ${row.to} ${row.amount}` : null
}

function repeatText(row: TapeRow): string {
  if (row.type === 'rate') return `${row.mid} ${row.rateUpdatedAt} ${row.quotable}`
  if (row.type === 'balances') return encodeJson(row.amounts)
  return row.type === 'competition' ? `${row.bidBps} ${row.askBps} ${row.own}` : row.type
}

/** Returns the rows of the window; the values in force at its start are repeated there. */
function inWindow(rows: readonly TapeRow[], { from = 0, to = Infinity }: TapeWindow): readonly TapeRow[] {
  const within = rows.filter(({ t }) => t >= from && t < to)
  if (within.length === 0) return []
  const standing = new Map<string, TapeRow>()
  for (const row of rows) {
    if (row.t >= from) break
    if (row.type !== 'fill') standing.set(repeatKey(row) ?? standingKey(row), { ...row, t: from })
  }
  return [...[...standing.values()].sort(compareRows), ...within]
}

/** Returns the key that a row replaces: each source has its own fair value. */
function standingKey(row: TapeRow): string {
  return row.type === 'reference' ? `reference ${row.source}` : row.type
}

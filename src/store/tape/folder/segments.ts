import type { Ms } from '../../../base/time.ts'
import { batchOfRows, type Segment, type TapeBatch, type TapeWindow, rowsOfBatch } from '../model/batch.ts'
import { type FillDedup, type ReadContext, lostRows } from '../model/problems.ts'
import { splitBatch } from './window.ts'
import { compareRows } from '../model/encode-row.ts'
import type { TapeFill } from '../model/row.ts'

/** The segments of a day, opened only when its time has come. */
export type SegmentGroup = { readonly startsAt: Ms; readonly open: () => readonly Segment[] }

/**
 * Yields the rows of all segments in tape order. A segment is in memory from the time of its first row to its last, so
 * memory holds one row group per kind and overlapping file.
 */
export async function* readSegments(
  groups: readonly SegmentGroup[],
  { from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY }: TapeWindow,
  { log, fills }: ReadContext,
): AsyncGenerator<TapeBatch, undefined> {
  const closed = groups.toSorted((a, b) => a.startsAt - b.startsAt)
  let waiting: Segment[] = []
  let held: Part[] = []
  let done: Ms = from

  async function hold(segment: Segment): Promise<void> {
    const [, asked] = splitBatch(await segment.load(), from)
    const [late, rest] = splitBatch(asked, done)
    if (rest.rows > 0) held.push({ batch: rest, segment })
    if (late.rows === 0) return
    const message = `${late.rows} rows are older than rows of files before it: skipped`
    const { file, at } = segment
    log.add('backwards', { file, at, message, ...lostRows(late.rows, late.fills.length) })
  }

  for (;;) {
    // Every unloaded row is at `next` or later, so older rows can be emitted.
    const next = Math.min(closed[0]?.startsAt ?? to, waiting[0]?.startsAt ?? to, to)
    if (held.every(({ batch }) => startOf(batch) >= next)) {
      if (next >= to) return
      if (closed[0] !== undefined && closed[0].startsAt <= next) {
        const opened = closed.shift()?.open() ?? []
        waiting = [...waiting, ...opened].sort((a, b) => a.startsAt - b.startsAt)
      } else {
        const segment = waiting.shift()
        if (segment !== undefined) await hold(segment)
      }
      continue
    }
    const parts = held.map(({ batch, segment }) => ({ segment, halves: splitBatch(batch, next) }))
    held = parts.flatMap(({ segment, halves: [, batch] }) => (batch.rows > 0 ? [{ segment, batch }] : []))
    done = next
    const batch = mergeBatches(
      parts.map(({ segment, halves }) => ({ segment, batch: halves[0] })),
      fills,
    )
    if (batch.rows > 0) yield batch
  }
}

function startOf(batch: TapeBatch): Ms {
  const lists = [batch.references, batch.balances, batch.quotes, batch.fills, batch.decisions]
  const firsts = [batch.rates.t[0], batch.competition.t[0], ...lists.map(([row]) => row?.t)]
  return Math.min(...firsts.map((t) => t ?? Number.POSITIVE_INFINITY))
}

/** Rows and where they come from. */
type Part = { readonly batch: TapeBatch; readonly segment: Segment }

/** Merges several ordered batches into one. A repeated fill is reported and dropped. */
function mergeBatches(parts: readonly Part[], fills: FillDedup): TapeBatch {
  const merged: Omit<TapeBatch, 'rows' | 'fills'> = {
    rates: merge(parts, 'rates'),
    competition: merge(parts, 'competition'),
    references: merge(parts, 'references'),
    balances: merge(parts, 'balances'),
    quotes: merge(parts, 'quotes'),
    decisions: merge(parts, 'decisions'),
  }
  const admitted = mergeFills(parts, fills)
  const rows = Object.values(merged).reduce((sum, { length }) => sum + length, admitted.length)
  return { rows, ...merged, fills: admitted }
}

const NOTHING = batchOfRows([])

/** Merges one list or set of columns; reuses it if only one part has rows, the usual case. */
function merge<K extends Exclude<keyof TapeBatch, 'rows'>>(parts: readonly Part[], kind: K): TapeBatch[K] {
  const some = parts.map(({ batch }) => batch[kind]).filter(({ length }) => length > 0)
  const [first] = some
  if (first === undefined) return NOTHING[kind]
  if (some.length === 1) return first
  const rows = some.flatMap((each) => [...rowsOfBatch({ ...NOTHING, [kind]: each })])
  return batchOfRows(rows.sort(compareRows))[kind]
}

function mergeFills(parts: readonly Part[], fills: FillDedup): readonly TapeFill[] {
  const entries = parts.flatMap(({ batch, segment }) => batch.fills.map((row) => ({ row, segment })))
  const from = new Set(entries.map(({ segment }) => segment))
  if (from.size > 1) entries.sort((a, b) => compareRows(a.row, b.row))
  return entries
    .filter(({ row, segment }) => fills.admits(row, segment.file, segment.at))
    .map(({ row }) => row)
}

import type { Ms } from '../base/time.ts'
import { mergeBatches, type Part } from './merge-batches.ts'
import type { ReadingDesk } from './reading-desk.ts'
import type { Segment } from './segment.ts'
import { splitBatch } from './split-batch.ts'
import type { TapeBatch, TapeWindow } from './tape-batch.ts'

/** Segments that are looked for only when their time has come: those of a day. */
export type SegmentGroup = { readonly startsAt: Ms; readonly open: () => readonly Segment[] }

/**
 * The rows of all segments in the order of a tape. A segment is in memory from the time of its first row to
 * that of its last, so what is held at once is one row group per kind and overlapping file.
 */
export function* readSegments(
  groups: readonly SegmentGroup[],
  { from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY }: TapeWindow,
  { log, fills }: ReadingDesk,
): Generator<TapeBatch, undefined> {
  const closed = groups.toSorted((a, b) => a.startsAt - b.startsAt)
  let waiting: Segment[] = []
  let held: Part[] = []
  let done: Ms = from

  function hold(segment: Segment): void {
    const [, asked] = splitBatch(segment.load(), from)
    const [late, rest] = splitBatch(asked, done)
    if (rest.rows > 0) held.push({ batch: rest, segment })
    if (late.rows === 0) return
    const message = `${late.rows} rows are older than rows of files before it: skipped`
    log.add('backwards', { file: segment.file, at: segment.at, message, skipped: late.rows })
  }

  for (;;) {
    // Whatever is not held yet begins at `next` or later: what is older can go out.
    const next = Math.min(closed[0]?.startsAt ?? to, waiting[0]?.startsAt ?? to, to)
    if (held.every(({ batch }) => startOf(batch) >= next)) {
      if (next >= to) return
      if (closed[0] !== undefined && closed[0].startsAt <= next) {
        const opened = closed.shift()?.open() ?? []
        waiting = [...waiting, ...opened].sort((a, b) => a.startsAt - b.startsAt)
      } else {
        const segment = waiting.shift()
        if (segment !== undefined) hold(segment)
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

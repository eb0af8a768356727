import { StoreReadError } from '../../../store/failure.ts'
import type { TapeWriter } from '../../../store/tape/writer/writer.ts'
import type { TapeRow } from '../../../store/tape/model/row.ts'
import { MINUTE_MS } from '../../../base/time.ts'
import { encodeRow } from '../../../store/tape/model/encode-row.ts'
import { openTape } from '../../../store/tape/folder/open-tape.ts'
import { rowsOfBatch } from '../../../store/tape/model/batch.ts'

type CatchUp = {
  readonly folder: string
  readonly writer: TapeWriter
  /** Events after the last one known to be on the tape and before the replayed ones; empty if from > to. */
  readonly missing: { readonly from: number; readonly to: number }
  /** The rows of the replayed events. */
  readonly replayed: readonly TapeRow[]
  /** Rows of events that were not replayed. Throws StoreReadError. */
  readonly earlier: (from: number, to: number) => AsyncIterable<readonly TapeRow[]>
  readonly append: (rows: readonly TapeRow[]) => void
  readonly onNotice: (message: string) => void
}

/**
 * Completes a tape up to the end of the previous process's journal: it may have all, some or none of the rows after the cursor.
 * Rows missing before the start of the replay are read from the journal.
 */
export async function catchUpTape(completion: CatchUp): Promise<void> {
  const { folder, writer, missing, replayed, earlier, append, onNotice } = completion
  async function addMissing(rows: readonly TapeRow[]): Promise<void> {
    await writer.flush()
    append(await rowsNotOnTape(folder, rows))
  }
  const { from, to } = missing
  if (from <= to) {
    try {
      for await (const rows of earlier(from, to)) await addMissing(rows)
    } catch (error) {
      if (!(error instanceof StoreReadError)) throw error
      onNotice(`the tape lacks some of events ${from} to ${to}: ${error.message}`)
    }
  }
  await addMissing(replayed)
}

/** Tolerance for the time of a fill, which may have been recorded slightly differently. */
const SLACK_MS = MINUTE_MS

/** Returns the rows that the tape in `folder` lacks, in order; a row given twice may be missing once. */
async function rowsNotOnTape(folder: string, rows: readonly TapeRow[]): Promise<readonly TapeRow[]> {
  const [first] = rows
  if (first === undefined) return rows
  let [from, to] = [first.t, first.t]
  for (const { t } of rows) [from, to] = [Math.min(from, t), Math.max(to, t)]
  const tape = openTape(folder, { window: { from: from - SLACK_MS, to: to + SLACK_MS }, decisions: true })
  // A folder without a recording yet.
  if (!tape.ok) return rows
  const times = new Set(rows.map(({ t }) => t))
  const there = new Map<string, number>()
  for await (const batch of tape.value.batches()) {
    for (const row of rowsOfBatch(batch)) {
      if (row.type !== 'fill' && !times.has(row.t)) continue
      const key = keyOf(row)
      there.set(key, (there.get(key) ?? 0) + 1)
    }
  }
  return rows.filter((row) => {
    const key = keyOf(row)
    const count = there.get(key) ?? 0
    there.set(key, count - 1)
    return count <= 0
  })
}

/**
 * Fills are compared by id, quotes by time and probes by what they showed, because rows made without the core may
 * have fewer details of them.
 */
function keyOf(row: TapeRow): string {
  if (row.type === 'fill') return `fill ${row.id}`
  if (row.type === 'quote') return `quote ${row.t}`
  if (row.type !== 'competition') return encodeRow(row)
  const { own: _own, ...shown } = row
  return encodeRow(shown)
}

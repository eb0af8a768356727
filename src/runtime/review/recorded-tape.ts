import type { StorePlace } from '../../store/place.ts'
import { err, errorText, ok, type Result } from '../../base/result.ts'
import { DAY_MS, type Ms } from '../../base/time.ts'
import { StoreReadError } from '../../store/failure.ts'
import { openReader, type StoreReader } from '../../store/open-reader.ts'
import { openTape } from '../../tape/folder/open-tape.ts'
import type { TapeBatch, TapeSource } from '../../tape/model/batch.ts'
import { journalRows } from '../recording/journal-rows.ts'
import { createJournalTape } from '../recording/journal-tape.ts'

/** Where a position keeps what it saw and did. Plain data. */
export type RecordedPosition = {
  /** Its recording; null = nothing is recorded, and the journal is read. */
  readonly tapeFolder: string | null
  readonly store: StorePlace
  readonly mode: 'live' | 'dry-run'
}

export type RecordedWindow = { readonly from: Ms; readonly to: Ms }

/** The journal has a quote where it was set or the position came into the market: so much before the window is read for it. */
const LEAD_IN_MS = DAY_MS

/**
 * What a position recorded in a window, with what stood at its beginning. Without a recording it is made from the
 * journal, which lacks whose quote a probe showed. The error says what is missing.
 */
export async function recordedTape(
  where: RecordedPosition,
  window: RecordedWindow,
): Promise<Result<TapeSource, string>> {
  const { tapeFolder } = where
  try {
    const opened =
      tapeFolder === null
        ? ok(await journalSource(where, window))
        : openTape(tapeFolder, { window, standing: true })
    if (!opened.ok) return opened
    const rows = await countRows(opened.value)
    return rows > 0 ? opened : err('nothing is recorded of this time yet')
  } catch (error) {
    // What is no error of a file is a bug, and shows where it is.
    if (error instanceof StoreReadError) return err(errorText(error))
    throw error
  }
}

async function countRows(source: TapeSource): Promise<number> {
  let rows = 0
  for await (const batch of source.batches() as AsyncIterable<TapeBatch>) {
    rows += batch.rows
    if (rows > 0) break
  }
  return rows
}

async function journalSource({ store, mode }: RecordedPosition, window: RecordedWindow): Promise<TapeSource> {
  const tape = createJournalTape()
  const range = eventsIn(store, window)
  for await (const rows of journalRows(store, { ...range, mode })) tape.add(rows)
  return tape.source(window)
}

/** Numbers of the events of the window, and of those shortly before it. */
function eventsIn(store: StorePlace, { from, to }: RecordedWindow): { from: number; to: number } {
  const opened = openReader(store)
  if (!opened.ok) throw new StoreReadError(opened.error)
  const reader = opened.value
  try {
    return { from: firstEventAt(reader, from - LEAD_IN_MS), to: firstEventAt(reader, to) - 1 }
  } finally {
    reader.close()
  }
}

/** The first event at `t` or later, by halving: events are numbered in the order of their time. */
function firstEventAt(reader: Pick<StoreReader, 'firstSeq' | 'lastSeq' | 'journal'>, t: Ms): number {
  let low = Math.max(1, reader.firstSeq())
  let high = reader.lastSeq() + 1
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const [record] = reader.journal(middle)
    if (record === undefined || record.event.t >= t) high = middle
    else low = middle + 1
  }
  return low
}

import { StoreReadError } from '../store/store-read-error.ts'
import type { TapeWriter } from '../tape/open-tape-writer.ts'
import type { TapeRow } from '../tape/tape-row.ts'
import { rowsNotOnTape } from './rows-not-on-tape.ts'

export type Completion = {
  readonly folder: string
  readonly writer: TapeWriter
  /** Up to this event the tape is known to be whole; 0 = it is new to this journal. */
  readonly marked: number
  /** The first event that was replayed or heard of; null = none was. */
  readonly firstSeq: number | null
  /** The rows of what was replayed beyond the mark. */
  readonly replayed: readonly TapeRow[]
  /** Rows of events that were not replayed. Throws StoreReadError. */
  readonly earlier: (from: number, to: number) => AsyncIterable<readonly TapeRow[]>
  readonly append: (rows: readonly TapeRow[]) => void
  readonly onNotice: (message: string) => void
}

/**
 * Brings a tape up to the end of the journal that the process before left: of the events after the mark it
 * may have all rows, some or none. What lies before the replay's beginning is read from the journal.
 */
export async function completeTape(completion: Completion): Promise<void> {
  const { folder, writer, marked, firstSeq, replayed, earlier, append, onNotice } = completion
  async function addMissing(rows: readonly TapeRow[]): Promise<void> {
    await writer.flush()
    append(await rowsNotOnTape(folder, rows))
  }
  if (marked > 0 && firstSeq !== null && firstSeq > marked + 1) {
    try {
      for await (const rows of earlier(marked + 1, firstSeq - 1)) await addMissing(rows)
    } catch (error) {
      if (!(error instanceof StoreReadError)) throw error
      onNotice(`the tape lacks some of events ${marked + 1} to ${firstSeq - 1}: ${error.message}`)
    }
  }
  await addMissing(replayed)
}

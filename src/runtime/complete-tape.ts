import { StoreReadError } from '../store/store-read-error.ts'
import type { TapeWriter } from '../tape/writer/writer.ts'
import type { TapeRow } from '../tape/model/row.ts'
import { rowsNotOnTape } from './rows-not-on-tape.ts'

export type Completion = {
  readonly folder: string
  readonly writer: TapeWriter
  /** Events after those that the tape is known to hold and before those that were replayed; none if from > to. */
  readonly missing: { readonly from: number; readonly to: number }
  /** The rows of what was replayed. */
  readonly replayed: readonly TapeRow[]
  /** Rows of events that were not replayed. Throws StoreReadError. */
  readonly earlier: (from: number, to: number) => AsyncIterable<readonly TapeRow[]>
  readonly append: (rows: readonly TapeRow[]) => void
  readonly onNotice: (message: string) => void
}

/**
 * Brings a tape up to the end of the journal that the process before left: of the events after the mark it
 * may have all rows, some or none. What is missing before the replay's beginning is read from the journal.
 */
export async function completeTape(completion: Completion): Promise<void> {
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

import { rowsOfBatch } from './rows-of-batch.ts'
import type { TapeSource } from './tape-batch.ts'
import type { TapeRow } from './tape-row.ts'

/** The rows of a tape one by one, in its order. */
export async function* readRows(source: TapeSource): AsyncGenerator<TapeRow, undefined> {
  for await (const batch of source.batches()) yield* rowsOfBatch(batch)
}

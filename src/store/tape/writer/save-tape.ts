import type { TapeRow } from '../model/row.ts'
import { err, type Result } from '../../../base/result.ts'
import { writeTape } from './write-tape.ts'
import { writeText, type WrittenTape } from '../text/write-text.ts'

/** Writes rows to a new tape: text if `path` ends in .jsonl, otherwise a folder of Parquet files. */
export async function saveTape(
  path: string,
  rows: AsyncIterable<TapeRow> | Iterable<TapeRow>,
): Promise<Result<WrittenTape, string>> {
  if (path.endsWith('.jsonl')) return await writeText(path, rows)
  if (path.endsWith('.parquet')) {
    return err(`${path}: a tape of Parquet is a folder with a file for each kind of row; name a folder`)
  }
  return await writeTape(path, rows)
}

import { statSync } from 'node:fs'
import { parquetMetadata, type FileMetaData } from 'hyparquet'
import { errorText } from '../base/error-text.ts'
import { err, ok, type Result } from '../base/result.ts'
import { isSealWhole } from './seal-footer.ts'
import { CREATED_BY, PARQUET_KEY } from './parquet-schema.ts'
import { readBytes } from './read-bytes.ts'

export type Footer = { readonly metadata: FileMetaData; readonly bytes: number }

/** Where a footer nearly always lies in full. */
const TAIL_BYTES = 1 << 16
/** The footer's length and the magic number. */
const END_BYTES = 8
const MAGIC = 'PAR1'

/** The footer of a Parquet file. The error says why it is none or not whole; throws what the file system throws. */
export function readFooter(path: string): Result<Footer, string> {
  const bytes = statSync(path).size
  if (bytes === 0) return err('the file is empty')
  const tail = readBytes(path, Math.max(0, bytes - TAIL_BYTES), bytes)
  if (tail.length < MAGIC.length + END_BYTES || tail.toString('latin1', tail.length - 4) !== MAGIC) {
    return err('it does not end as a Parquet file does: cut off while it was written, or something else')
  }
  const length = tail.readUInt32LE(tail.length - END_BYTES) + END_BYTES
  if (length > bytes - MAGIC.length) return err('the footer is longer than the file: damaged')
  return parse(length <= tail.length ? tail : readBytes(path, bytes - length, bytes), bytes)
}

function parse(end: Buffer<ArrayBuffer>, bytes: number): Result<Footer, string> {
  try {
    const metadata = parquetMetadata(end, { geoparquet: false })
    if (!isWhole(end, metadata)) return err('the footer is damaged (its checksum is wrong)')
    return ok({ metadata, bytes })
  } catch (error) {
    return err(`the footer is damaged (${errorText(error)})`)
  }
}

/** Our own files are sealed; of others nobody can tell. */
function isWhole(end: Buffer, { key_value_metadata: pairs, created_by: by }: FileMetaData): boolean {
  const seal = pairs?.find(({ key }) => key === PARQUET_KEY.seal)?.value
  if (seal !== undefined) return isSealWhole(end, seal)
  return by !== CREATED_BY
}

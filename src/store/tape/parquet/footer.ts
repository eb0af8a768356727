import { closeSync, openSync, readSync, statSync } from 'node:fs'
import { parquetMetadata, type FileMetaData } from 'hyparquet'
import { err, errorText, ok, type Result } from '../../../base/result.ts'
import { CREATED_BY, PARQUET_KEY } from './schema.ts'
import { crc32 } from 'node:zlib'

export type Footer = { readonly metadata: FileMetaData; readonly bytes: number }

/** Nearly every footer fits into these last bytes. */
const TAIL_BYTES = 1 << 16
/** The footer's length and the magic number. */
const END_BYTES = 8
const MAGIC = 'PAR1'

/** Returns the footer of a Parquet file, or why it is missing or incomplete. Throws the file system's error. */
export function readFooter(path: string): Result<Footer, string> {
  const bytes = statSync(path).size
  if (bytes === 0) return err('the file is empty')
  const tail = readBytes(path, Math.max(0, bytes - TAIL_BYTES), bytes)
  if (tail.length < MAGIC.length + END_BYTES || tail.toString('latin1', tail.length - 4) !== MAGIC) {
    return err('it does not end like a Parquet file: cut off while it was written, or another format')
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

/** Verifies our own sealed files; files of other writers have no seal. */
function isWhole(end: Buffer, { key_value_metadata: pairs, created_by: by }: FileMetaData): boolean {
  const seal = pairs?.find(({ key }) => key === PARQUET_KEY.seal)?.value
  if (seal !== undefined) return isSealWhole(end, seal)
  return by !== CREATED_BY
}

/** The seal's value before the checksum is known; the digits replace the zeros. */
export const OPEN_SEAL = 'crc32 00000000'

const DIGITS = 8

/**
 * Seals a footer: Parquet has no footer checksum, so one changed byte could make a column or a row group disappear.
 * Writes the CRC-32 of the footer's bytes, computed with eight zeros as its digits. Takes the end of a file from before
 * the footer on, with `OPEN_SEAL` in it.
 */
export function sealFooter(end: Buffer): void {
  const footer = footerOf(end)
  const at = footer.lastIndexOf(OPEN_SEAL) + OPEN_SEAL.length - DIGITS
  footer.write(crc32(footer).toString(16).padStart(DIGITS, '0'), at, 'latin1')
}

/** Returns whether a footer matches `seal`, the value of its key. */
function isSealWhole(end: Buffer, seal: string): boolean {
  const footer = Buffer.from(footerOf(end))
  const digits = seal.slice(-DIGITS)
  const at = footer.lastIndexOf(seal)
  if (at < 0 || seal.length !== OPEN_SEAL.length) return false
  footer.fill('0', at + seal.length - DIGITS, at + seal.length, 'latin1')
  return crc32(footer).toString(16).padStart(DIGITS, '0') === digits
}

function footerOf(end: Buffer): Buffer {
  const length = end.readUInt32LE(end.length - END_BYTES)
  return end.subarray(end.length - END_BYTES - length, end.length - END_BYTES)
}

/** Returns the bytes from `from` up to `to`, fewer at the end of the file. Throws the file system's error. */
export function readBytes(path: string, from: number, to: number): Buffer<ArrayBuffer> {
  const fd = openSync(path, 'r')
  try {
    const bytes = Buffer.allocUnsafeSlow(to - from)
    let read = 0
    while (read < bytes.length) {
      const more = readSync(fd, bytes, read, bytes.length - read, from + read)
      if (more === 0) break
      read += more
    }
    return bytes.subarray(0, read)
  } finally {
    closeSync(fd)
  }
}

import { crc32 } from 'node:zlib'

/** The value of the seal's key while the checksum is not known; the digits take its place. */
export const OPEN_SEAL = 'crc32 00000000'

const DIGITS = 8
/** Metadata's length and the magic number. */
const END_BYTES = 8

/**
 * Parquet has no checksum for its footer, where one changed byte can make a column or a row group disappear. So a
 * footer of ours carries its own: the CRC-32 of its bytes with eight zeros where the digits of that stand. Seals a
 * footer, given the end of a file from before the footer on, which holds `OPEN_SEAL`.
 */
export function sealFooter(end: Buffer): void {
  const footer = footerOf(end)
  const at = footer.lastIndexOf(OPEN_SEAL) + OPEN_SEAL.length - DIGITS
  footer.write(crc32(footer).toString(16).padStart(DIGITS, '0'), at, 'latin1')
}

/** Whether a footer is as it was sealed with `seal`, the value of its key. */
export function isSealWhole(end: Buffer, seal: string): boolean {
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

import { unpack } from './decode-hybrid.ts'

/** Widest delta that is read in one go; wider ones are put together byte by byte. */
const WIDEST = 24
/** Beyond this a double is no exact whole number. */
const WIDEST_EXACT = 53
const LIMIT = Number.MAX_SAFE_INTEGER

/**
 * 64-bit whole numbers as doubles from Parquet's delta encoding. False where the bytes end early, hold another
 * number of values, or a number that no double holds exactly.
 * Source: Apache Parquet format, Encodings.md, "Delta Encoding (DELTA_BINARY_PACKED = 5)".
 */
export function decodeDeltas(bytes: Uint8Array, out: Float64Array): boolean {
  const reader = { bytes, at: 0 }
  const blockSize = varint(reader)
  const miniblocks = varint(reader)
  const count = varint(reader)
  let value = zigzag(varint(reader))
  const perMiniblock = blockSize / miniblocks
  const isWhole = Number.isInteger(perMiniblock) && perMiniblock > 0 && perMiniblock % 8 === 0
  if (!isWhole || count !== out.length || !isExact(value)) return false
  if (count > 0) out[0] = value
  let seen = 1
  while (seen < count) {
    const smallest = zigzag(varint(reader))
    const widths = bytes.subarray(reader.at, reader.at + miniblocks)
    reader.at += miniblocks
    if (!isExact(smallest)) return false
    for (const width of widths) {
      if (seen >= count) break
      const deltas = out.subarray(seen, Math.min(count, seen + perMiniblock))
      const isThere = reader.at + ((deltas.length * width + 7) >> 3) <= bytes.length
      if (!isThere || !unpackWide(bytes, reader.at, width, deltas)) return false
      for (let i = 0; i < deltas.length; i++) {
        value += smallest + (deltas[i] as number)
        deltas[i] = value
      }
      if (!isExact(value)) return false
      reader.at += (perMiniblock * width) >> 3
      seen += deltas.length
    }
    if (widths.length < miniblocks) return false
  }
  return true
}

type Reader = { readonly bytes: Uint8Array; at: number }

/** An unsigned number of 7 bits a byte; not finite where it ends early or is no double. */
function varint(reader: Reader): number {
  let value = 0
  let scale = 1
  for (;;) {
    const byte = reader.bytes[reader.at++]
    if (byte === undefined || scale > LIMIT) return Number.NaN
    value += (byte & 0x7f) * scale
    if (byte < 0x80) return value
    scale *= 128
  }
}

function zigzag(value: number): number {
  return value % 2 === 0 ? value / 2 : -(value + 1) / 2
}

function isExact(value: number): boolean {
  return Math.abs(value) <= LIMIT
}

function unpackWide(bytes: Uint8Array, from: number, width: number, out: Float64Array): boolean {
  if (width <= WIDEST) {
    if (width === 0) out.fill(0)
    else unpack(bytes, from, width, out)
    return true
  }
  if (width > WIDEST_EXACT) return false
  for (let i = 0; i < out.length; i++) {
    let bit = from * 8 + i * width
    let value = 0
    for (let got = 0; got < width;) {
      const take = Math.min(8 - (bit & 7), width - got)
      value += (((bytes[bit >>> 3] as number) >>> (bit & 7)) & ((1 << take) - 1)) * 2 ** got
      got += take
      bit += take
    }
    out[i] = value
  }
  return true
}

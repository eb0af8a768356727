import { unpack } from './decode-hybrid.ts'

/** Widest delta that is read in one go; wider ones are put together bit by bit. */
const WIDEST = 24
/** Beyond this a double is no exact whole number. */
const WIDEST_EXACT = 53
const MAX_MINIBLOCK = 1 << 16
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
  const isUsual = perMiniblock > 0 && perMiniblock <= MAX_MINIBLOCK && perMiniblock % 8 === 0
  if (!isUsual || count !== out.length || !isExact(value)) return false
  if (count > 0) out[0] = value
  const packed = new Int32Array(perMiniblock)
  const wide = new Float64Array(perMiniblock)
  let seen = 1
  while (seen < count) {
    const smallest = zigzag(varint(reader))
    const widths = bytes.subarray(reader.at, reader.at + miniblocks)
    reader.at += miniblocks
    if (!isExact(smallest)) return false
    for (let block = 0; block < miniblocks && seen < count; block++) {
      const width = widths[block] ?? 0
      const end = Math.min(count, seen + perMiniblock)
      if (reader.at + (((end - seen) * width + 7) >> 3) > bytes.length) return false
      if (width > WIDEST_EXACT) return false
      const deltas = width <= WIDEST ? packed : wide
      if (width <= WIDEST) unpack(bytes, reader.at, width, packed, 0, end - seen)
      else unpackWide(bytes, reader.at, width, wide, end - seen)
      for (let i = 0; seen < end; i++) {
        value += smallest + (deltas[i] as number)
        out[seen++] = value
      }
      if (!isExact(value)) return false
      reader.at += (perMiniblock * width) >> 3
    }
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

/** As `unpack`, bit by bit, for the few widths that a pause of hours makes. */
function unpackWide(bytes: Uint8Array, from: number, width: number, out: Float64Array, count: number): void {
  for (let i = 0; i < count; i++) {
    let bit = from * 8 + i * width
    let value = 0
    for (let got = 0; got < width; got++, bit++) {
      value += (((bytes[bit >>> 3] as number) >>> (bit & 7)) & 1) * 2 ** got
    }
    out[i] = value
  }
}

/** The widest delta that is read at once; wider ones are assembled bit by bit. */
const WIDEST = 24
/** Beyond this a double does not hold every whole number exactly. */
const WIDEST_EXACT = 53
const MAX_MINIBLOCK = 1 << 16
const LIMIT = Number.MAX_SAFE_INTEGER

/**
 * Decodes 64-bit integers from Parquet's delta encoding to doubles. False if the bytes end early, hold another number
 * of values, or hold a number that no double represents exactly. Source: Apache Parquet format, Encodings.md, "Delta
 * Encoding (DELTA_BINARY_PACKED = 5)".
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

/** Reads an unsigned number of 7 bits per byte; not finite if it ends early or exceeds a double. */
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

/** Like `unpack`, bit by bit, for the few wide deltas after a pause of hours. */
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

/**
 * Decodes `out.length` integers of `width` bits from Parquet's mixture of runs and bit-packed groups. False if the
 * bytes end early or are wider than supported. Source: Apache Parquet format, Encodings.md, "Run Length Encoding /
 * Bit-Packing Hybrid (RLE = 3)".
 */
export function decodeHybrid(bytes: Uint8Array, width: number, out: Int32Array): boolean {
  if (width === 0) {
    out.fill(0)
    return true
  }
  if (width > WIDEST) return false
  const valueBytes = (width + 7) >> 3
  let at = 0
  let seen = 0
  while (seen < out.length) {
    let header = 0
    let shift = 0
    let byte: number
    do {
      if (at >= bytes.length || shift > 28) return false
      byte = bytes[at++] ?? 0
      header |= (byte & 0x7f) << shift
      shift += 7
    } while (byte > 0x7f)
    const count = header >>> 1
    if (count === 0) return false
    if ((header & 1) === 0) {
      if (at + valueBytes > bytes.length) return false
      let value = 0
      for (let i = 0; i < valueBytes; i++) value |= (bytes[at + i] ?? 0) << (8 * i)
      at += valueBytes
      out.fill(value, seen, Math.min(out.length, seen + count))
      seen += count
    } else {
      const end = Math.min(out.length, seen + count * 8)
      if (at + (((end - seen) * width + 7) >> 3) > bytes.length) return false
      unpack(bytes, at, width, out, seen, end - seen)
      at += count * width
      seen += count * 8
    }
  }
  return true
}

/** Unpacks `count` numbers of `width` bits, at most 24, starting at the lowest bit of the byte at `from`. */
export function unpack(
  bytes: Uint8Array,
  from: number,
  width: number,
  out: Int32Array,
  start: number,
  count: number,
): void {
  const mask = (1 << width) - 1
  let bit = from * 8
  for (let i = 0; i < count; i++) {
    const at = bit >>> 3
    // Bytes past the end read as `undefined`, which these operators treat as 0; the excess is masked away.
    const word =
      (bytes[at] as number) |
      ((bytes[at + 1] as number) << 8) |
      ((bytes[at + 2] as number) << 16) |
      ((bytes[at + 3] as number) << 24)
    out[start + i] = (word >>> (bit & 7)) & mask
    bit += width
  }
}

/** Widest packed number that one 32-bit read holds wherever in a byte it begins. */
const WIDEST = 24

/**
 * `out.length` whole numbers of `width` bits from Parquet's mixture of runs and bit-packed groups. False where the
 * bytes end early or are packed wider than is read here.
 * Source: Apache Parquet format, Encodings.md, "Run Length Encoding / Bit-Packing Hybrid (RLE = 3)".
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

/** Writes `count` numbers of `width` bits, at most 24, packed from the lowest bit of the byte at `from` on. */
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
    // Past the end there is `undefined`, which these operators take for 0; what lies there is masked away.
    const word =
      (bytes[at] as number) |
      ((bytes[at + 1] as number) << 8) |
      ((bytes[at + 2] as number) << 16) |
      ((bytes[at + 3] as number) << 24)
    out[start + i] = (word >>> (bit & 7)) & mask
    bit += width
  }
}

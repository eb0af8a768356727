const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const LENGTH_BYTES = 4
/** A byte from here on belongs to a non-ASCII character. */
const FIRST_BEYOND_ASCII = 0x80
const UINT32_VALUES = 2 ** 32

/**
 * Decoders of a dictionary page or a page of plain values, by column type. Each appends `size` values to `values`;
 * throws if the bytes end early or a text is not UTF-8. Source: Apache Parquet format, Encodings.md, "Plain (PLAIN =
 * 0)".
 */
export const appendPlain = { texts: appendTexts, longs: appendLongs, ints: appendInts }

function appendTexts(bytes: Uint8Array, size: number, values: string[]): void {
  const view = viewOf(bytes)
  // Decodes all bytes to one text and slices it: a decoder call per value costs several times as much.
  const latin1 = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
  let at = 0
  for (let i = 0; i < size; i++) {
    const from = at + LENGTH_BYTES
    const end = from + view.getUint32(at, true)
    if (end > bytes.length) throw new RangeError('a page of texts ends early')
    values.push(isAscii(bytes, from, end) ? latin1.slice(from, end) : UTF8.decode(bytes.subarray(from, end)))
    at = end
  }
}

function isAscii(bytes: Uint8Array, from: number, end: number): boolean {
  for (let i = from; i < end; i++) if ((bytes[i] as number) >= FIRST_BEYOND_ASCII) return false
  return true
}

/** 64-bit integers as doubles: beyond 2^53 the nearest one. */
function appendLongs(bytes: Uint8Array, size: number, values: number[]): void {
  const view = viewOf(bytes)
  for (let at = 0; at < size * 8; at += 8) {
    values.push(view.getInt32(at + 4, true) * UINT32_VALUES + view.getUint32(at, true))
  }
}

/** 32-bit integers. */
function appendInts(bytes: Uint8Array, size: number, values: number[]): void {
  const view = viewOf(bytes)
  for (let i = 0; i < size; i++) values.push(view.getInt32(i * 4, true))
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

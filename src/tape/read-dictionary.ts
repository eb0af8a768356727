import type { Dictionary } from './raw-column.ts'

/** What the values of a dictionary page are, by the type of its column. */
export const readDictionary = { texts: readTexts, longs: readLongs, ints: readInts }

const UTF8 = new TextDecoder('utf-8', { fatal: true })
const LENGTH_BYTES = 4

/** The texts of a dictionary; throws where they are no UTF-8 or end early. */
function readTexts({ bytes, size }: Dictionary): string[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const texts: string[] = []
  let at = 0
  for (let i = 0; i < size; i++) {
    const end = at + LENGTH_BYTES + view.getUint32(at, true)
    if (end > bytes.length) throw new RangeError('a dictionary ends early')
    texts.push(UTF8.decode(bytes.subarray(at + LENGTH_BYTES, end)))
    at = end
  }
  return texts
}

/** The whole numbers of 64 bits of a dictionary, as doubles; throws where they end early. */
function readLongs({ bytes, size }: Dictionary): Float64Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return Float64Array.from({ length: size }, (_, i) => Number(view.getBigInt64(i * 8, true)))
}

/** The whole numbers of 32 bits of a dictionary; throws where they end early. */
function readInts({ bytes, size }: Dictionary): Int32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return Int32Array.from({ length: size }, (_, i) => view.getInt32(i * 4, true))
}

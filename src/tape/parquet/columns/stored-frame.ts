const MAGIC = 0xfd2fb528
/** Of the frame header's first byte: a checksum follows the content, and the content's size says how much memory it takes. */
const [HAS_CHECKSUM, IS_SINGLE_SEGMENT, DICTIONARY_ID, RESERVED] = [0x04, 0x20, 0x03, 0x08]
/** How many bytes hold the content's size in a frame of a single segment, by the two highest bits of the first byte. */
const SIZE_BYTES = [1, 2, 4, 8]
const FIRST_BYTE_AT = 4
const BLOCK_HEADER_BYTES = 3
const CHECKSUM_BYTES = 4
/** Of a block's header: the last block of its frame, of type 0, whose bytes are the content as it is. */
const LAST_AND_RAW = 0b001
const BLOCK_KIND = 0b111

/**
 * The content of a Zstandard frame that holds it as it is, as a view of the same bytes; null where it is compressed or
 * in several blocks. Pages of a few bytes are stored so, and a decompressor costs 30 us to begin with: half of the
 * pages of a year of daily files need none. The frame's own checksum is not compared, so the bytes have to be known to
 * be whole.
 * Source: RFC 8878, sections 3.1.1.1 and 3.1.1.2.
 */
export function storedContent(frame: Uint8Array, size: number): Uint8Array | null {
  const first = frame[FIRST_BYTE_AT] ?? 0
  const hasPlainHeader = (first & IS_SINGLE_SEGMENT) !== 0 && (first & (DICTIONARY_ID | RESERVED)) === 0
  const blockAt = FIRST_BYTE_AT + 1 + (SIZE_BYTES[first >> 6] ?? 0)
  const from = blockAt + BLOCK_HEADER_BYTES
  const checksum = (first & HAS_CHECKSUM) === 0 ? 0 : CHECKSUM_BYTES
  if (!hasPlainHeader || frame.length !== from + size + checksum) return null
  const view = new DataView(frame.buffer, frame.byteOffset, frame.byteLength)
  const block = view.getUint16(blockAt, true) | (view.getUint8(blockAt + 2) << 16)
  const isStored = (block & BLOCK_KIND) === LAST_AND_RAW && block >> 3 === size
  return isStored && view.getUint32(0, true) === MAGIC ? frame.subarray(from, from + size) : null
}

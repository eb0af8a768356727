import { zstdDecompressSync } from 'node:zlib'

/** Pages are a megabyte; what claims to be far more is broken or made to hurt. */
const MAX_BYTES = 1 << 28

/** `packed` unpacked; throws unless that is `size` bytes. */
export function decompressZstd(packed: Uint8Array, size: number): Uint8Array {
  if (size < 0 || size > MAX_BYTES) throw new RangeError(`a page of ${size} bytes`)
  if (size === 0) return new Uint8Array(0)
  // One buffer of the right size, instead of many that are put together.
  const unpacked = zstdDecompressSync(packed, { chunkSize: Math.max(64, size), maxOutputLength: size })
  if (unpacked.length !== size) throw new RangeError(`a page of ${unpacked.length} bytes instead of ${size}`)
  return unpacked
}

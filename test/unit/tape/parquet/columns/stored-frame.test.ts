import { constants, zstdCompressSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { seededRandom } from '../../../../../src/base/random.ts'
import { storedContent } from '../../../../../src/tape/parquet/columns/stored-frame.ts'

const frameOf = (content: Uint8Array, checksum: boolean): Uint8Array =>
  new Uint8Array(zstdCompressSync(content, { params: { [constants.ZSTD_c_checksumFlag]: checksum ? 1 : 0 } }))

test('a few bytes that no compression makes shorter are stored, and come out as they went in', () => {
  const random = seededRandom(1, 'stored frame')
  for (const checksum of [true, false]) {
    for (const size of [1, 2, 7, 255, 256, 70_000]) {
      const content = Uint8Array.from({ length: size }, () => Math.floor(random() * 256))
      expect(storedContent(frameOf(content, checksum), size)).toEqual(content)
    }
  }
})

test('what a frame gives is what was stored in it, or nothing', () => {
  const content = fc.oneof(
    fc.uint8Array({ maxLength: 600 }),
    fc.tuple(fc.nat(255), fc.nat(3_000)).map(([byte, length]) => new Uint8Array(length).fill(byte)),
  )
  fc.assert(
    fc.property(content, fc.boolean(), (bytes, checksum) => {
      const stored = storedContent(frameOf(bytes, checksum), bytes.length)
      if (stored !== null) expect(stored).toEqual(bytes)
    }),
    { numRuns: 500 },
  )
})

test('a frame of another size, of several blocks, cut off or of other bytes is left to the decompressor', () => {
  const content = Uint8Array.from([9, 1, 8, 2])
  const frame = frameOf(content, true)
  expect(storedContent(frame, 4)).toEqual(content)
  expect(storedContent(frame, 3)).toBeNull()
  expect(storedContent(frame, 5)).toBeNull()
  for (let end = 0; end < frame.length; end++) expect(storedContent(frame.subarray(0, end), 4)).toBeNull()
  const other = (at: number, byte: number): Uint8Array => frame.with(at, byte)
  expect(storedContent(other(0, 0), 4)).toBeNull()
  expect(storedContent(other(4, frame[4]! | 0x01), 4)).toBeNull()
  expect(storedContent(other(4, frame[4]! & ~0x20), 4)).toBeNull()
  expect(storedContent(other(6, frame[6]! & ~0x01), 4)).toBeNull()
  expect(storedContent(other(6, frame[6]! | 0x02), 4)).toBeNull()
})

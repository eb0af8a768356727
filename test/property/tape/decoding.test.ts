import fc from 'fast-check'
import { ByteWriter } from 'hyparquet-writer'
import { deltaBinaryPack } from 'hyparquet-writer/src/delta.js'
import { writeRleBitPackedHybrid } from 'hyparquet-writer/src/encoding.js'
import { expect, test } from 'vitest'
import { decodeDeltas, decodeHybrid } from '../../../src/store/tape/parquet/columns/pages.ts'

const times = fc.oneof(
  fc.array(fc.integer({ min: 0, max: 100_000 }), { maxLength: 400 }),
  fc.array(fc.integer({ min: 0, max: 253_402_300_799_999 }), { maxLength: 400 }),
  // Hours between two of many seconds.
  fc.array(fc.constantFrom(1_000, 1_001, 20_000_000), { maxLength: 400 }).map((steps) =>
    steps.map(
      (
        (t) => (step: number) =>
          (t += step)
      )(1_793_602_800_000),
    ),
  ),
)

test('whole numbers in delta encoding come out as they went in', () => {
  fc.assert(
    fc.property(times, (values) => {
      const bytes = packDeltas(values)
      const out = new Float64Array(values.length)
      expect(decodeDeltas(bytes, out)).toBe(true)
      expect([...out]).toEqual(values)
    }),
    { numRuns: 300 },
  )
})

test('deltas that are cut off or of another number are refused', () => {
  fc.assert(
    fc.property(times, fc.nat(), (values, cut) => {
      fc.pre(values.length > 1)
      const bytes = packDeltas(values)
      const short = bytes.subarray(0, cut % bytes.length)
      const out = new Float64Array(values.length)
      // The last block may have padding that no one needs.
      if (decodeDeltas(short, out)) expect([...out]).toEqual(values)
      expect(decodeDeltas(bytes, new Float64Array(values.length + 1))).toBe(false)
    }),
    { numRuns: 300 },
  )
})

const places = fc.integer({ min: 0, max: 20 }).chain((width) =>
  fc.tuple(
    fc.constant(width),
    fc
      .array(fc.tuple(fc.nat(2 ** width - 1), fc.integer({ min: 1, max: 40 })), {
        minLength: 1,
        maxLength: 40,
      })
      .map((runs) => runs.flatMap(([value, length]) => Array.from({ length }, () => value))),
  ),
)

test('places in runs and packed groups come out as they went in, and cut off ones are refused', () => {
  fc.assert(
    fc.property(places, fc.nat(), ([width, values], cut) => {
      const writer = new ByteWriter()
      writeRleBitPackedHybrid(writer, values, width)
      const bytes = writer.getBytes().slice()
      const out = new Int32Array(values.length)
      expect(decodeHybrid(bytes, width, out)).toBe(true)
      expect([...out]).toEqual(values)
      if (bytes.length === 0) return
      if (decodeHybrid(bytes.subarray(0, cut % bytes.length), width, out)) expect([...out]).toEqual(values)
    }),
    { numRuns: 300 },
  )
})

function packDeltas(values: readonly number[]): Uint8Array {
  const writer = new ByteWriter()
  deltaBinaryPack(writer, values.map(BigInt), 'INT64')
  return writer.getBytes().slice()
}

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pauseLeft } from '../../../../src/daemon/confinement/evaluate-apart.ts'
import { frameOf, readFrame } from '../../../../src/daemon/confinement/strategy-wire.ts'

test('the first two hangs of a file within ten minutes cost no pause, later ones a second and twice as long each time', () => {
  const hangs = [0, 1_000]
  expect(pauseLeft(hangs, 1_000)).toBe(0)
  hangs.push(2_000)
  expect([pauseLeft(hangs, 2_000), pauseLeft(hangs, 2_999), pauseLeft(hangs, 3_000)]).toEqual([1_000, 1, 0])
  hangs.push(4_000, 8_000)
  expect(pauseLeft(hangs, 8_000)).toBe(4_000)
  for (let more = 0; more < 20; more++) hangs.push(9_000)
  expect(pauseLeft(hangs, 9_000)).toBe(60_000)
  expect([pauseLeft(hangs, 609_001), hangs]).toEqual([0, []])
})

test('messages come out of a pipe as they went in, in whatever pieces it hands them on', () => {
  fc.assert(
    fc.property(
      fc.array(fc.anything({ withBigInt: true, maxDepth: 2 }), { maxLength: 4 }),
      fc.nat(9),
      (values, size) => {
        const messages = values.map((value) => ({ answer: { value } }))
        const bytes = Buffer.concat(messages.map(frameOf))
        let at = 0
        const read = (into: Buffer, from: number) => {
          const count = Math.min(size + 1, into.length - from)
          bytes.copy(into, from, at, at + count)
          at += count
          return count
        }
        for (const message of messages) expect(readFrame(read)).toStrictEqual(structuredClone(message))
      },
    ),
    { numRuns: 30 },
  )
})

test('a message that says to be longer than any is refused before room is made for it', () => {
  expect(() => readFrame((into) => into.fill(255).length)).toThrow(RangeError)
})

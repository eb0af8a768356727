import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { RunDigest } from '../../../../../src/research/backtest/simulation/run-digest.ts'
import { anyCharacter } from '../../../../support/any-character.ts'

const time = fc.oneof(
  { weight: 5, arbitrary: fc.integer({ min: 1_600_000_000_000, max: 1_900_000_000_000 }) },
  fc.constantFrom(
    0,
    9,
    10,
    999_999,
    1_000_000,
    1_000_001,
    1_000_000_000_000,
    999_999_999_999_999,
    1e15,
    2 ** 53,
  ),
  fc.double(),
)
const bps = fc.oneof({ weight: 5, arbitrary: fc.integer({ min: 0, max: 500 }) }, fc.double())
const id = fc.oneof(
  fc.string({ unit: anyCharacter }),
  fc.string(),
  fc.constantFrom('\ud800', 'ü'.repeat(20_000), 'x'.repeat(40_000)),
)
const step = fc.oneof(
  fc.record({ kind: fc.constant('quote'), t: time, bid: bps, ask: bps, on: fc.boolean(), off: fc.boolean() }),
  fc.record({ kind: fc.constant('effect'), t: time, type: fc.constantFrom('activate', 'sign') }),
  fc.record({ kind: fc.constant('fill'), t: time, id, bps }),
  fc.record({ kind: fc.constant('balance'), units: fc.bigInt() }),
)

test('a digest is the sha-256 of its lines as text, whatever the numbers and names in them', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), fc.integer({ min: 1, max: 60 }), (steps, times) => {
      const digest = new RunDigest()
      let text = ''
      for (let round = 0; round < times; round++) {
        for (const one of steps) {
          if ('on' in one) {
            const { t, bid, ask, on, off } = one
            digest.quote(t, { bidBps: bid, askBps: ask, quoteBid: on, quoteAsk: off, quotePairs: null })
            text += `q ${t} ${bid} ${ask} ${on} ${off}\n`
          } else if ('type' in one) {
            digest.effect(one.t, one.type)
            text += `e ${one.t} ${one.type}\n`
          } else if ('id' in one) {
            digest.fill(one.t, one.id, one.bps)
            text += `f ${one.t} ${one.id} ${one.bps}\n`
          } else {
            digest.balance('NTZS', one.units)
            text += `NTZS ${one.units}\n`
          }
        }
      }
      expect(digest.end()).toBe(createHash('sha256').update(text).digest('hex'))
    }),
    { numRuns: 80 },
  )
})

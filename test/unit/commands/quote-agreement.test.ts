import fc from 'fast-check'
import { expect, test } from 'vitest'
import { quoteAgreement, type QuotePoint } from '../../../src/commands/quote-agreement.ts'

const point = (t: number, bidBps: number | null, askBps: number | null): QuotePoint => ({ t, bidBps, askBps })

test('a quote that stands before the window began stands in it', () => {
  const a = [point(0, 60, 60)]
  const b = [point(50, 60, 60)]
  expect(quoteAgreement(a, b, 100, 200)).toEqual({ sameShare: 1, meanAbsBps: 0 })
})

test('shares and means are by time, and a side that is off on one of them is no distance', () => {
  const a = [point(0, 60, 60), point(30, 64, 60)]
  const b = [point(0, 60, 60), point(60, 64, null)]
  // 0..30 equal; 30..60 the bid is 4 apart; 60..100 the bid is equal and the ask is on one side only.
  expect(quoteAgreement(a, b, 0, 100)).toEqual({
    sameShare: 0.3,
    meanAbsBps: (30 * 4) / (30 * 2 + 30 * 2 + 40),
  })
})

test('where there is no time in which both stand nothing is claimed', () => {
  expect(quoteAgreement([point(0, 60, 60)], [], 0, 100)).toEqual({ sameShare: null, meanAbsBps: null })
  expect(quoteAgreement([point(0, 60, 60)], [point(100, 60, 60)], 0, 100).sameShare).toBeNull()
  expect(quoteAgreement([point(0, 60, 60)], [point(0, 60, 60)], 50, 50).sameShare).toBeNull()
})

const bps = fc.option(fc.integer({ min: 10, max: 500 }), { nil: null })
const points = fc
  .array(fc.tuple(fc.integer({ min: 0, max: 40 }), bps, bps), { minLength: 1, maxLength: 12 })
  .map((all) => all.toSorted(([a], [b]) => a - b).map(([t, bid, ask]) => point(t, bid, ask)))

test('it is what one gets by looking at every millisecond', () => {
  fc.assert(
    fc.property(points, points, (a, b) => {
      let [known, same, both, apart] = [0, 0, 0, 0]
      for (let t = 5; t < 35; t += 1) {
        const [x, y] = [a.findLast((one) => one.t <= t), b.findLast((one) => one.t <= t)]
        if (x === undefined || y === undefined) continue
        known += 1
        if (x.bidBps === y.bidBps && x.askBps === y.askBps) same += 1
        for (const side of ['bidBps', 'askBps'] as const) {
          const [left, right] = [x[side], y[side]]
          if (left === null || right === null) continue
          both += 1
          apart += Math.abs(left - right)
        }
      }
      expect(quoteAgreement(a, b, 5, 35)).toEqual({
        sameShare: known === 0 ? null : same / known,
        meanAbsBps: both === 0 ? null : apart / both,
      })
    }),
  )
})

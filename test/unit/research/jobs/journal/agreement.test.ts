import { expect, test } from 'vitest'
import type { RecordedFill } from '../../../../../src/research/backtest/recorder.ts'
import {
  quoteAgreement,
  type QuotePoint,
  scoreFills,
} from '../../../../../src/research/jobs/journal/agreement.ts'
import { fillRow } from '../../../store/tape/tape-fixture.ts'
import fc from 'fast-check'

const TZS = 10n ** 18n
const DOLLAR18 = 10n ** 18n

/** A taker brings 100 USDC and we pay 249,000 TZS net of a fee of 250. */
const ask = fillRow(1_000, 'ask', {
  amountIn: 100n * DOLLAR18,
  amountOut: 249_000n * TZS,
  protocolFee: 250n * TZS,
})
/** A taker brings 251,000 TZS and we pay 99.9 USDC net of a fee of 0.1. */
const bid = fillRow(2_000, 'bid', {
  from: 'NTZS',
  to: 'USDC',
  amountIn: 251_000n * TZS,
  amountOut: 999n * (DOLLAR18 / 10n),
  protocolFee: DOLLAR18 / 10n,
})

function simulated(id: string, dollars: bigint, shillings: bigint): RecordedFill {
  return {
    t: 0,
    id,
    side: dollars > 0n ? 'ask' : 'bid',
    stable: 'USDC',
    dollars18: dollars * DOLLAR18,
    shillings: shillings * TZS,
    edgeUsd54: 0n,
    mid: 2_500n * TZS,
    fair: 2_500n * TZS,
    bps: 30,
    synthetic: false,
  }
}

test('fills are met by their id, and the price is what we traded at with the fee in it', () => {
  const score = scoreFills(
    [ask, bid],
    [simulated('ask', 100n, -249_250n), simulated('bid', -100n, 251_000n)],
    10,
  )
  expect(score).toMatchObject({ real: 2, simulated: 2, matched: 2, missed: 0, added: 0, matchedShare: 1 })
  expect(score.meanAbsPriceBps).toBeCloseTo(0, 9)
})

test('prices that differ are bps apart, whichever way', () => {
  // 249,250 and one bp of it more, and one bp less, for the same 100 dollars.
  const dearer = scoreFills([ask], [simulated('ask', 10_000n, -24_927_492n)], 10)
  expect(dearer.meanAbsPriceBps).toBeCloseTo(0.9997, 3)
  const cheaper = scoreFills([ask], [simulated('ask', 10_000n, -24_922_508n)], 10)
  expect(cheaper.meanAbsPriceBps).toBeCloseTo(0.9997, 3)
})

test('where the venue did not show its fee it is worked out from the payout', () => {
  const row = { ...ask, amountOut: 249_750n * TZS, protocolFee: null }
  expect(scoreFills([row], [simulated('ask', 100n, -250_000n)], 10).meanAbsPriceBps).toBeCloseTo(0, 9)
})

test('what only one of the two has is missed or added, and the first missed ones are named', () => {
  const many = Array.from({ length: 30 }, (_, i) => fillRow(i, `lost-${i}`))
  const score = scoreFills(
    [...many, ask],
    [simulated('ask', 100n, -249_250n), simulated('new', 1n, -2_490n)],
    10,
  )
  expect(score).toMatchObject({ real: 31, simulated: 2, matched: 1, missed: 30, added: 1 })
  expect(score.matchedShare).toBeCloseTo(1 / 31, 12)
  expect(score.missedIds).toEqual(many.slice(0, 20).map(({ id }) => id))
})

test('without real fills nothing is scored, and no figure is invented', () => {
  expect(scoreFills([], [simulated('new', 1n, -2_490n)], 10)).toMatchObject({
    matchedShare: null,
    meanAbsPriceBps: null,
    added: 1,
  })
})

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

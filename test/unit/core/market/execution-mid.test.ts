import { expect, test } from 'vitest'
import { createMarket, type MarketState } from '../../../../src/core/market/market-state.ts'
import {
  acceptPairMid,
  apartPairs,
  executionMidOf,
  pairsToReport,
  refusedPair,
  takePairMid,
  nextProbedStable,
} from '../../../../src/core/market/pair-mids.ts'
import { acceptPendingMid, takePublicRate, takeRate } from '../../../../src/core/market/take-rate.ts'
import type { MidBounds } from '../../../../src/core/market/window-reach.ts'
import { pairOf } from '../../../../src/base/money/asset.ts'
import { type Rate, RATE_ONE, rateStepBps } from '../../../../src/base/money/rate.ts'

const BOUNDS: MidBounds = {
  corridor: { min: 2_000n * RATE_ONE, max: 3_000n * RATE_ONE },
  maxStepBps: 150,
  maxMoveBpsPerHour: 200,
  maxMoveBpsPerDay: 500,
  clock: null,
}
const RATE = 2_568n * RATE_ONE
const START = 1_800_000_000_000

function apartBy(bps: number): Rate {
  return (RATE * BigInt(10_000 + bps)) / 10_000n
}

const rateAt = (market: MarketState, seconds: number, mid: Rate, bounds = BOUNDS) =>
  takeRate(
    market,
    { t: START + seconds * 1_000, mid, problem: null, rateUpdatedAt: null, quotable: null, venueTime: null },
    bounds,
    [],
  )
const publicAt = (market: MarketState, seconds: number, mid: Rate, bounds = BOUNDS) =>
  takePublicRate(
    market,
    { t: START + seconds * 1_000, side: 'ask', mid, bestBps: 70, protocolFeeBps: 20 },
    bounds,
  )
const pairAt = (market: MarketState, seconds: number, mid: Rate, bounds = BOUNDS) =>
  takePairMid(market, { t: START + seconds * 1_000, stable: 'USDT', mid }, bounds)

/** Both sources poll every 10 s and keep to their figures. */
function poll(market: MarketState, mid: Rate, from: number, until: number, rate = RATE): void {
  for (let second = from; second <= until; second += 10) {
    rateAt(market, second, rate)
    publicAt(market, second + 1, mid)
  }
}

test.each([32, -32, 125, -149, 300, 825, -825])(
  'a public rate that keeps %i bps from GET /rate for a minute names the mid in force, whichever of both answers last',
  (bps) => {
    const market = createMarket()
    poll(market, apartBy(bps), 0, 70)
    expect(market).toMatchObject({ mid: apartBy(bps), midSource: 'public', problem: null, pending: null })
    rateAt(market, 80, RATE)
    expect(market.mid).toBe(apartBy(bps))
    expect(apartPairs(market, 'USDC')).toEqual([
      { stable: 'USDC', mid: apartBy(bps), rate: RATE, bps: rateStepBps(RATE, apartBy(bps)) },
    ])
  },
)

test('the first mid of the public rate is another source and no move, inside the step bound at once, beyond it after a minute', () => {
  const near = createMarket()
  rateAt(near, 0, RATE)
  expect(publicAt(near, 1, apartBy(-140))).toMatchObject({ midChanged: true, isOtherSource: true })
  expect(publicAt(near, 11, apartBy(-130))).toMatchObject({ midChanged: true, isOtherSource: false })
  const far = createMarket()
  rateAt(far, 0, RATE)
  expect(publicAt(far, 1, apartBy(-250)).midChanged).toBe(false)
  // Fills execute at it all the same.
  expect(executionMidOf(far, 'USDC', START + 1_000)).toBe(apartBy(-250))
  poll(far, apartBy(-250), 10, 60)
  expect(rateAt(far, 70, RATE)).toMatchObject({ kind: 'changed', to: apartBy(-250), isOtherSource: true })
  // Silent for three minutes: GET /rate again, and back, which are no moves either.
  poll(near, apartBy(-130), 20, 80)
  expect(rateAt(near, 300, RATE)).toMatchObject({ to: RATE, isOtherSource: true })
  publicAt(near, 301, apartBy(-130))
  poll(near, apartBy(-130), 310, 360)
  expect(rateAt(near, 370, RATE)).toMatchObject({ to: apartBy(-130), isOtherSource: true })
})

test('a lasting difference is reported once, and again only after both have agreed', () => {
  const market = createMarket()
  const report = () => pairsToReport(market, 'USDC').map(({ stable }) => stable)
  poll(market, apartBy(100), 0, 50)
  expect(report()).toEqual([])
  poll(market, apartBy(100), 60, 70)
  expect([report(), report()]).toEqual([['USDC'], []])
  poll(market, apartBy(90), 80, 200)
  expect(report()).toEqual([])
  poll(market, RATE, 210, 220)
  expect(market.gap).toBeUndefined()
  poll(market, apartBy(50), 230, 300)
  expect(report()).toEqual(['USDC'])
})

test('a difference of 5 bps is not reported, and its mid is in force all the same', () => {
  const market = createMarket()
  poll(market, apartBy(5), 0, 100)
  expect(pairsToReport(market, 'USDC')).toEqual([])
  expect(market.mid).toBe(apartBy(5))
})

test('a mid that GET /rate shows before the public rate leaves no trace once both show it', () => {
  const market = createMarket()
  poll(market, RATE, 0, 20)
  rateAt(market, 30, apartBy(20))
  publicAt(market, 31, RATE)
  expect(market.mid).toBe(apartBy(20))
  publicAt(market, 35, apartBy(20))
  expect(market).toMatchObject({ mid: apartBy(20), pending: null })
  expect(market.gap).toBeUndefined()
})

test('a mid that the public rate shows before GET /rate is in force at once and leaves no trace once both show it', () => {
  const market = createMarket()
  poll(market, RATE, 0, 20)
  publicAt(market, 30, apartBy(20))
  // An answer that was under way.
  rateAt(market, 31, RATE)
  expect(market.mid).toBe(apartBy(20))
  rateAt(market, 32, apartBy(20))
  expect(market.mid).toBe(apartBy(20))
  expect(market.gap).toBeUndefined()
})

test('a public rate that names no mid for three minutes gives way to GET /rate', () => {
  const market = createMarket()
  poll(market, apartBy(100), 0, 80)
  rateAt(market, 260, RATE)
  expect(market.mid).toBe(apartBy(100))
  rateAt(market, 262, RATE)
  expect(market).toMatchObject({ mid: RATE, midSource: 'key' })
  expect(market.gap).toBeUndefined()
})

test("the public rate's mid passes the step bound like GET /rate once it was known, and a person accepts it", () => {
  const market = createMarket()
  poll(market, apartBy(100), 0, 80)
  const stepped = apartBy(280)
  poll(market, stepped, 90, 160)
  expect(market).toMatchObject({ mid: apartBy(100), pending: { mid: stepped, kind: 'step' } })
  acceptPendingMid(market, START + 170_000)
  poll(market, stepped, 180, 190)
  expect(market).toMatchObject({ mid: stepped, pending: null, problem: null })
})

test('the price corridor bounds the first mid of the public rate and every later one', () => {
  const market = createMarket()
  const corridor = { min: RATE - RATE_ONE, max: apartBy(150) }
  const bounds = { ...BOUNDS, corridor }
  for (let second = 0; second < 200; second += 10) {
    rateAt(market, second, RATE, bounds)
    publicAt(market, second + 1, apartBy(200), bounds)
  }
  expect(market).toMatchObject({ mid: RATE, refusal: { rule: 'price-corridor', mid: apartBy(200) } })
  pairAt(market, 210, apartBy(200), bounds)
  expect(refusedPair(market)).toMatchObject({ stable: 'USDT', breach: { kind: 'corridor' } })
  expect(acceptPairMid(market, apartBy(200), START + 211_000)).toBeNull()
})

test('fills of USDT execute at their own mid once it has differed for a minute, and at the mid in force while it agrees or is stale', () => {
  const market = createMarket()
  poll(market, RATE, 0, 10)
  const own = apartBy(-300)
  const now = (seconds: number) =>
    executionMidOf(market, pairOf({ inAsset: 'NTZS', outAsset: 'USDT.bnb' }), START + seconds * 1_000)
  for (let second = 20; second <= 70; second += 10) pairAt(market, second, own)
  expect(now(70)).toBe(RATE)
  pairAt(market, 80, own)
  expect([now(80), executionMidOf(market, 'USDC', START + 80_000)]).toEqual([own, RATE])
  expect(pairsToReport(market, 'USDC')).toMatchObject([{ stable: 'USDT', bps: -300 }])
  expect(now(300)).toBe(RATE)
  pairAt(market, 310, RATE)
  expect([now(310), apartPairs(market, 'USDC')]).toEqual([RATE, []])
})

test('a mid of USDT over the step bound waits for a person, or for the mid in force to be the same', () => {
  const market = createMarket()
  poll(market, RATE, 0, 10)
  pairAt(market, 20, RATE)
  pairAt(market, 30, apartBy(200))
  expect(refusedPair(market)).toMatchObject({ stable: 'USDT', mid: apartBy(200), breach: { kind: 'step' } })
  expect(acceptPairMid(market, apartBy(199), START + 31_000)).toBeNull()
  expect(acceptPairMid(market, apartBy(200), START + 31_000)).toBe('USDT')
  expect(refusedPair(market)).toBeNull()
  pairAt(market, 40, apartBy(400))
  rateAt(market, 50, apartBy(400))
  acceptPendingMid(market, START + 51_000)
  expect(refusedPair(market)).toBeNull()
})

test('four public probes in five are of the pair that quotes are derived from', () => {
  const market = createMarket()
  const turns = Array.from({ length: 10 }, () => nextProbedStable(market, 'USDT'))
  expect(turns.filter((stable) => stable === 'USDC')).toHaveLength(2)
  expect([turns[4], turns[9]]).toEqual(['USDC', 'USDC'])
})

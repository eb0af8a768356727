import { describe, expect, it } from 'vitest'
import { createMarket, midAge } from '../../../../src/core/market/market-state.ts'
import type { MidBounds } from '../../../../src/core/market/window-reach.ts'
import { rateStepBps } from '../../../../src/base/money/rate.ts'
import {
  acceptPendingMid,
  type PublicReading,
  type RateReading,
  takePublicRate,
  takeRate,
} from '../../../../src/core/market/take-rate.ts'

const RATE = 10n ** 18n
const MID = 2_500n * RATE
const BOUND: MidBounds = {
  corridor: null,
  maxStepBps: 150,
  maxMoveBpsPerHour: null,
  maxMoveBpsPerDay: null,
  clock: null,
}
const NO_BOUND = { ...BOUND, maxStepBps: null }

const reading = (change: Partial<RateReading> = {}): RateReading => ({
  t: 1_000_000,
  mid: MID,
  problem: null,
  rateUpdatedAt: 900_000,
  quotable: true,
  venueTime: 1_000_000,
  ...change,
})
const shown = (change: Partial<PublicReading> = {}): PublicReading => ({
  t: 1_000_000,
  side: 'ask',
  mid: MID,
  bestBps: 70,
  protocolFeeBps: 10,
  ...change,
})

function opened() {
  const market = createMarket()
  takeRate(market, reading(), BOUND, [])
  return market
}

describe('the age of the mid', () => {
  it("is taken on the venue's clock, ours only adds what passed since", () => {
    const market = createMarket()
    // Our clock is an hour behind the venue's.
    takeRate(market, reading({ t: 1_000, rateUpdatedAt: 3_000_000, venueTime: 3_601_000 }), BOUND, [])
    expect(midAge(market, 1_000)).toBe(601_000)
    expect(midAge(market, 31_000)).toBe(631_000)
  })

  it('is unknown, not zero, where the venue does not date its mid', () => {
    const market = createMarket()
    expect(midAge(market, 5)).toBeNull()
    takeRate(market, reading({ rateUpdatedAt: null }), BOUND, [])
    expect(market.mid).toBe(MID)
    expect(midAge(market, 2_000_000)).toBeNull()
  })

  it('is never negative, though a publication may be dated in the future', () => {
    const market = createMarket()
    takeRate(market, reading({ rateUpdatedAt: 2_000_000 }), BOUND, [])
    expect(midAge(market, 1_000_000)).toBe(0)
  })

  it('does not start again when our own clock is set back', () => {
    const market = opened()
    expect(midAge(market, 500_000)).toBe(100_000)
  })
})

describe('a figure that is no mid', () => {
  it.each([
    ['none at all', { mid: null, problem: 'midRateTZS is 0' }, 'midRateTZS is 0'],
    ['none, without a word', { mid: null }, 'the venue sent no usable mid'],
    ['zero', { mid: 0n }, 'the venue sent no usable mid'],
    ['less than zero', { mid: -MID }, 'the venue sent no usable mid'],
    [
      'undated after dated ones',
      { rateUpdatedAt: null },
      'the venue stopped dating its mid (no rateUpdatedAt)',
    ],
  ] as const)('is refused when it is %s, and the last good one stays', (_, change, why) => {
    const market = opened()
    expect(takeRate(market, reading({ ...change }), BOUND, [])).toMatchObject({
      kind: 'refused',
      reason: why,
    })
    expect(market.mid).toBe(MID)
    expect(market.problem).toBe(why)
  })

  it('is forgotten by itself when a good one follows', () => {
    const market = opened()
    takeRate(market, reading({ mid: null }), BOUND, [])
    expect(takeRate(market, reading({ t: 1_006_000 }), BOUND, [])).toEqual({ kind: 'same' })
    expect(market.problem).toBeNull()
  })

  it('says whether the venue would quote it all the same', () => {
    const market = opened()
    takeRate(market, reading({ mid: null, quotable: false }), BOUND, [])
    expect(market.quotable).toBe(false)
    takeRate(market, reading({ quotable: null }), BOUND, [])
    expect(market.quotable).toBe(false)
  })
})

describe('a step of the mid', () => {
  it('a step of the mid is measured in bps of the previous mid, with its sign', () => {
    expect(rateStepBps(MID, (MID * 101n) / 100n)).toBe(100)
    expect(rateStepBps(MID, (MID * 99n) / 100n)).toBe(-100)
  })

  it('inside the bound is taken; exactly at the bound too', () => {
    const market = opened()
    const to = (MID * 10_150n) / 10_000n
    expect(takeRate(market, reading({ mid: to }), BOUND, [])).toEqual({
      kind: 'changed',
      from: MID,
      to,
      by: null,
      isOtherSource: false,
    })
    expect(market.previousMid).toBe(MID)
  })

  it('over the bound waits, and the same figure of the same publication does not confirm itself', () => {
    const market = opened()
    const to = MID * 2n
    for (const t of [1_001_000, 1_007_000, 1_013_000]) {
      expect(takeRate(market, reading({ t, mid: to, rateUpdatedAt: 950_000 }), BOUND, []).kind).toBe(
        'refused',
      )
    }
    expect(market.mid).toBe(MID)
    expect(market.pending).toMatchObject({ mid: to, since: 1_001_000, stepBps: 10_000 })
  })

  it('over the bound is not confirmed by a second publication of the venue, however near it lands', () => {
    const market = opened()
    for (const [n, percent] of [110n, 111n, 110n, 112n].entries()) {
      const mid = (MID * percent) / 100n
      const taken = takeRate(
        market,
        reading({ mid, t: 1_001_000 + n, rateUpdatedAt: 950_000 + n }),
        BOUND,
        [],
      )
      expect(taken).toMatchObject({ kind: 'refused', rule: 'mid-step' })
      expect(market.pending?.mid).toBe(mid)
    }
    expect(market.mid).toBe(MID)
  })

  it('is over when the mid comes back', () => {
    const market = opened()
    takeRate(market, reading({ mid: MID * 2n }), BOUND, [])
    takeRate(market, reading(), BOUND, [])
    expect(market.pending).toBeNull()
    expect(market.problem).toBeNull()
  })

  it("is accepted on the operator's word; without one that waits there is nothing to accept", () => {
    const market = opened()
    expect(acceptPendingMid(market, 1_001_000)).toEqual({ kind: 'same' })
    takeRate(market, reading({ mid: MID * 2n, rateUpdatedAt: 950_000 }), BOUND, [])
    expect(acceptPendingMid(market, 1_001_000)).toEqual({
      kind: 'changed',
      from: MID,
      to: MID * 2n,
      by: null,
      isOtherSource: false,
    })
    expect(market).toMatchObject({ mid: MID * 2n, pending: null, problem: null, rateUpdatedAt: 950_000 })
  })

  it('is never asked about where the bound is turned off', () => {
    const market = opened()
    expect(takeRate(market, reading({ mid: MID * 3n }), NO_BOUND, []).kind).toBe('changed')
  })
})

describe('the public endpoint', () => {
  it('brings a new mid inside the bound at once and asks for its confirmation', () => {
    const market = opened()
    takePublicRate(market, shown(), BOUND)
    const to = (MID * 10_050n) / 10_000n
    expect(takePublicRate(market, shown({ mid: to }), BOUND)).toMatchObject({
      midChanged: true,
      confirmMid: true,
    })
    expect(market).toMatchObject({ mid: to, midSource: 'public' })
  })

  it('never moves the mid over the bound, only asks', () => {
    const market = opened()
    expect(takePublicRate(market, shown({ mid: MID * 2n }), BOUND)).toMatchObject({
      midChanged: false,
      confirmMid: true,
    })
    expect(market.mid).toBe(MID)
  })

  it('never stands in for a mid that the key has not shown, or has shown to be bad', () => {
    const fresh = createMarket()
    expect(takePublicRate(fresh, shown(), BOUND).midChanged).toBe(false)
    expect(fresh.mid).toBeNull()
    const market = opened()
    takeRate(market, reading({ mid: null }), BOUND, [])
    expect(takePublicRate(market, shown({ mid: MID + RATE }), BOUND).midChanged).toBe(false)
    expect(market.mid).toBe(MID)
  })

  it('repeating its old figure does not undo what the key said since', () => {
    const market = opened()
    takePublicRate(market, shown(), BOUND)
    takeRate(market, reading({ mid: MID + RATE }), BOUND, [])
    expect(takePublicRate(market, shown(), BOUND)).toMatchObject({ midChanged: false, confirmMid: false })
    expect(market.mid).toBe(MID + RATE)
  })

  it.each([0n, -MID, null])('a mid of %s is none', (mid) => {
    const market = opened()
    expect(takePublicRate(market, shown({ mid }), NO_BOUND)).toMatchObject({
      midChanged: false,
      confirmMid: false,
    })
    expect(market.mid).toBe(MID)
  })

  it('tells the best spread of each side, when it moved, and when no one quotes any longer', () => {
    const market = opened()
    expect(takePublicRate(market, shown(), BOUND).bestMoved).toBe(true)
    expect(takePublicRate(market, shown(), BOUND).bestMoved).toBe(false)
    expect(market.competition).toEqual({ bid: null, ask: { bps: 70, seenAt: 1_000_000 } })
    expect(takePublicRate(market, shown({ bestBps: null }), BOUND).bestMoved).toBe(true)
    expect(market.competition.ask).toBeNull()
  })

  it('tells the protocol fee where it says it, and leaves the known one where it does not', () => {
    const market = opened()
    takePublicRate(market, shown({ protocolFeeBps: 20 }), BOUND)
    takePublicRate(market, shown({ protocolFeeBps: null }), BOUND)
    expect(market.protocolFeeBps).toBe(20)
  })
})

import { describe, expect, it } from 'vitest'
import {
  acknowledgeLeaving,
  countForReview,
  createReview,
  endOverride,
  foreignWriteOf,
  halt,
  latchForeignWrite,
  liftLatch,
  openLatch,
  pause,
  restoreLatch,
  type Review,
} from '../../../../src/core/risk/latch.ts'
import type { ReviewLimits } from '../../../../src/core/risk/risk-settings.ts'

const USD = 10n ** 18n
const OFF: ReviewLimits = { fills: null, sameSideFills: null, usd: null }
const ask = { side: 'ask', usd18: 100n * USD } as const
const bid = { side: 'bid', usd18: 100n * USD } as const

/** After how many fills a review is due, and why. */
function dueAfter(fills: readonly (typeof ask | typeof bid)[], limits: Partial<ReviewLimits>) {
  const review = createReview(0)
  const made = fills.map((fill) => countForReview(review, fill, { ...OFF, ...limits }))
  return { due: review.due, at: made.indexOf(true) + 1, times: made.filter(Boolean).length, review }
}

describe('the latch', () => {
  it('the first halt and pause and the first foreign write of each kind give the reason, and later ones do not', () => {
    const latch = openLatch()
    expect(foreignWriteOf(latch)).toBeNull()
    halt(latch, 'loss', 'lost', 1)
    halt(latch, 'auth', 'again', 2)
    pause(latch, 'lunch', 3)
    pause(latch, 'dinner', 4)
    const writes = [
      ['deactivation', 'nor this', 5],
      ['spread', 'not ours', 6],
      ['transfer', 'a theft', 7],
      ['transfer', 'another', 8],
    ] as const
    const latched = writes.map(([what, why, since]) => latchForeignWrite(latch, what, why, since))
    expect(latched).toEqual([true, true, true, false])
    expect(latch).toEqual({
      halted: { rule: 'loss', why: 'lost', since: 1 },
      paused: { why: 'lunch', since: 3 },
      foreign: {
        deactivation: { why: 'nor this', since: 5 },
        spread: { why: 'not ours', since: 6 },
        transfer: { why: 'a theft', since: 7 },
      },
    })
    expect(foreignWriteOf(latch)).toEqual({ what: 'transfer', why: 'a theft' })
    expect(restoreLatch(latch)).toEqual(latch)
  })

  it('an older snapshot has at most one foreign write, which names its kind', () => {
    expect(restoreLatch({ halted: null, paused: null })).toEqual(openLatch())
    expect(restoreLatch({ halted: null, paused: null, foreign: null })).toEqual(openLatch())
    const foreign = { what: 'spread', why: 'not ours', since: 5 } as const
    const restored = restoreLatch({ halted: null, paused: null, foreign })
    expect(restored).toEqual({ ...openLatch(), foreign: { spread: { why: 'not ours', since: 5 } } })
  })

  it('a resume lifts halt, pause, a foreign transfer and spread and returns their reasons; an activation the others', () => {
    const all = () => {
      const latch = openLatch()
      halt(latch, 'loss', 'lost', 1)
      pause(latch, 'lunch', 3)
      for (const what of ['custody', 'deactivation', 'spread', 'transfer'] as const)
        latchForeignWrite(latch, what, what, 5)
      return latch
    }
    expect(liftLatch(openLatch(), true)).toEqual([])
    const resumed = all()
    expect(liftLatch(resumed, false)).toEqual(['lost', 'lunch', 'transfer', 'spread'])
    const left = { custody: { why: 'custody', since: 5 }, deactivation: { why: 'deactivation', since: 5 } }
    expect(resumed).toEqual({ ...openLatch(), foreign: left })
    acknowledgeLeaving(resumed)
    expect(resumed).toEqual(openLatch())
    const activated = all()
    acknowledgeLeaving(activated)
    expect(Object.keys(activated.foreign)).toEqual(['spread', 'transfer'])
    const inCustody = all()
    expect(liftLatch(inCustody, true)).toEqual([
      'lost',
      'lunch',
      'custody',
      'deactivation',
      'spread',
      'transfer',
    ])
    expect(inCustody).toEqual(openLatch())
  })
})

describe('a review of what was executed', () => {
  it('is due at the limit of fills, once, with the count as its reason', () => {
    expect(dueAfter([ask, bid], { fills: 3 })).toMatchObject({ due: null, at: 0 })
    expect(dueAfter([ask, bid, ask, ask], { fills: 3 })).toMatchObject({ due: '3 fills', at: 3, times: 1 })
  })

  it('is due at the limit of fills of one side in a row; a fill of the other side begins a new row', () => {
    expect(dueAfter([ask, ask, bid, ask, ask], { sameSideFills: 3 })).toMatchObject({ due: null })
    expect(dueAfter([bid, ask, ask, ask], { sameSideFills: 3 })).toMatchObject({
      due: '3 fills of the ask in a row',
      at: 4,
    })
  })

  it('is due at the limit of dollars, both sides together', () => {
    expect(dueAfter([ask, bid], { usd: 200n * USD + 1n })).toMatchObject({ due: null })
    expect(dueAfter([ask, bid], { usd: 200n * USD })).toMatchObject({ due: '200 USD traded', at: 2 })
  })

  it('is never due without limits, and counts all the same', () => {
    const { due, review } = dueAfter([ask, bid, bid], {})
    expect(due).toBeNull()
    expect(review).toMatchObject({ fills: 3, side: 'bid', sameSideFills: 2, usd18: 300n * USD })
  })

  it('does not become due under an override, which ends at its moment and takes its fills with it', () => {
    const review: Review = createReview(5)
    expect(endOverride(review, 1_000)).toBeNull()
    const override = { who: 'ann', why: 'a fair', until: 100 }
    review.override = override
    expect(countForReview(review, ask, { ...OFF, fills: 1 })).toBe(false)
    expect(review).toMatchObject({ fills: 1, due: null })
    expect(endOverride(review, 99)).toBeNull()
    expect(endOverride(review, 100)).toEqual(override)
    expect(review).toEqual(createReview(100))
    expect(countForReview(review, ask, { ...OFF, fills: 1 })).toBe(true)
  })
})

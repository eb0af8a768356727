import { describe, expect, it } from 'vitest'
import {
  countForReview,
  createReview,
  endOverride,
  foreignWriteOf,
  halt,
  type Latch,
  latchForeignWrite,
  liftForeignWrite,
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
  it('the first halt, pause and foreign write name the reason, and later ones do not', () => {
    const latch = openLatch()
    expect(latch).toEqual({ halted: null, paused: null, foreign: null, transfer: null })
    halt(latch, 'loss', 'lost', 1)
    halt(latch, 'auth', 'again', 2)
    pause(latch, 'lunch', 3)
    pause(latch, 'dinner', 4)
    latchForeignWrite(latch, 'spread', 'not ours', 5)
    latchForeignWrite(latch, 'deactivation', 'nor this', 6)
    latchForeignWrite(latch, 'transfer', 'a theft', 7)
    latchForeignWrite(latch, 'transfer', 'another', 8)
    const transfer = { what: 'transfer', why: 'a theft', since: 7 } as const
    const all: Latch = {
      halted: { rule: 'loss', why: 'lost', since: 1 },
      paused: { why: 'lunch', since: 3 },
      foreign: { what: 'spread', why: 'not ours', since: 5 },
      transfer,
    }
    expect(latch).toEqual(all)
    expect(foreignWriteOf(latch)).toEqual(transfer)
    expect(restoreLatch({ ...openLatch(), foreign: transfer })).toEqual({ ...openLatch(), transfer })
    expect(restoreLatch(all)).toEqual(all)
  })

  it('a resume lifts halt, pause and a foreign transfer, returns the reasons of the first two, and leaves the foreign write', () => {
    const latch = openLatch()
    expect(liftLatch(latch)).toEqual([])
    halt(latch, 'loss', 'lost', 1)
    pause(latch, 'lunch', 3)
    latchForeignWrite(latch, 'spread', 'not ours', 5)
    latchForeignWrite(latch, 'transfer', 'a theft', 7)
    expect(liftLatch(latch)).toEqual(['lost', 'lunch'])
    expect(latch).toEqual({ ...openLatch(), foreign: { what: 'spread', why: 'not ours', since: 5 } })
    pause(latch, 'again', 9)
    expect(liftLatch(latch)).toEqual(['again'])
    liftForeignWrite(latch)
    expect(latch.foreign).toBeNull()
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

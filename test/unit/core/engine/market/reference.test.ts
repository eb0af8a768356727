import { describe, expect, it } from 'vitest'
import { buildView } from '../../../../../src/daemon/view/position-view.ts'
import { pnl } from '../../../../../src/core/ledger/book/pnl.ts'
import type { Cause } from '../../../../../src/core/strategy/context.ts'
import { type Harness, runCore } from '../../../../support/core-harness.ts'
import { bringDollars, NTZS, USD, USDC } from '../../../../support/taker.ts'
import { testStrategy } from '../../../../support/test-strategy.ts'

const MID = 2_500n * NTZS
type Seen = { readonly cause: Cause; readonly fair: number; readonly mid: number }

/** A core at work, with what its strategy saw each time it was asked. */
function atWork(): Harness & { readonly seen: Seen[] } {
  const seen: Seen[] = []
  const strategy = testStrategy(({ cause, fairValue, mid }) => {
    seen.push({ cause, fair: fairValue.tzsPerUsd, mid })
    return { bidBps: 60, askBps: 60, reasons: [] }
  })
  const one = runCore(20_000, { strategy, venue: { isActive: true } })
  seen.length = 0
  return Object.assign(one, { seen })
}

const tell = (one: Harness, mid: bigint, source = 'bank-board') =>
  one.give({ type: 'reference', t: one.now, source, mid })

describe('a reference', () => {
  it('is the fair value from then on, and asks for a decision at once', () => {
    const one = atWork()
    tell(one, 2_520n * NTZS)
    expect(one.seen).toEqual([{ cause: 'rate', fair: 2_520, mid: 2_500 }])
  })

  it('marks the books, and they stay so when the venue’s own mid moves', () => {
    const one = atWork()
    tell(one, 2_520n * NTZS)
    // Fifty thousand dollars, twenty shillings each.
    expect(pnl(one.state().book)?.tzs).toMatchObject({ total: 1_000_000n * 10n ** 36n, staleMid: 0n })
    one.venue.mid = 2_510n * NTZS
    one.run(20_000)
    expect(one.state().book.pnl.mark).toBe(2_520n * NTZS)
    expect(one.seen.at(-1)).toMatchObject({ fair: 2_520, mid: 2_510 })
  })

  it('is the one mark: neither a withdrawal nor an adjustment values the position at the mid in between', () => {
    const one = atWork()
    tell(one, 2_520n * NTZS)
    const before = pnl(one.state().book)?.tzs.total
    const asset = 'USDC' as const
    one.give({ type: 'withdrawn', t: one.now, request: 0, asset, amount: 10n * USDC, txHash: '0x1' })
    expect(one.state().book.pnl.mark).toBe(2_520n * NTZS)
    expect(pnl(one.state().book)?.tzs.total).toBe(before)
  })

  it('is what the console shows as the fair value, beside the venue’s mid', () => {
    const one = atWork()
    tell(one, 2_520n * NTZS)
    const view = buildView(one.state(), one.now, { seq: 1, digest: '' })
    expect(view).toMatchObject({ mid: '2500', fairValue: '2520' })
  })

  it('makes of a fill at the venue’s mid a stale one', () => {
    const one = atWork()
    tell(one, 2_520n * NTZS)
    bringDollars(one.venue, 100n * USD)
    one.run(10_000)
    expect(pnl(one.state().book)?.tzs.staleMid).toBe(100n * 20n * 10n ** 36n)
  })

  it('that says the same again is no news; another source or figure is', () => {
    const one = atWork()
    tell(one, 2_520n * NTZS)
    tell(one, 2_520n * NTZS)
    expect(one.seen).toHaveLength(1)
    tell(one, 2_520n * NTZS, 'another board')
    tell(one, 2_530n * NTZS, 'another board')
    expect(one.seen.map(({ fair }) => fair)).toEqual([2_520, 2_520, 2_530])
  })

  it('is no mid: the venue’s own is what quotes rest on, and what its rules are about', () => {
    const one = atWork()
    one.venue.quotable = false
    tell(one, 2_520n * NTZS)
    one.run(20_000)
    expect(one.venue.held).toMatchObject({ bidBps: 500, askBps: 500 })
    expect(one.state().market.mid).toBe(MID)
  })

  it('outlives a restart, and a snapshot from before there were any has none', () => {
    const one = atWork()
    tell(one, 2_520n * NTZS)
    one.restart()
    one.run(20_000)
    expect(one.seen.at(-1)?.fair).toBe(2_520)
    const older = atWork()
    Reflect.deleteProperty(older.state().market, 'reference')
    older.restart()
    older.run(20_000)
    expect(older.seen.at(-1)?.fair).toBe(2_500)
  })
})

describe('the same mid published anew', () => {
  it('is decided upon at once: its age is another one', () => {
    const one = atWork()
    one.venue.rateUpdatedAt = one.now
    one.run(20_000)
    expect(one.seen.map(({ cause }) => cause)).toContain('rate')
  })
})

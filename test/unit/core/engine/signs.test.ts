import { describe, expect, it } from 'vitest'
import { coreConfig } from '../../../support/core-config.ts'
import { coreHarness, runCore } from '../../../support/core-harness.ts'
import { bringDollars, bringShillings, NTZS, USD } from '../../../support/taker.ts'
import { pnl } from '../../../../src/core/ledger/book/pnl.ts'
import { position } from '../../../../src/core/ledger/book/book.ts'
import { testStrategy } from '../../../support/test-strategy.ts'
import type { StrategyContext } from '../../../../src/core/strategy/context.ts'

const { risk, inventory } = coreConfig()

/** A desk in the market, and what its strategy saw last: a context is read while the strategy is asked. */
function desk(config: Parameters<typeof coreHarness>[0] = {}) {
  const seen: Pick<StrategyContext, 'inventory' | 'recentFills'>[] = []
  const strategy = testStrategy(({ inventory: held, recentFills }) => {
    seen.push({ inventory: { ...held }, recentFills })
    return { bidBps: 60, askBps: 60, reasons: [] }
  })
  const one = runCore(10_000, { strategy, ...config })
  return { ...one, run: one.run, seen: () => seen.at(-1)!, one }
}

describe('a taker who brings dollars', () => {
  it('is our ask: we sell shillings and buy dollars, and the imbalance goes up', () => {
    const { one, seen } = desk()
    const before = position(one.state().book)
    expect(seen().inventory.imbalance).toBeCloseTo(0, 9)
    const fill = bringDollars(one.venue, 1_000n * USD)
    one.run(5_000)
    const after = position(one.state().book)
    expect(after.USDC - before.USDC).toBe(1_000n * USD)
    expect(after.NTZS - before.NTZS).toBe(-(fill.amountOut + (fill.fee ?? 0n)))
    expect(seen().inventory.imbalance).toBeGreaterThan(0)
    expect(one.state().flow.count).toEqual({ bid: 0, ask: 1 })
    expect(seen().recentFills[0]).toMatchObject({ side: 'ask', usd: 1_000, stable: 'USDC' })
  })
})

describe('a taker who brings shillings', () => {
  it('is our bid: we buy shillings and sell dollars, and the imbalance goes down', () => {
    const { one, seen } = desk()
    const before = position(one.state().book)
    const fill = bringShillings(one.venue, 2_500_000n * NTZS)
    one.run(5_000)
    const after = position(one.state().book)
    expect(after.NTZS - before.NTZS).toBe(2_500_000n * NTZS)
    expect(after.USDC - before.USDC).toBe(-(fill.amountOut + (fill.fee ?? 0n)))
    expect(seen().inventory.imbalance).toBeLessThan(0)
    expect(one.state().flow.count).toEqual({ bid: 1, ask: 0 })
  })
})

describe('the spread', () => {
  it('is earned on either side: both fills at an unmoved mid are a profit', () => {
    const { one } = desk()
    bringDollars(one.venue, 1_000n * USD)
    bringShillings(one.venue, 2_500_000n * NTZS)
    one.run(5_000)
    const profit = pnl(one.state().book)
    // 60 bps of 2.5 million on one side, 60 of about 2.485 million on the other.
    expect(profit!.tzs.spreadCapture / 10n ** 36n).toBe(29_910n)
    expect(profit!.tzs.total).toBe(profit!.tzs.spreadCapture)
    expect(profit!.usd.edge).toBeGreaterThan(0n)
  })
})

describe('a weaker shilling (the mid goes up)', () => {
  it('is a gain in shillings on dollars held, and a loss in dollars on shillings held', () => {
    const { one } = desk()
    one.venue.mid = (one.venue.mid * 101n) / 100n
    one.venue.rateUpdatedAt = one.now
    one.run(10_000)
    const now = pnl(one.state().book)
    expect(now!.tzs.inventory / 10n ** 36n).toBe(1_250_000n)
    expect(now!.usd.inventory).toBeLessThan(0n)
  })
})

describe('a limit, at the level of the whole core', () => {
  it('too many dollars: the ask goes off, the bid that sells them stays', () => {
    const limits = { USDC: { min: null, max: 51_000n * USD } }
    const { one } = desk({ config: { inventory: { ...inventory, limits } } })
    bringDollars(one.venue, 1_000n * USD)
    one.run(5_000)
    expect(one.venue.held).toMatchObject({ quoteBid: true, bidBps: 60, quoteAsk: false })
    expect(one.state().decision?.tradingState).toBe('REDUCING')
  })

  it('too many fills in a minute, long dollars: only the bid, which sells dollars, stays on', () => {
    const { one } = desk({ config: { risk: { ...risk, maxFillsPerMinute: 2 } } })
    for (let taker = 0; taker < 3; taker += 1) bringDollars(one.venue, 10n * USD)
    one.run(5_000)
    expect(one.venue.held).toMatchObject({ quoteBid: true, quoteAsk: false })
    one.run(70_000)
    expect(one.venue.held).toMatchObject({ quoteBid: true, quoteAsk: true })
  })

  it('too many fills in a minute, long shillings: only the ask, which sells shillings, stays on', () => {
    const { one } = desk({ config: { risk: { ...risk, maxFillsPerMinute: 2 } } })
    for (let taker = 0; taker < 3; taker += 1) bringShillings(one.venue, 10_000n * NTZS)
    one.run(5_000)
    expect(one.venue.held).toMatchObject({ quoteBid: false, quoteAsk: true })
  })

  it('counts more fills in a minute than a strategy is shown', () => {
    const { one, seen } = desk({ config: { risk: { ...risk, maxFillsPerMinute: 120 } } })
    for (let taker = 0; taker < 121; taker += 1) bringDollars(one.venue, 10n * USD)
    one.run(5_000)
    expect(one.venue.held).toMatchObject({ quoteAsk: false })
    expect(seen().recentFills).toHaveLength(100)
  })

  it("a day's volume on the ask closes the ask, and a day later it opens again", () => {
    const { one } = desk({ config: { risk: { ...risk, maxVolumePerDayUsd: 500n * 10n ** 18n } } })
    bringDollars(one.venue, 501n * USD)
    one.run(5_000)
    expect(one.venue.held).toMatchObject({ quoteBid: true, quoteAsk: false })
    one.give({ type: 'tick', t: one.now + 24 * 3_600_000 + 300_000 })
    one.now += 24 * 3_600_000 + 300_000
    one.run(5_000)
    expect(one.venue.held).toMatchObject({ quoteBid: true, quoteAsk: true })
  })
})

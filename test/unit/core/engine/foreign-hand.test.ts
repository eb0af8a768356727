import { describe, expect, it } from 'vitest'
import { coreConfig } from '../../../support/core-config.ts'
import { coreHarness, type Harness, runCore } from '../../../support/core-harness.ts'
import { bringDollars, bringShillings, NTZS, USD, USDC } from '../../../support/taker.ts'

const SAFE = { bidBps: 500, askBps: 500 }
const TRADING = { bidBps: 60, askBps: 60 }

function desk(): Harness {
  const one = coreHarness({ config: { risk: { ...coreConfig().risk, onHalt: 'safe' } } })
  // Past the first minute, in which the start has taken most of the budget.
  one.run(80_000)
  return one
}

const notices = (one: Harness) => one.alerts('foreign-hand')

/** Lets time pass until a balances answer has the theft in it; returns when it was given. */
function untilShown(one: Harness): number {
  const answeredAt: number[] = []
  one.venue.answers.readBalances = () => {
    answeredAt.push(one.now)
    return { type: 'balances', sentAt: one.now, amounts: { ...one.venue.amounts }, source: null }
  }
  for (let n = 0; n < 300 && answeredAt.length === 0; n += 1) one.run(100)
  return answeredAt[0] ?? expect.fail('no balances were read')
}

describe('funds that someone else moves with this key', () => {
  it('are reported within 5 s of the answer that shows it, with the safe quote, and halt with the second reading', () => {
    const one = desk()
    one.venue.amounts.USDC -= 5_000n * USD
    const shownAt = untilShown(one)
    one.run(5_000)
    const [first] = notices(one)
    expect(first).toMatchObject({ severity: 'critical', message: expect.stringMatching(/-5000 USDC/) })
    expect(first?.type === 'alert' && first.t - shownAt).toBeLessThanOrEqual(5_000)
    expect(one.venue.held).toMatchObject(SAFE)
    one.run(15_000)
    expect(one.state().latch.halted).toMatchObject({ rule: 'foreign-hand' })
    expect(one.state().latch.halted?.since).toBeLessThanOrEqual(shownAt + 20_000)
  })

  it('are found under a fill every second', () => {
    const one = desk()
    one.venue.amounts.NTZS -= 1_000_000n * NTZS
    for (let second = 0; second < 40; second += 1) {
      bringDollars(one.venue, 30n * USD)
      one.run(1_000)
    }
    expect(one.state().latch.halted).toMatchObject({ rule: 'foreign-hand' })
  })

  it('are found where a little comes back for what was taken', () => {
    const one = desk()
    one.venue.amounts.USDC -= 5_000n * USD
    one.venue.amounts.NTZS += 11_700_000n * NTZS
    one.run(40_000)
    expect(one.state().latch.halted).toMatchObject({ rule: 'foreign-hand' })
  })
})

describe('a difference that a fill at our quotes could make', () => {
  it('a difference that a fill could explain raises no alert, and reconciles once its row arrives', () => {
    const one = desk()
    const fill = bringDollars(one.venue, 20_000n * USD)
    one.venue.fills.pop()
    one.run(25_000)
    expect(notices(one)).toEqual([])
    expect(one.venue.held).toMatchObject(TRADING)
    one.venue.fills.push(fill)
    one.run(10_000)
    expect(one.state().reconciliation.state).toBe('reconciled')
  })

  it('is not told of old answers of a cache, however many fills went both ways since', () => {
    const one = desk()
    const old = { ...one.venue.amounts }
    for (let second = 0; second < 20; second += 1) {
      bringDollars(one.venue, 30_000n * USD)
      bringShillings(one.venue, 75_000_000n * NTZS)
      one.run(1_000)
    }
    one.venue.answers.readBalances = () => ({ type: 'balances', sentAt: one.now, amounts: old, source: null })
    one.run(100_000)
    expect(notices(one)).toEqual([])
    expect(one.state().latch.halted).toMatchObject({ rule: 'unexplained-balance' })
  })

  it('of less than a dollar is a difference like any other', () => {
    const one = desk()
    one.venue.amounts.USDC -= USD
    one.run(40_000)
    expect(notices(one)).toEqual([])
  })

  it('is not told of an inflow, however large', () => {
    const one = desk()
    one.venue.amounts.USDC += 50_000n * USD
    one.run(40_000)
    expect(notices(one)).toEqual([])
  })

  it('is not told of a withdrawal of ours whose outcome is unknown', () => {
    const withdraw = { enabled: true, destinations: ['0xabc'], maxPerDay: { USDC: 9_000n * USDC } }
    const one = runCore(20_000, { config: { withdraw, activation: 'manual' } })
    one.venue.answers.withdraw = () => 'silence'
    one.order({ name: 'withdraw', asset: 'USDC', amount: 5_000n * USDC, toAddress: '0xabc' })
    one.run(1_000)
    one.restart()
    one.venue.amounts.USDC -= 5_000n * USD
    one.run(120_000)
    expect(one.state().book.accounts.external.USDC).toBe(5_000n * USD)
    expect(notices(one)).toEqual([])
    expect(one.state().reconciliation.state).toBe('reconciled')
  })

  it('that a late row explains after all lifts the safe quote by itself', () => {
    const one = desk()
    const { mid } = one.venue
    // A fill of long ago, at a mid that no one here remembers: a loss of a tenth.
    one.venue.mid = (mid * 11n) / 10n
    const fill = bringDollars(one.venue, 1_000n * USD)
    one.venue.mid = mid
    one.venue.fills.pop()
    for (let n = 0; n < 300 && notices(one).length === 0; n += 1) one.run(100)
    expect(one.venue.held).toMatchObject(SAFE)
    one.venue.fills.push(fill)
    one.run(15_000)
    expect(one.state().reconciliation.foreign).toBeNull()
    expect(one.state().latch.halted).toBeNull()
    expect(one.venue.held).toMatchObject(TRADING)
  })
})

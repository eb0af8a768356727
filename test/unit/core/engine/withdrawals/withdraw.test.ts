import { settledPnl } from '../../../../../src/core/ledger/book/book.ts'
import { describe, expect, it } from 'vitest'
import type { CoreConfig } from '../../../../../src/core/engine/model/config.ts'
import { toBook } from '../../../../../src/base/money/asset.ts'
import { type Harness, runCore } from '../../../../support/core-harness.ts'
import { failureOf } from '../../../../support/failure-of.ts'
import { NTZS, USD, USDC } from '../../../../support/taker.ts'
import { refused } from '../../../../support/answers.ts'

const HOME = '0xAbC0000000000000000000000000000000000001'
const allowed: CoreConfig['withdraw'] = {
  enabled: true,
  destinations: [HOME],
  maxPerDay: { USDC: 1_000n * USDC },
}
const order = (amount: bigint, toAddress = HOME, asset: 'USDC' | 'NTZS' = 'USDC') =>
  ({ name: 'withdraw', asset, amount, toAddress }) as const

/** A desk that is out of the market, as a withdrawal wants it. */
function desk(withdraw = allowed, change: Partial<CoreConfig> = {}): Harness {
  return runCore(20_000, { config: { withdraw, activation: 'manual', ...change } })
}
const sent = (one: Harness) => one.effects.filter(({ type }) => type === 'withdraw')

describe('a withdrawal', () => {
  it('that the rules allow is sent once, booked as our own transfer, and is no loss', () => {
    const one = desk()
    expect(one.order(order(400n * USDC))).toMatchObject({ accepted: true })
    one.run(60_000)
    expect(sent(one)).toHaveLength(1)
    expect(one.state().book.accounts.external.USDC).toBe(400n * USD)
    expect(one.state().book.accounts.wallet).toEqual(one.venue.amounts)
    expect(one.state().reconciliation.state).toBe('reconciled')
    expect(settledPnl(one.state().book).totalTzs).toBe(0n)
  })

  it('waits for a sweep that is under way, and a sweep waits for it: else no one knows what went where', () => {
    const going = desk()
    going.venue.answers.activate = () => 'silence'
    going.order({ name: 'activate' })
    going.run(1_000)
    expect(going.order(order(400n * USDC))).toMatchObject(refused('that is complete'))
    const leaving = desk()
    leaving.venue.answers.withdraw = () => 'silence'
    leaving.order(order(400n * USDC))
    leaving.order({ name: 'activate' })
    leaving.run(3_000)
    expect(leaving.effects.filter(({ type }) => type === 'activate')).toEqual([])
  })

  it.each([
    ['withdrawals are off', { ...allowed, enabled: false }, order(USDC), 'withdrawals are off'],
    ['the destination is not listed', allowed, order(USDC, '0x1'), 'not among'],
    ['it is over the cap of the day', allowed, order(1_001n * USDC), 'maxPerDay'],
    ['the asset has no cap', allowed, order(NTZS, HOME, 'NTZS'), 'no cap, so nothing'],
    ['it is nothing', allowed, order(0n), 'more than zero'],
    ['it is less than nothing', allowed, order(-USDC), 'more than zero'],
  ])('is refused and said why when %s', (_, rules, command, why) => {
    const one = desk(rules)
    expect(one.order(command)).toMatchObject(refused(why))
    expect(one.observations).toContainEqual(expect.objectContaining({ type: 'refusal', rule: 'withdrawal' }))
    expect(sent(one)).toEqual([])
  })

  it('changes nothing in a dry run', () => {
    const one = desk(allowed, { mode: 'dry-run' })
    expect(one.order(order(USDC))).toMatchObject({ accepted: false })
    expect(sent(one)).toEqual([])
  })

  it('goes to a listed address whatever the case of its letters', () => {
    expect(desk().order(order(USDC, HOME.toLowerCase()))).toMatchObject({ accepted: true })
  })

  it('counts against the cap of 24 hours together with those before it', () => {
    const one = desk()
    one.order(order(600n * USDC))
    one.run(30_000)
    expect(one.order(order(401n * USDC))).toMatchObject({ accepted: false })
    expect(one.order(order(400n * USDC))).toMatchObject({ accepted: true })
  })

  it('waits for the one under way', () => {
    const one = desk()
    one.venue.answers.withdraw = () => 'silence'
    one.order(order(USDC))
    expect(one.order(order(USDC))).toMatchObject(refused('in progress'))
  })

  it('that the venue refused gives its part of the cap back', () => {
    const one = desk()
    one.venue.answers.withdraw = () => failureOf('refused', { code: 'INSUFFICIENT_BALANCE' })
    one.order(order(1_000n * USDC))
    one.run(5_000)
    delete one.venue.answers.withdraw
    expect(one.order(order(1_000n * USDC))).toMatchObject({ accepted: true })
  })

  it('is not sent into a budget that is spent, or a silence that the venue asked for', () => {
    const one = desk()
    one.venue.answers.readFills = () => failureOf('rate-limit', { retryAfterMs: 30_000 })
    one.run(5_000)
    expect(one.order(order(USDC))).toMatchObject({ accepted: false })
    expect(sent(one)).toEqual([])
  })
})

describe('a withdrawal without an answer', () => {
  function lost(didGoOut: boolean): Harness {
    const one = desk()
    one.venue.answers.withdraw = (effect) => {
      if (effect.type === 'withdraw' && didGoOut)
        one.venue.amounts[effect.asset] -= toBook(effect.amount, effect.asset)
      return failureOf('timeout')
    }
    one.order(order(400n * USDC))
    one.run(1_000)
    return one
  }

  it('is never sent again, and no other of its asset before it is known what became of it', () => {
    const one = lost(false)
    one.run(60_000)
    expect(sent(one)).toHaveLength(1)
    expect(one.order(order(USDC))).toMatchObject(refused('unknown'))
  })

  it('an executed withdrawal without an answer is recognised by the balances and booked as a withdrawal', () => {
    const one = lost(true)
    one.run(120_000)
    expect(one.state().book.accounts.external.USDC).toBe(400n * USD)
    expect(one.state().withdrawals.unknown).toEqual([])
    expect(one.state().reconciliation.state).toBe('reconciled')
    expect(one.state().latch.halted).toBeNull()
  })

  it('counts against the cap though no one knows', () => {
    const one = lost(true)
    one.run(120_000)
    expect(one.order(order(601n * USDC))).toMatchObject({ accepted: false })
    expect(one.order(order(600n * USDC))).toMatchObject({ accepted: true })
  })

  it('is the same when the process died in the middle of it', () => {
    const one = desk()
    one.venue.answers.withdraw = (effect) => {
      if (effect.type === 'withdraw') one.venue.amounts[effect.asset] -= toBook(effect.amount, effect.asset)
      return 'silence'
    }
    one.order(order(400n * USDC))
    one.restart()
    one.run(120_000)
    expect(sent(one)).toHaveLength(1)
    expect(one.state().book.accounts.external.USDC).toBe(400n * USD)
    expect(one.state().reconciliation.state).toBe('reconciled')
  })

  it('does not bar the asset indefinitely: after a day without a sign of it the operator may go on', () => {
    const one = lost(false)
    one.now += 25 * 3_600_000
    one.give({ type: 'tick', t: one.now })
    one.run(20_000)
    expect(one.order(order(USDC))).toMatchObject({ accepted: true })
  })
})

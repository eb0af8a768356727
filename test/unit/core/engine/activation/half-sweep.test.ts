import { describe, expect, test } from 'vitest'
import { ASSETS, type Amounts, zeroAmounts } from '../../../../../src/base/money/asset.ts'
import { coreConfig } from '../../../../support/core-config.ts'
import { coreHarness, type Harness } from '../../../../support/core-harness.ts'
import { failureOf } from '../../../../support/failure-of.ts'

const { quote, risk } = coreConfig()
const ONE = 10n ** 18n
const EMPTY_500 = failureOf('server', { outcome: 'unknown', status: 500 })
const NOTHING = failureOf('refused', { status: 400, code: 'NOTHING_TO_SWEEP' })

/** A venue that sweeps token by token, as it was measured: where each token is, and what its balances state. */
type Sweeper = { readonly desk: Harness; readonly pool: Amounts; readonly wallet: Amounts; stops: number }

/** The first `stops` activations end after one token with an empty 500. */
function sweeper(stops: number): Sweeper {
  const config = { quote: { ...quote, drainMs: 0 }, risk: { ...risk, foreignWrites: 'latch' } } as const
  const desk = coreHarness({ config })
  const { venue } = desk
  const [pool, wallet] = [zeroAmounts(), { ...venue.amounts }]
  const self: Sweeper = { desk, pool, wallet, stops }
  const move = (from: Amounts, to: Amounts, most: number) => {
    const moved = ASSETS.filter((asset) => from[asset] > 0n).slice(0, most)
    for (const asset of moved) [to[asset], from[asset]] = [to[asset] + from[asset], 0n]
    return moved
  }
  venue.answers.readBalances = () => ({
    type: 'balances',
    sentAt: desk.now,
    amounts: { ...(venue.isActive ? pool : wallet) },
    source: venue.isActive ? 'pool' : 'wallet',
  })
  venue.answers.activate = (effect) => {
    if (effect.type !== 'activate') throw new Error(effect.type)
    if (!effect.isActive) {
      const returned = move(pool, wallet, 9)
      venue.isActive = false
      return { type: 'activation', isActive: false, partial: false, returned }
    }
    if (ASSETS.every((asset) => wallet[asset] === 0n)) return NOTHING
    self.stops -= 1
    if (self.stops >= 0) {
      move(wallet, pool, 1)
      return EMPTY_500
    }
    move(wallet, pool, 9)
    venue.isActive = true
    return { type: 'activation', isActive: true, partial: false, returned: [] }
  }
  return self
}

const calls = ({ desk }: Sweeper) =>
  desk.effects.flatMap((effect) => (effect.type === 'activate' ? [effect.isActive] : []))
const alarms = ({ desk }: Sweeper) => desk.alerts('foreign-hand')

describe('an activation that stops half-way', () => {
  test('is repeated, and what left the wallet is in the pool: no alarm and no halt', () => {
    const one = sweeper(1)
    one.desk.run(120_000)
    const { activation, reconciliation, latch, book } = one.desk.state()
    expect([activation.isActive, reconciliation.state, latch.halted]).toEqual([true, 'reconciled', null])
    expect(book.accounts.pool).toEqual(one.pool)
    expect(alarms(one)).toEqual([])
    expect(calls(one)).toEqual([true, true])
    expect(activation.unclearSweep).toBe(false)
  })

  test('of which the pool does not show the token afterwards is a foreign hand', () => {
    const one = sweeper(1)
    one.desk.run(10)
    for (let n = 0; n < 100 && one.pool.NTZS === 0n; n += 1) one.desk.run(100)
    one.pool.NTZS = 0n
    one.desk.run(120_000)
    expect(alarms(one)).not.toEqual([])
    expect(one.desk.state().latch.halted?.rule).toBe('foreign-hand')
  })

  test('that left a part of a token in the wallet is no half activation', () => {
    const one = sweeper(1_000)
    for (let n = 0; n < 100 && one.pool.NTZS === 0n; n += 1) one.desk.run(100)
    one.desk.venue.answers.activate = () => EMPTY_500
    one.wallet.USDC -= 5_000n * ONE
    one.desk.run(60_000)
    expect(alarms(one)).not.toEqual([])
  })

  test('blocks neither resume nor activate after a halt in between', () => {
    const one = sweeper(1)
    for (let n = 0; n < 100 && one.pool.NTZS === 0n; n += 1) one.desk.run(100)
    one.desk.order({ name: 'halt' })
    one.desk.run(60_000)
    expect(one.desk.state().activation.isActive).toBe(false)
    expect(one.desk.order({ name: 'resume' }).accepted).toBe(true)
    expect(one.desk.order({ name: 'activate' }).accepted).toBe(true)
    one.desk.run(120_000)
    expect(one.desk.state().reconciliation.state).toBe('reconciled')
    expect(one.desk.venue.isActive).toBe(true)
  })

  test('is known to the process that follows', () => {
    const one = sweeper(1)
    const { answers } = one.desk.venue
    const answer = answers.activate
    answers.activate = (effect) => {
      answer?.(effect)
      return 'silence'
    }
    for (let n = 0; n < 100 && one.pool.NTZS === 0n; n += 1) one.desk.run(100)
    one.desk.restart()
    if (answer !== undefined) answers.activate = answer
    one.desk.run(240_000)
    expect(alarms(one)).toEqual([])
    expect(one.desk.state().activation.isActive).toBe(true)
    expect(one.desk.state().reconciliation.state).toBe('reconciled')
  })
})

test('a top-up that was swept without an answer is in the pool of the books before a deactivation ends', () => {
  const one = sweeper(0)
  const { desk } = one
  desk.run(60_000)
  const topUp = (key: string) => {
    one.wallet.NTZS = 739_001n * ONE
    desk.order({ name: 'topUp', asset: 'NTZS', amount: 739_001n * ONE, key })
    for (let n = 0; n < 100 && one.wallet.NTZS > 0n; n += 1) desk.run(10)
    desk.run(100)
  }
  const { answers } = desk.venue
  const usual = { ...answers }
  answers.readBalances = () => 'silence'
  topUp('answered')
  answers.activate = (effect) => {
    usual.activate?.(effect)
    return 'silence'
  }
  topUp('unanswered')
  desk.order({ name: 'deactivate' })
  desk.restart()
  Object.assign(answers, usual, { activate: () => failureOf('server', { outcome: 'failed', status: 503 }) })
  desk.run(30_000)
  Object.assign(answers, usual)
  desk.run(240_000)
  const { reconciliation, book, activation } = desk.state()
  expect([reconciliation.state, activation.isActive]).toEqual(['reconciled', false])
  expect(book.accounts.wallet).toEqual(one.wallet)
  const kinds = desk.observations.flatMap((seen) => (seen.type === 'entryPosted' ? [seen.entry.kind] : []))
  expect(kinds.filter((kind) => kind === 'deposit')).toHaveLength(2)
  expect(alarms(one)).toEqual([])
})

describe('an activation that finds nothing to sweep', () => {
  test('of an inactive account whose tokens are all in the pool is preceded by a deactivation', () => {
    const one = sweeper(2)
    one.desk.run(240_000)
    expect(calls(one)).toEqual([true, true, true, false, true])
    expect(one.desk.state().activation.isActive).toBe(true)
    expect(one.desk.state().book.accounts.pool).toEqual(one.pool)
    expect(alarms(one)).toEqual([])
  })

  test('is done where the account is active', () => {
    const one = sweeper(0)
    one.desk.run(60_000)
    one.desk.order({ name: 'activate' })
    one.desk.run(300_000)
    expect(calls(one)).toEqual([true, true])
    expect(one.desk.state().reconciliation.state).toBe('reconciled')
  })

  test('because there is nothing anywhere is not repeated before tokens have come', () => {
    const one = sweeper(0)
    Object.assign(one.wallet, zeroAmounts())
    one.desk.run(600_000)
    expect(calls(one)).toEqual([true])
    one.wallet.USDC = 100n * ONE
    one.desk.order({ name: 'topUp', asset: 'USDC', amount: 100_000_000n, key: 'k' })
    one.desk.run(120_000)
    expect(calls(one)).toEqual([true, true])
    expect(one.desk.state().activation.isActive).toBe(true)
  })

  test('waits for a person where a foreign hand is latched', () => {
    const one = sweeper(2)
    const { desk } = one
    desk.order({ name: 'activate' })
    for (let n = 0; n < 200 && one.wallet.USDC > 0n; n += 1) desk.run(100)
    expect([desk.venue.isActive, one.pool.NTZS > 0n, one.pool.USDC > 0n]).toEqual([false, true, true])
    const outflow = { key: 'k', asset: 'USDC', amount: 5n, to: '0xb', txHash: '0xc', block: 1n } as const
    desk.give({ type: 'walletTransfers', t: desk.now, outflows: [outflow], isFromBefore: false })
    desk.run(120_000)
    expect(desk.state().latch.foreign).toHaveProperty('transfer')
    expect(calls(one)).not.toContain(false)
    desk.order({ name: 'resume' })
    desk.order({ name: 'activate' })
    desk.run(120_000)
    expect(desk.venue.isActive).toBe(true)
  })
})

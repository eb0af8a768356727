import { describe, expect, test } from 'vitest'
import { ASSETS } from '../../../../../src/base/money/asset.ts'
import { settledPnl } from '../../../../../src/core/ledger/book/book.ts'
import { coreHarness, type Harness } from '../../../../support/core-harness.ts'
import { NTZS, USD, USDC } from '../../../../support/taker.ts'

const topUp = (amount: bigint, key = 'intent-1') => ({ name: 'topUp', asset: 'NTZS', amount, key }) as const

function harness(activation: 'auto' | 'manual'): Harness {
  const one = coreHarness({ config: { activation } })
  one.run(30_000)
  return one
}

function isWhole({ book }: ReturnType<Harness['state']>): boolean {
  return ASSETS.every(
    (asset) => Object.values(book.accounts).reduce((sum, account) => sum + account[asset], 0n) === 0n,
  )
}

describe('a top-up by the treasury', () => {
  test('of a position that is out of the market is a deposit, and neither a gain nor a difference', () => {
    const one = harness('manual')
    one.venue.amounts.NTZS += 5_000n * NTZS
    expect(one.order(topUp(5_000n * NTZS))).toMatchObject({ accepted: true })
    one.run(120_000)
    expect(one.state().reconciliation.state).toBe('reconciled')
    expect(one.state().book.accounts.external.NTZS).toBe(-5_000n * NTZS)
    expect(one.state().book.accounts.wallet).toEqual(one.venue.amounts)
    expect([settledPnl(one.state().book).totalTzs, isWhole(one.state())]).toEqual([0n, true])
  })

  test('of a position in the market is swept into the pool by one activation more, and the books never break', () => {
    const one = harness('auto')
    expect(one.state().activation.isActive).toBe(true)
    const before = one.state().book.accounts.pool.NTZS
    const activations = () => one.effects.filter(({ type }) => type === 'activate').length
    const sent = activations()
    expect(one.order(topUp(5_000n * NTZS))).toMatchObject({ accepted: true })
    // The venue shows the pool alone: the tokens turn up with the sweep.
    one.venue.amounts.NTZS += 5_000n * NTZS
    one.run(120_000)
    expect(activations()).toBe(sent + 1)
    expect(one.state().book.accounts.pool.NTZS).toBe(before + 5_000n * NTZS)
    expect(one.state().book.accounts.wallet.NTZS).toBe(0n)
    expect(one.state().reconciliation.state).toBe('reconciled')
    expect([settledPnl(one.state().book).totalTzs, isWhole(one.state())]).toEqual([0n, true])
  })

  test('in a token of 6 decimals is booked with the 18 of the book', () => {
    const one = harness('manual')
    one.venue.amounts.USDC += 5n * USD
    expect(one.order({ ...topUp(5n * USDC), asset: 'USDC' })).toMatchObject({ accepted: true })
    expect(one.state().book.accounts.external.USDC).toBe(-5n * USD)
    one.run(120_000)
    expect(one.state().reconciliation.state).toBe('reconciled')
    expect(one.state().book.accounts.wallet).toEqual(one.venue.amounts)
  })

  test('is booked once, however often the treasury names it', () => {
    const one = harness('manual')
    one.venue.amounts.NTZS += 5_000n * NTZS
    one.order(topUp(5_000n * NTZS))
    expect(one.order(topUp(5_000n * NTZS))).toMatchObject({ accepted: true })
    expect(one.state().book.accounts.external.NTZS).toBe(-5_000n * NTZS)
  })

  test('is refused in a dry run and for nothing', () => {
    const dry = coreHarness({ config: { mode: 'dry-run' } })
    dry.run(10_000)
    expect(dry.order(topUp(NTZS))).toMatchObject({ accepted: false })
    expect(harness('manual').order(topUp(0n))).toMatchObject({ accepted: false })
  })
})

import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ownHoldings } from '../../../../src/treasury/books/books.ts'
import { wholeIdentity } from '../../../../src/treasury/books/identity.ts'
import {
  MID,
  plannedLeg,
  plannedStep,
  TreasuryHarness,
  TZS,
  USD,
  SWAP,
} from '../../../support/treasury-harness.ts'

const ID = 'e'.repeat(32)
const UNIT = TZS * TZS

function swapped(received: bigint): TreasuryHarness {
  const harness = TreasuryHarness.planned(ID, SWAP)
  harness.quote(ID, 0, { quoteId: null, spend: 1_000n * USD, receive: 2_450_000n * TZS })
  harness.prepare(ID, 0)
  harness.answer(ID, 0, { received })
  return harness
}

describe('legs in the books', () => {
  test('a swap costs what it brought less than the mid', () => {
    const { books } = swapped(2_480_000n * TZS).state
    expect(wholeIdentity(books, MID)?.tzs).toMatchObject({ costs: -20_000n * UNIT, residual: 0n })
    expect(books.accounts['conversion']).toEqual({ NTZS: -2_480_000n * TZS, USDC: 1_000n * USD, USDT: 0n })
  })

  test('whatever a swap brings, the identity holds to the last unit in both currencies', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 10n ** 26n }),
        fc.bigInt({ min: 1n, max: 10n ** 22n }),
        (received, mid) => {
          const whole = wholeIdentity(swapped(received).state.books, mid)
          expect([whole?.tzs.residual, whole?.usd.residual]).toEqual([0n, 0n])
        },
      ),
      { numRuns: 50 },
    )
  })

  test('a payout that returns late, minus a fee of the bank, is a reversal with that cost', () => {
    const harness = TreasuryHarness.payingOut(ID)
    harness.answer(ID, 0)
    expect(harness.intent(ID).stage).toBe('settled')
    harness.pass(3 * 86_400_000)
    harness.see(ID, 0, { status: 'reverted', received: 499_000n * TZS })
    expect(harness.intent(ID).stage).toBe('reversed')
    expect(wholeIdentity(harness.state.books, MID)?.tzs).toMatchObject({
      flows: 0n,
      costs: -4_000n * UNIT,
      residual: 0n,
    })
    harness.see(ID, 0, { status: 'reverted', received: 499_000n * TZS })
    expect(harness.state.books.accounts['treasury']?.NTZS).toBe(59_996_000n * TZS)
  })

  test('a deposit under review is in transit, and arrives minus what was held back', () => {
    const harness = TreasuryHarness.planned(
      ID,
      plannedStep([plannedLeg({ kind: 'deposit', from: 'bank', to: 'treasury' })]),
    )
    harness.prepare(ID, 0)
    harness.answer(ID, 0, { status: 'waiting_for_payer' })
    expect(ownHoldings(harness.state.books).NTZS).toBe(70_000_000n * TZS)
    harness.see(ID, 0, { status: 'review', words: 'another amount' })
    expect(harness.state.books.accounts[`transit:${ID}`]?.NTZS).toBe(40_000_000n * TZS)
    harness.see(ID, 0, { received: 39_000_000n * TZS })
    expect(harness.state.books.accounts['treasury']?.NTZS).toBe(99_000_000n * TZS)
    expect(harness.state.books.accounts['railCosts']?.NTZS).toBe(1_000_000n * TZS)
  })

  test('an off-ramp that fails comes back to the float as shillings', () => {
    const harness = new TreasuryHarness()
    const leg = plannedLeg({
      kind: 'offramp',
      from: 'treasury',
      to: 'phone',
      asset: 'USDC',
      amount: 100n * USD,
      receiveAsset: 'NTZS',
      leastReceived: 240_000n * TZS,
      payee: 'landlord',
    })
    harness.plan(ID, plannedStep([leg], { route: 'offramp', rule: 'skim' }))
    for (const by of ['anna', 'bertha']) harness.approve(ID, by)
    harness.quote(ID, 0, { spend: 98n * USD, receive: 240_000n * TZS, feeTzs: 1_000n * TZS })
    harness.prepare(ID, 0)
    harness.answer(ID, 0, { status: 'in_transit' })
    harness.see(ID, 0, { status: 'reverted' })
    expect(harness.state.books.accounts['treasury']).toMatchObject({
      NTZS: 60_241_000n * TZS,
      USDC: 4_902n * USD,
    })
    expect(wholeIdentity(harness.state.books, MID)).toMatchObject({
      tzs: { residual: 0n },
      usd: { residual: 0n },
    })
  })
})

import { describe, expect, test } from 'vitest'
import { wholeIdentity } from '../../../../src/treasury/books/identity.ts'
import type { PlannedIntent } from '../../../../src/treasury/model/plan-types.ts'
import {
  plannedStep,
  TreasuryHarness,
  SWAP,
  plannedLeg,
  MID,
  holdingsOf,
  USD,
  PAYOUT,
  TZS,
} from '../../../support/treasury-harness.ts'

const ID = 'f'.repeat(32)
const UNIT = TZS * TZS
const DAY_MS = 86_400_000

/** One leg, priced and sent; its answer is left to the test. */
function sent(step: PlannedIntent, quote: { spend: bigint; receive: bigint; feeTzs?: bigint }) {
  const harness = TreasuryHarness.planned(ID, step, { approval: { people: 1, coolOffMs: 0 } })
  harness.approve(ID, 'anna')
  harness.quote(ID, 0, { quoteId: step.legs[0]?.kind === 'swap' ? null : 'a-quote', ...quote })
  harness.prepare(ID, 0)
  return harness
}

/** 500,000 TZS that arrived for 503,000, and bounced after three days; the venue states no figure. */
function bounced(): TreasuryHarness {
  const harness = sent(PAYOUT, { spend: 503_000n * TZS, receive: 500_000n * TZS })
  harness.answer(ID, 0, { received: 500_000n * TZS, fee: 3_000n * TZS })
  read(harness, -503_000n)
  harness.pass(3 * DAY_MS)
  harness.see(ID, 0, { status: 'reverted', words: 'returned by the recipient' })
  return harness
}

/** Reads balances for a quarter of an hour: the treasury's wallet has so many shillings more than at first. */
function read(harness: TreasuryHarness, moreTzs: bigint, moreUsdc = 0n): void {
  const treasury = { NTZS: (60_000_000n + moreTzs) * TZS, USDC: (5_000n + moreUsdc) * USD, USDT: 0n }
  for (let minutes = 0; minutes < 15; minutes += 2) {
    harness.now += 120_000
    harness.look(holdingsOf({ treasury }))
  }
}

function differs(harness: TreasuryHarness): readonly string[] {
  return harness.observations.flatMap((one) =>
    one.type === 'treasuryAlert' && one.code === 'treasury-books-differ' ? [one.message] : [],
  )
}

function expectTerms(harness: TreasuryHarness, terms: { costs: bigint; unreconciled: bigint }): void {
  const whole = wholeIdentity(harness.state.books, MID)
  expect(whole?.tzs).toMatchObject({
    flows: 0n,
    residual: 0n,
    costs: terms.costs * UNIT,
    unreconciled: terms.unreconciled * UNIT,
  })
  expect(whole?.usd.residual).toBe(0n)
}

describe('a payout that bounces', () => {
  test('brings back all that was burned, so that its fee is no cost any longer', () => {
    const harness = bounced()
    expect(harness.intent(ID).stage).toBe('reversed')
    expectTerms(harness, { costs: 0n, unreconciled: 0n })
    read(harness, 0n)
    expect(differs(harness)).toEqual([])
    expect(harness.intent(ID).legs[0]).toMatchObject({ provisional: null, why: 'returned by the recipient' })
  })

  test('costs what the balances show that the venue kept of it, which is named', () => {
    const harness = bounced()
    read(harness, -4_000n)
    expect(differs(harness)).toEqual([])
    expect(harness.intent(ID).legs[0]?.why).toMatch(/ 499000 NTZS .* 503000 NTZS$/)
    expect(harness.observations.findLast(({ type }) => type === 'booked')).toMatchObject({
      intent: ID,
      reason: expect.stringMatching(/^withdrawal: .* 499000 NTZS .* 503000 NTZS$/),
    })
    expectTerms(harness, { costs: -4_000n, unreconciled: 0n })
  })

  test('before its intent learns of it adds no cost to another bounce: the unreconciled amount is taken back', () => {
    const other = 'e'.repeat(32)
    const harness = sent(PAYOUT, { spend: 503_000n * TZS, receive: 500_000n * TZS })
    harness.answer(ID, 0, { received: 500_000n * TZS, fee: 3_000n * TZS })
    harness.plan(other, PAYOUT)
    harness.approve(other, 'anna')
    harness.quote(other, 0, { quoteId: 'another', spend: 503_000n * TZS, receive: 500_000n * TZS })
    harness.prepare(other, 0)
    harness.answer(other, 0, { received: 500_000n * TZS, fee: 3_000n * TZS })
    read(harness, -1_006_000n)
    read(harness, -503_000n)
    expect(differs(harness)).toHaveLength(1)
    for (const id of [ID, other]) harness.see(id, 0, { status: 'reverted', words: 'returned' })
    read(harness, 0n)
    expectTerms(harness, { costs: 0n, unreconciled: 0n })
    expect(differs(harness)).toHaveLength(1)
  })

  test('and of which less than half comes back is a difference that a person learns of', () => {
    const harness = bounced()
    read(harness, -503_000n)
    expect(differs(harness)).toHaveLength(1)
    expectTerms(harness, { costs: 0n, unreconciled: -503_000n })
  })

  test('accounts for no difference after the balances have confirmed its return', () => {
    const harness = bounced()
    read(harness, 0n)
    read(harness, -4_000n)
    expect(differs(harness)).toHaveLength(1)
    expectTerms(harness, { costs: 0n, unreconciled: -4_000n })
  })

  test('is read from text like every other event: the fold of the journal knows what is open', () => {
    const harness = bounced()
    expect(harness.intent(ID).legs[0]?.provisional).toEqual({
      what: 'returned',
      place: 'treasury',
      asset: 'NTZS',
      booked: 503_000n * TZS,
      least: 251_500n * TZS,
      most: 503_000n * TZS,
    })
  })
})

test('a payout that fails is back whole, less what the balances show that the venue kept', () => {
  const harness = sent(PAYOUT, { spend: 503_000n * TZS, receive: 500_000n * TZS })
  harness.answer(ID, 0, { status: 'in_transit' })
  harness.see(ID, 0, { status: 'reverted' })
  expectTerms(harness, { costs: 0n, unreconciled: 0n })
  read(harness, -1_000n)
  expect(differs(harness)).toEqual([])
  expectTerms(harness, { costs: -1_000n, unreconciled: 0n })
})

describe('a swap whose answer names no amount', () => {
  const swapped = () => {
    const harness = sent(SWAP, { spend: 1_000n * USD, receive: 2_450_000n * TZS })
    harness.answer(ID, 0)
    return harness
  }

  test.each([
    [2_450_000n, null],
    [2_461_000n, 'the balances show that 2461000 NTZS arrived, not 2450000 NTZS'],
    [2_400_000n, 'the balances show that 2400000 NTZS arrived, not 2450000 NTZS'],
  ])('settles with what was quoted until the balances show the %i that it delivered', (delivered, why) => {
    const harness = swapped()
    expect(harness.intent(ID).legs[0]?.received).toBe(2_450_000n * TZS)
    read(harness, delivered, -1_000n)
    expect(differs(harness)).toEqual([])
    expect(harness.intent(ID).legs[0]).toMatchObject({
      received: delivered * TZS,
      provisional: null,
      why: why ?? 'completed',
    })
    expectTerms(harness, { costs: delivered - 2_500_000n, unreconciled: 0n })
  })

  test('delivers nothing below its floor: such a difference has another reason', () => {
    const harness = swapped()
    read(harness, 2_399_999n, -1_000n)
    expect(differs(harness)).toHaveLength(1)
    expectTerms(harness, { costs: -50_000n, unreconciled: -50_001n })
  })

  test('settles with the amount of the chain where it is known, and waits for no balance', () => {
    const harness = sent(SWAP, { spend: 1_000n * USD, receive: 2_450_000n * TZS })
    harness.answer(ID, 0, { received: 2_461_000n * TZS })
    expect(harness.intent(ID).legs[0]).toMatchObject({ received: 2_461_000n * TZS, provisional: null })
  })
})

test('an off-ramp that bounces after it was paid comes back to the float as shillings, with its fee', () => {
  const leg = plannedLeg({
    kind: 'offramp',
    from: 'float',
    to: 'phone',
    asset: 'USDC',
    amount: 100n * USD,
    receiveAsset: 'NTZS',
    leastReceived: 240_000n * TZS,
    payee: 'landlord',
  })
  const harness = sent(plannedStep([leg], { route: 'offramp', rule: 'skim' }), {
    spend: 98n * USD,
    receive: 240_000n * TZS,
    feeTzs: 1_000n * TZS,
  })
  harness.answer(ID, 0)
  harness.see(ID, 0, { status: 'reverted' })
  expect(harness.state.books.accounts['float']).toMatchObject({ NTZS: 241_000n * TZS, USDC: -98n * USD })
  expect(wholeIdentity(harness.state.books, MID)).toMatchObject({
    tzs: { flows: 0n, residual: 0n },
    usd: { residual: 0n },
  })
})

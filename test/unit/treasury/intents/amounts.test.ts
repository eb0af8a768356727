import { describe, expect, test } from 'vitest'
import { asksForReceived, namedAmount } from '../../../../src/treasury/intents/amounts.ts'
import type { PlannedIntent } from '../../../../src/treasury/model/plan-types.ts'
import {
  TRANSFER,
  REFILL,
  TreasuryHarness,
  plannedStep,
  SWAP,
  plannedLeg,
  USD,
  PAYOUT,
  TZS,
} from '../../../support/treasury-harness.ts'

const MILLION = 1_000_000n * TZS
/** The same step twice, under two rules; the figures of the second one. */
function second(step: PlannedIntent, harness = new TreasuryHarness()) {
  harness.plan('one', step)
  const { legs, envelope } = harness.plan('two', { ...step, rule: 'manual' })
  return { amount: legs[0]?.amount, least: legs[0]?.leastReceived, envelope }
}

describe('the amount of a new leg', () => {
  test('differs from every open one of its kind by a whole shilling, so that a lost answer is found by it', () => {
    expect(second(TRANSFER)).toMatchObject({
      amount: 40n * MILLION - TZS,
      least: 40n * MILLION - TZS,
      envelope: { leastReceived: 40n * MILLION - TZS },
    })
    const harness = new TreasuryHarness()
    second(TRANSFER, harness)
    expect(harness.plan('three', { ...TRANSFER, rule: 'payout' }).legs[0]?.amount).toBe(
      40n * MILLION - 2n * TZS,
    )
  })

  test('of a payout differs in what arrives, and may cost as much as it was planned to', () => {
    expect(second(PAYOUT)).toMatchObject({
      amount: 505_000n * TZS,
      least: 499_999n * TZS,
      envelope: { mostSpent: 505_000n * TZS, leastReceived: 499_999n * TZS },
    })
  })

  test('of a swap differs by one base unit of what leaves, and in nothing that arrives', () => {
    expect(second(SWAP)).toMatchObject({
      amount: 1_000n * USD - 1n,
      least: 2_400_000n * TZS,
      envelope: { leastReceived: 2_400_000n * TZS },
    })
  })

  test('may be that of a leg of another kind, or of one that has ended; of a claim it may not', () => {
    const harness = new TreasuryHarness()
    harness.plan('one', TRANSFER)
    const deposit = plannedStep([plannedLeg({ kind: 'deposit', from: 'bank', to: 'treasury' })], {
      rule: 'manual',
    })
    expect(harness.plan('two', deposit).legs[0]?.amount).toBe(40n * MILLION)
    harness.prepare('one', 0)
    harness.answer('one', 0)
    expect(harness.plan('three', { ...TRANSFER, rule: 'payout' }).legs[0]?.amount).toBe(40n * MILLION)
    harness.prepare('three', 0)
    harness.silence('three', 0)
    harness.pass(3_700_000)
    harness.give({ type: 'findingSeen', intent: 'three', leg: 0, n: 1, found: null, words: 'nothing' })
    expect(harness.intent('three').stage).toBe('claim')
    expect(harness.plan('four', TRANSFER).legs[0]?.amount).toBe(40n * MILLION - TZS)
  })

  test('is asked for as what arrives where the venue takes it so, and as what leaves elsewhere', () => {
    const kinds = ['deposit', 'transfer', 'withdrawal', 'spend', 'swap', 'onramp', 'offramp'] as const
    expect(kinds.filter(asksForReceived)).toEqual(['withdrawal', 'spend', 'offramp'])
    const harness = new TreasuryHarness()
    const named = (step: PlannedIntent, id: string) => namedAmount(harness.plan(id, step).legs[0]!)
    expect(named(PAYOUT, 'one')).toEqual({ asset: 'NTZS', amount: 500_000n * TZS })
    expect(named(SWAP, 'two')).toEqual({ asset: 'USDC', amount: 1_000n * USD })
  })
})

describe('what a leg brought is handed on', () => {
  /** The transfer of a refill whose deposit brought so much. */
  function transferAfter(received: bigint) {
    const harness = new TreasuryHarness()
    harness.plan('one', REFILL)
    harness.prepare('one', 0)
    harness.answer('one', 0, { received })
    const { amount, leastReceived } = harness.intent('one').legs[1]!
    return [amount, leastReceived]
  }

  test('in whole shillings, rounded down, and never more than was planned', () => {
    const less = 40n * MILLION - 3n * TZS
    expect(transferAfter(less)).toEqual([less, less])
    expect(transferAfter(less + TZS - 1n)).toEqual([less, less])
    expect(transferAfter(40n * MILLION)).toEqual([40n * MILLION, 40n * MILLION])
    expect(transferAfter(41n * MILLION)).toEqual([40n * MILLION, 40n * MILLION])
  })

  test('less what another leg of the lot has taken from there already', () => {
    const amount = 10n * MILLION
    const steps = [
      plannedLeg({ kind: 'deposit', from: 'bank', to: 'treasury' }),
      plannedLeg({ kind: 'transfer', from: 'treasury', to: 'float', amount }),
      plannedLeg({ kind: 'transfer', from: 'treasury', to: 'lpWallet', amount: 30n * MILLION }),
    ]
    const harness = new TreasuryHarness()
    harness.plan('one', plannedStep(steps))
    harness.prepare('one', 0)
    harness.answer('one', 0, { received: 35n * MILLION })
    expect(harness.intent('one').legs[1]?.amount).toBe(10n * MILLION)
    harness.prepare('one', 1)
    harness.answer('one', 1, { received: amount })
    // It starts where the deposit ended, and not where the leg before it did.
    expect(harness.intent('one').legs[2]?.amount).toBe(30n * MILLION)
  })
})

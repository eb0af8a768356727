import { describe, expect, test } from 'vitest'
import { asksForReceived, namedAmount } from '../../../../src/treasury/intents/amounts.ts'
import type { PlannedIntent, PlannedLeg } from '../../../../src/treasury/model/plan-types.ts'
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

  test('is never lowered to nothing: the step is refused', () => {
    const harness = new TreasuryHarness()
    const transfer = plannedLeg({ kind: 'transfer', from: 'treasury', to: 'lpWallet', amount: TZS })
    const shilling = plannedStep([transfer], { route: 'rebalance' })
    harness.plan('one', shilling)
    harness.give({ type: 'planned', steps: [{ id: 'two', step: { ...shilling, rule: 'manual' } }] })
    expect(Object.keys(harness.state.intents)).toEqual(['one'])
    expect(harness.state.refusedSteps).toEqual({
      'manual NTZS in': 'other open transfers have its amount of 1 NTZS and every smaller one',
    })
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
    const harness = TreasuryHarness.planned('one', TRANSFER)
    const deposit = plannedStep([plannedLeg({ kind: 'deposit', from: 'bank', to: 'treasury' })], {
      rule: 'manual',
    })
    expect(harness.plan('two', deposit).legs[0]?.amount).toBe(40n * MILLION)
    const ofToken = (asset: 'USDC' | 'USDT') =>
      ({ ...SWAP, rule: 'manual', asset, legs: [{ ...SWAP.legs[0]!, asset }] }) as const
    for (const asset of ['USDC', 'USDT'] as const)
      expect(harness.plan(asset, ofToken(asset)).legs[0]?.amount).toBe(1_000n * USD)
    harness.prepare('one', 0)
    harness.answer('one', 0)
    expect(harness.plan('three', { ...TRANSFER, rule: 'payout' }).legs[0]?.amount).toBe(40n * MILLION)
    harness.prepare('three', 0)
    harness.silence('three', 0)
    harness.pass(3_700_000)
    harness.findNothing('three')
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
    const harness = TreasuryHarness.planned('one', REFILL)
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

  const deposit = (amount = 40n * MILLION) =>
    plannedLeg({ kind: 'deposit', from: 'bank', to: 'treasury', amount })
  const transfer = (amount = 40n * MILLION, leastReceived = amount) =>
    plannedLeg({ kind: 'transfer', from: 'treasury', to: 'lpWallet', amount, leastReceived })
  const activation = plannedLeg({ kind: 'lpActivation', from: 'lpWallet', to: 'pool' })
  const part = 20n * MILLION
  const [swap] = SWAP.legs as [PlannedLeg]
  const dollars = plannedLeg({
    ...swap,
    kind: 'transfer',
    from: 'float',
    receiveAsset: 'USDC',
    leastReceived: 1n,
  })

  test.each<
    [string, readonly PlannedLeg[], readonly (readonly [number, bigint])[], readonly [bigint, bigint]]
  >([
    [
      'the rest of the lot to each part of a movement that a cap divides',
      [deposit(), transfer(part), activation, transfer(21n * MILLION)],
      [
        [0, 35n * MILLION],
        [1, part],
        [2, part],
      ],
      [15n * MILLION, 15n * MILLION],
    ],
    [
      'nothing to a part of what lay there before',
      [transfer(part), activation, transfer(part)],
      [
        [0, part],
        [1, part],
      ],
      [part, part],
    ],
    [
      'nothing to the next lot',
      [deposit(part), transfer(part), activation, deposit(part), transfer(part)],
      [
        [0, 25n * MILLION],
        [3, part],
        [1, part],
        [2, part],
      ],
      [part, part],
    ],
    [
      'nothing to a payout, which asks for what arrives',
      [deposit(), ...PAYOUT.legs],
      [[0, TZS]],
      [505_000n * TZS, 500_000n * TZS],
    ],
    ['nothing to a leg of another token', [deposit(), swap], [[0, TZS]], [1_000n * USD, 2_400_000n * TZS]],
    ['what leaves alone to a swap', [dollars, swap], [[0, 900n * USD]], [900n * USD, 2_400_000n * TZS]],
    [
      'no other token that came there',
      [deposit(), dollars, swap],
      [
        [0, 40n * MILLION],
        [1, 900n * USD],
      ],
      [900n * USD, 2_400_000n * TZS],
    ],
    [
      'what came there with what a swap brought',
      [deposit(), swap, transfer()],
      [
        [0, 35n * MILLION],
        [1, 2_400_000n * TZS],
      ],
      [37_400_000n * TZS, 37_400_000n * TZS],
    ],
    [
      'no less than nothing may arrive',
      [deposit(), transfer(40n * MILLION, TZS)],
      [[0, MILLION]],
      [MILLION, 0n],
    ],
    [
      'no less than nothing',
      [
        plannedLeg({ kind: 'transfer', from: 'treasury', to: 'float', amount: part }),
        plannedLeg({ kind: 'transfer', from: 'float', to: 'treasury', amount: part }),
        transfer(),
      ],
      [
        [0, part],
        [1, MILLION],
      ],
      [0n, 0n],
    ],
  ])('as %s', (_, steps, arrived, [amount, leastReceived]) => {
    const harness = new TreasuryHarness({ approval: { people: 1, coolOffMs: 0 } })
    if (harness.plan('one', plannedStep(steps)).needsApproval) harness.approve('one', 'anna')
    for (const [leg, received] of arrived) {
      if (steps[leg]?.kind === 'swap') harness.quote('one', leg, { spend: 1_000n * USD, receive: received })
      harness.prepare('one', leg)
      harness.answer('one', leg, { received })
    }
    expect(harness.intent('one').legs.at(-1)).toMatchObject({ amount, leastReceived })
  })

  test('in an amount that no open leg of its kind has', () => {
    const harness = TreasuryHarness.planned('other', {
      ...TRANSFER,
      rule: 'manual',
      legs: [transfer(39n * MILLION)],
    })
    harness.plan('one', REFILL)
    harness.prepare('one', 0)
    harness.answer('one', 0, { received: 39n * MILLION })
    expect(harness.intent('one').legs[1]?.amount).toBe(39n * MILLION - TZS)
  })

  test.each([
    ['less than a shilling', 0n, TZS - 1n],
    ['only an amount that another open leg has', TZS, TZS],
  ])('as a refusal that ends the intent if it is %s', (_, taken, received) => {
    const harness = new TreasuryHarness()
    if (taken > 0n) harness.plan('other', { ...TRANSFER, rule: 'manual', legs: [transfer(taken)] })
    harness.plan('one', REFILL)
    harness.prepare('one', 0)
    harness.take('prepare')
    harness.answer('one', 0, { received })
    expect(harness.stages('one')).toEqual(['settled', 'refused', 'cancelled'])
    expect(harness.intent('one')).toMatchObject({ stage: 'refused', endedAt: harness.now })
    expect(harness.take('prepare')).toEqual([])
  })

  test('less what another leg of the lot has taken from there already', () => {
    const amount = 10n * MILLION
    const steps = [
      plannedLeg({ kind: 'deposit', from: 'bank', to: 'treasury' }),
      plannedLeg({ kind: 'transfer', from: 'treasury', to: 'float', amount }),
      plannedLeg({ kind: 'transfer', from: 'treasury', to: 'lpWallet', amount: 30n * MILLION }),
    ]
    const harness = TreasuryHarness.planned('one', plannedStep(steps))
    harness.prepare('one', 0)
    harness.answer('one', 0, { received: 35n * MILLION })
    expect(harness.intent('one').legs[1]?.amount).toBe(10n * MILLION)
    harness.prepare('one', 1)
    harness.answer('one', 1, { received: amount })
    // It starts where the deposit ended, and not where the leg before it did.
    expect(harness.intent('one').legs[2]?.amount).toBe(30n * MILLION)
  })
})

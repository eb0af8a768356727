import { describe, expect, test } from 'vitest'
import { plan } from '../../../../src/treasury/policy/plan.ts'
import { planPayout } from '../../../../src/treasury/policy/plan-payout.ts'
import { wholeIdentity } from '../../../../src/treasury/books/identity.ts'
import { holdingsOf, MID, TreasuryHarness, TZS, USD } from '../../../support/treasury-harness.ts'

const NONE = { NTZS: 0n, USDC: 0n, USDT: 0n }
const BANDS = {
  NTZS: { target: 40_000_000n * TZS, refillBelow: 10_000_000n * TZS, skimAbove: 90_000_000n * TZS },
}
const ID = 'b'.repeat(32)

/** A shell for which everything goes well: each effect is answered as the venue would. */
function goWell(harness: TreasuryHarness, hours: number): void {
  for (let step = 0; step < hours * 120; step++) {
    const effects = harness.effects.splice(0)
    for (const effect of effects) {
      if (!('intent' in effect)) continue
      const { intent: id, leg: index } = effect
      const leg = harness.intent(id).legs[index]
      if (leg === undefined) throw new Error('no such leg')
      if (effect.type === 'quote') harness.quote(id, index, { spend: leg.amount, receive: leg.leastReceived })
      else if (effect.type === 'prepare') harness.prepare(id, index, leg.attempts.length + 1)
      else if (effect.type === 'position' || leg.kind === 'transfer' || leg.kind === 'swap')
        harness.answer(id, index)
      else if (effect.type === 'transmit') harness.answer(id, index, { status: 'in_transit' })
      else if (effect.type === 'read') harness.see(id, index)
    }
    harness.pass(30_000)
  }
}

describe('the core with the policy', () => {
  test('a position that runs dry refills itself from the treasury wallet, without a person', () => {
    const harness = new TreasuryHarness({ policy: { bands: BANDS } })
    harness.look(holdingsOf({ pool: NONE }))
    const input = harness.treasury.planInput(harness.now)
    const [step] = input === null ? [] : plan(input).steps
    if (step === undefined) throw new Error('nothing is planned')
    expect(step).toMatchObject({ rule: 'refill', asset: 'NTZS', route: 'rebalance' })
    harness.plan(ID, step)
    goWell(harness, 1)
    expect(harness.intent(ID)).toMatchObject({ stage: 'settled' })
    expect(wholeIdentity(harness.state.books, MID)).toMatchObject({ tzs: { residual: 0n, flows: 0n } })
  })

  test('an empty desk asks the bank in lots, and each lot is swept before the next one', () => {
    const harness = new TreasuryHarness({ policy: { bands: BANDS, routes: ['bank-deposit'] } })
    harness.look(holdingsOf({ pool: NONE, treasury: NONE }))
    const input = harness.treasury.planInput(harness.now)
    const [step] = input === null ? [] : plan(input).steps
    if (step === undefined) throw new Error('nothing is planned')
    expect(step.legs.map(({ kind }) => kind)).toEqual(
      Array.from({ length: step.legs.length / 3 }, () => ['deposit', 'transfer', 'lpActivation']).flat(),
    )
    harness.plan(ID, step)
    goWell(harness, 1)
    expect(harness.intent(ID)).toMatchObject({ stage: 'settled' })
    const swept = harness
      .intent(ID)
      .legs.filter(({ kind }) => kind === 'lpActivation')
      .reduce((sum, { received }) => sum + (received ?? 0n), 0n)
    expect(swept).toBe(step.mostSpent)
  })

  test('a payout of more than a lot leaves in unequal lots below the limit, out of the pool where the wallet lacks it', () => {
    const harness = new TreasuryHarness()
    harness.look(holdingsOf({ treasury: { ...NONE, USDC: 1n * USD } }))
    const input = harness.treasury.planInput(harness.now)
    if (input === null) throw new Error('nothing was read')
    const amount = 3_000_000n * TZS
    const planned = planPayout(input, { payee: 'landlord', asset: 'NTZS', amount })
    if (!planned.ok) throw new Error(planned.error)
    const order = { name: 'payout', payee: 'landlord', asset: 'NTZS', amount, why: 'rent' } as const
    harness.order(order, 'anna', { id: ID, step: planned.value })
    harness.approve(ID, 'bertha')
    goWell(harness, 3)
    const { stage, legs } = harness.intent(ID)
    expect(stage).toBe('settled')
    expect(legs.slice(0, 3).map(({ kind }) => kind)).toEqual([
      'lpDeactivation',
      'lpWithdrawal',
      'lpActivation',
    ])
    const lots = legs.filter(({ kind }) => kind === 'withdrawal').map(({ received }) => received)
    expect(lots.reduce<bigint>((sum, lot) => sum + (lot ?? 0n), 0n)).toBe(amount)
    expect(new Set(lots).size).toBe(lots.length)
    expect(wholeIdentity(harness.state.books, MID)).toMatchObject({
      tzs: { residual: 0n },
      usd: { residual: 0n },
    })
  })
})

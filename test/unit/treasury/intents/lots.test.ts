import { describe, expect, test } from 'vitest'
import { wholeIdentity } from '../../../../src/treasury/books/identity.ts'
import { MID, plannedLeg, plannedStep, TreasuryHarness, TZS } from '../../../support/treasury-harness.ts'

const ID = '9'.repeat(32)
const LOTS = [20_000_000n * TZS, 19_999_000n * TZS] as const

const TWO_LOTS = plannedStep(
  LOTS.flatMap((amount) => [
    plannedLeg({ kind: 'deposit', from: 'bank', to: 'treasury', amount }),
    plannedLeg({ kind: 'transfer', from: 'treasury', to: 'lpWallet', amount }),
    plannedLeg({ kind: 'lpActivation', from: 'lpWallet', to: 'pool', amount }),
  ]),
  { mostSpent: LOTS[0] + LOTS[1] },
)

/** Both deposits are open at the venue and wait for the payer. */
function waiting(): TreasuryHarness {
  const harness = TreasuryHarness.planned(ID, TWO_LOTS)
  for (const leg of [0, 3]) {
    harness.prepare(ID, leg)
    harness.answer(ID, leg, { status: 'waiting_for_payer', instructions: `pay lot ${leg}` })
  }
  return harness
}

const legs = (harness: TreasuryHarness) => harness.stages(ID)

describe('the lots of a refill from the bank', () => {
  test('wait for their payer all at once, and nothing of ours moves before', () => {
    const harness = TreasuryHarness.planned(ID, TWO_LOTS)
    expect(harness.take('prepare').map(({ leg }) => leg)).toEqual([0, 3])
    const both = waiting()
    expect(legs(both)).toEqual(['known', 'planned', 'planned', 'known', 'planned', 'planned'])
    const expected = both.observations.flatMap((one) =>
      one.type === 'treasuryAlert' && one.code === 'treasury-payment-expected' ? [one.message] : [],
    )
    expect(expected).toEqual(['pay lot 0', 'pay lot 3'])
    expect(both.treasury.planInput(both.now)?.inTransit.NTZS).toBe(LOTS[0] + LOTS[1])
  })

  test('go on in the order in which they are paid, each with what it brought itself', () => {
    const harness = waiting()
    harness.take('prepare')
    harness.see(ID, 3, { received: 19_000_000n * TZS })
    expect(harness.take('prepare')).toEqual([{ type: 'prepare', intent: ID, leg: 4 }])
    harness.prepare(ID, 4)
    harness.see(ID, 0, { received: LOTS[0] })
    expect(harness.intent(ID).legs[1]?.amount).toBe(LOTS[0])
    expect(harness.intent(ID).legs[4]?.amount).toBe(19_000_000n * TZS)
    harness.prepare(ID, 1)
    harness.answer(ID, 4)
    harness.answer(ID, 1)
    harness.answer(ID, 2)
    harness.answer(ID, 5)
    expect(harness.intent(ID).stage).toBe('settled')
    expect(harness.state.books.reserved).toEqual({})
    expect(wholeIdentity(harness.state.books, MID)).toMatchObject({
      tzs: { residual: 0n },
      usd: { residual: 0n },
    })
  })

  test('of which one fails leave the other to be paid; what it brings stays in the treasury', () => {
    const harness = waiting()
    harness.see(ID, 0, { status: 'failed' })
    expect(legs(harness)).toEqual(['reverted', 'cancelled', 'cancelled', 'known', 'cancelled', 'cancelled'])
    harness.see(ID, 3, { received: LOTS[1] })
    expect(harness.intent(ID)).toMatchObject({ stage: 'reverted', endedAt: harness.now })
    expect(harness.state.books.accounts['treasury']?.NTZS).toBe(60_000_000n * TZS + LOTS[1])
  })

  test('are all cancelled together while no one has paid', () => {
    const harness = waiting()
    expect(harness.order({ name: 'cancel', intent: ID, why: 'enough' })).toMatch(/^yes: cancelled: /)
    expect(harness.intent(ID)).toMatchObject({ stage: 'cancelled', endedAt: harness.now })
  })

  test('that are cancelled and paid all the same change no transfer that is on its way', () => {
    const harness = waiting()
    harness.see(ID, 3, { received: LOTS[1] })
    harness.prepare(ID, 4)
    expect(harness.order({ name: 'cancel', intent: ID, why: 'enough' })).toContain('what was sent')
    expect(legs(harness)).toEqual(['cancelled', 'cancelled', 'cancelled', 'settled', 'sending', 'planned'])
    harness.see(ID, 0, { received: LOTS[0] })
    expect(harness.intent(ID).legs[4]).toMatchObject({ stage: 'sending', amount: LOTS[1] })
    harness.answer(ID, 4)
    harness.answer(ID, 5)
    expect(harness.intent(ID)).toMatchObject({ stage: 'cancelled', endedAt: harness.now })
  })

  test('that went one after another in an older journal fold as they did', () => {
    const harness = TreasuryHarness.planned(ID, TWO_LOTS)
    for (const lot of [0, 3]) {
      harness.prepare(ID, lot)
      harness.answer(ID, lot, { status: 'waiting_for_payer' })
      harness.see(ID, lot, { received: lot === 0 ? LOTS[0] : LOTS[1] })
      harness.prepare(ID, lot + 1)
      harness.answer(ID, lot + 1)
      harness.answer(ID, lot + 2)
    }
    expect(harness.intent(ID).stage).toBe('settled')
  })
})

test('what time may change is watched: what is open, and a claim; not what has arrived for good', () => {
  const harness = TreasuryHarness.planned(
    ID,
    plannedStep([plannedLeg({ kind: 'deposit', from: 'bank', to: 'treasury' })]),
  )
  expect(harness.state.watched).toEqual([ID])
  harness.prepare(ID, 0)
  harness.answer(ID, 0, { status: 'reconcile_required' })
  harness.pass(86_400_000)
  expect(harness.state.watched).toEqual([ID])
  harness.see(ID, 0, { received: 40_000_000n * TZS })
  expect(harness.intent(ID).stage).toBe('settled')
  expect(harness.state.watched).toEqual([])
})

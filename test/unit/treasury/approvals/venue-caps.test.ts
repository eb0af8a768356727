import { describe, expect, test } from 'vitest'
import { eat } from '../policy/plan-world.ts'
import { plannedLeg, plannedStep, TRANSFER, TreasuryHarness, TZS } from '../../../support/treasury-harness.ts'

const [FIRST, SECOND] = ['a'.repeat(32), 'b'.repeat(32)]
const DAY_MS = 86_400_000
const move = (amount: bigint) =>
  plannedStep([plannedLeg({ kind: 'transfer', from: 'treasury', to: 'lpWallet', amount: amount * TZS })], {
    route: 'rebalance',
    rule: 'manual',
  })

/** A transfer of 1,500,000 TZS has arrived, and one of 800,000 is to follow. */
function afterFirst(change: ConstructorParameters<typeof TreasuryHarness>[0]): TreasuryHarness {
  const harness = TreasuryHarness.planned(FIRST, move(1_500_000n), change)
  harness.prepare(FIRST, 0)
  harness.answer(FIRST, 0)
  harness.take('prepare')
  harness.plan(SECOND, move(800_000n))
  return harness
}

const CAPS = { perTransaction: 1_600_000n * TZS, perDay: 2_000_000n * TZS }

describe('a transfer of the shilling', () => {
  test('waits until 24 hours after the transfer that used up the day, and is then sent', () => {
    const harness = afterFirst({ transferCaps: CAPS, approval: { withinMs: 3 * DAY_MS } })
    expect(harness.take('prepare')).toEqual([])
    expect(harness.intent(SECOND).legs[0]?.why).toContain('of which 500000')
    harness.pass(DAY_MS - 1)
    expect(harness.take('prepare')).toEqual([])
    harness.pass(1)
    expect(harness.take('prepare')).toEqual([{ type: 'prepare', intent: SECOND, leg: 0 }])
  })

  test('is sent at once where no cap is known', () => {
    expect(afterFirst({}).take('prepare')).toHaveLength(1)
  })

  test('waits for the next day of East Africa after a refusal for the day, whose figure is learned', () => {
    const harness = afterFirst({})
    harness.prepare(SECOND, 0)
    harness.refuse(SECOND, 0, { limit: { limit: 2_000_000n * TZS, used: 1_900_000n * TZS } })
    expect(harness.state.transferCaps).toEqual({ perTransaction: null, perDay: 2_000_000n * TZS })
    expect(harness.intent(SECOND).legs[0]).toMatchObject({ stage: 'planned' })
    const { dueAt } = harness.intent(SECOND).legs[0] ?? {}
    expect(dueAt).toBe(
      eat(`${new Date(harness.now + 3 * 3_600_000 + DAY_MS).toISOString().slice(0, 10)}T00:00:00`),
    )
  })

  test('that is too large at once ends as refused, and the figure is learned for the next plan', () => {
    const harness = TreasuryHarness.sending(FIRST, TRANSFER)
    harness.refuse(FIRST, 0, { limit: { limit: 1_000_000n * TZS, used: null } })
    expect(harness.intent(FIRST)).toMatchObject({ stage: 'refused' })
    expect(harness.treasury.planInput(harness.now)?.transferCaps).toEqual({
      perTransaction: 1_000_000n * TZS,
      left: null,
    })
  })
})

import { describe, expect, test } from 'vitest'
import { treasuryLines } from '../../../../../src/daemon/notify/daily-summary/treasury-lines.ts'
import { treasuryDay } from '../../../../../src/daemon/view/treasury/treasury-day.ts'
import {
  holdingsOf,
  PAYOUT,
  REFILL,
  START,
  TreasuryHarness,
  TZS,
} from '../../../../support/treasury-harness.ts'

const ID = 'a'.repeat(32)
const RENT = {
  name: 'payout',
  payee: 'landlord',
  asset: 'NTZS',
  amount: 500_000n * TZS,
  why: 'rent',
} as const

/** A treasury whose payout of 500,000 TZS, with 3,000 of fees, is on its way. */
function payingOut(): TreasuryHarness {
  const harness = new TreasuryHarness({ approval: { people: 1, coolOffMs: 0 } })
  harness.order(RENT, 'anna', { id: ID, step: PAYOUT })
  harness.quote(ID, 0, { spend: 503_000n * TZS, receive: 500_000n * TZS, recipientName: 'JANE DOE' })
  harness.prepare(ID, 0)
  return harness
}

describe('the treasury in the daily summary', () => {
  test('a day without movements has what is on hand, and none of the rest', () => {
    const day = treasuryDay(new TreasuryHarness().state, START)
    expect(treasuryLines(day, day.costs)).toEqual([
      'treasury: on hand 70,000,000 NTZS, 25,000 USDC; in transit none; claims none',
      '  arrived none; paid out none; costs 0 TZS',
    ])
  })

  test('what was sent is in transit, then paid out at its cost, or a claim', () => {
    const harness = payingOut()
    const before = treasuryDay(harness.state, START).costs
    const lines = (since = START) => treasuryLines(treasuryDay(harness.state, since), before).join('\n')
    expect(lines()).toContain('in transit 503,000 NTZS; claims none')
    expect(lines()).toContain('paid out none; costs 0 TZS')
    harness.answer(ID, 0, { status: 'completed', words: 'completed' })
    expect(lines()).toContain('in transit none; claims none')
    expect(lines()).toContain('arrived none; paid out 500,000 NTZS; costs -3,000 TZS')
    // Of a day that began later it is no part; what it cost in total stays.
    expect(lines(harness.now + 1)).toContain('paid out none')

    const other = payingOut()
    other.answer(ID, 0, { status: 'reconcile_required', words: 'reconcile_required' })
    expect(treasuryLines(treasuryDay(other.state, START), before)[0]).toContain(
      'in transit none; claims 503,000 NTZS',
    )
  })

  test('a refill has arrived once its last step has, and its steps are not counted beside each other', () => {
    const harness = new TreasuryHarness()
    harness.plan(ID, REFILL)
    const arrived = () => treasuryLines(treasuryDay(harness.state, START), '0')[1]
    for (const leg of REFILL.legs.keys()) {
      expect(arrived()).toContain('arrived none')
      harness.prepare(ID, leg)
      harness.answer(ID, leg)
    }
    expect(harness.intent(ID).stage).toBe('settled')
    expect(arrived()).toContain('arrived 40,000,000 NTZS; paid out none')
  })

  test('what no one knows is reported to be unknown, never zero', () => {
    const harness = new TreasuryHarness()
    harness.look(holdingsOf({ float: null }))
    expect(treasuryLines(treasuryDay(harness.state, START), null)).toEqual([
      'treasury: on hand 70,000,000 NTZS, 25,000 USDC (without what cannot be read: float); in transit none; claims none',
      '  arrived none; paid out none; costs in total 0 TZS',
    ])
    const day = { ...treasuryDay(harness.state, START), onHand: null, costs: null }
    expect(treasuryLines(day, '0').join('\n')).toMatch(/on hand not known yet;[^]*; costs not known$/)
    expect(treasuryLines(null, '0')).toEqual(['treasury: not known, it does not answer'])
  })
})

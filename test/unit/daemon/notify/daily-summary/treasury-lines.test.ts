import { expect, test } from 'vitest'
import { treasuryLines } from '../../../../../src/daemon/notify/daily-summary/treasury-lines.ts'
import type { TreasuryState } from '../../../../../src/treasury/state.ts'
import { treasuryDay } from '../../../../../src/daemon/view/treasury/treasury-day.ts'
import { expectGolden } from '../../../../support/expect-golden.ts'
import { holdingsOf, REFILL, START, TreasuryHarness } from '../../../../support/treasury-harness.ts'

const ID = 'a'.repeat(32)

test('the treasury in the daily summary: what arrived, is in transit, was paid out and is claimed, and what no one knows', async () => {
  let found = ''
  const note = (claim: string, state: TreasuryState, before: string | null = '0', since = START) => {
    found += `${claim}\n${treasuryLines(treasuryDay(state, since), before).join('\n')}\n\n`
  }
  const harness = TreasuryHarness.payingOut(ID, { recipientName: 'JANE DOE' })
  const before = treasuryDay(harness.state, START).costs
  note('a day without movements', new TreasuryHarness().state)
  note('a payout that was sent', harness.state, before)
  harness.answer(ID, 0, { status: 'completed', words: 'completed' })
  note('a payout that arrived', harness.state, before)
  note('a day that began later: only the total cost includes it', harness.state, before, harness.now + 1)

  const other = TreasuryHarness.payingOut(ID)
  other.answer(ID, 0, { status: 'reconcile_required', words: 'reconcile_required' })
  note('a payout to be reconciled is a claim', other.state, before)

  const refill = new TreasuryHarness()
  refill.plan(ID, REFILL)
  for (const leg of REFILL.legs.keys()) {
    note(`a refill before its step ${leg + 1}`, refill.state)
    refill.prepare(ID, leg)
    refill.answer(ID, leg)
  }
  expect(refill.intent(ID).stage).toBe('settled')
  note('a refill whose last step has arrived', refill.state)

  const blind = new TreasuryHarness()
  blind.look(holdingsOf({ float: null }))
  note('a place that cannot be read, and no costs of the day before', blind.state, null)
  const day = { ...treasuryDay(blind.state, START), onHand: null, costs: null }
  found += `nothing is known\n${treasuryLines(day, '0').join('\n')}\n\n`
  found += `no answer\n${treasuryLines(null, '0').join('\n')}`
  await expectGolden('treasury-summary', found)
})

import { PAYOUT, PAYOUT_ORDER, REFILL, TreasuryHarness, TZS, USD } from '../../support/treasury-harness.ts'

export const RENT_ID = 'a'.repeat(32)
const REFILL_ID = 'b'.repeat(32)
export const LOST_ID = 'c'.repeat(32)

/** A treasury with two days of flow, a refill on its way, a payout that waits, and a claim. */
export function busyTreasury(): TreasuryHarness {
  const million = 1_000_000n * TZS
  const bands = { NTZS: { target: 60n * million, refillBelow: 20n * million, skimAbove: 90n * million } }
  const caps = [
    { route: 'payout', destination: null, asset: 'NTZS', perDay: 20n * million, perMonth: 100n * million },
  ] as const
  const harness = new TreasuryHarness({ policy: { bands, caps } })
  for (let hour = 0; hour < 48; hour++) {
    harness.pass(3_600_000)
    const taken = hour % 3 === 0 ? 400_000n : -700_000n
    harness.give({ type: 'flowSeen', flow: { NTZS: taken * TZS, USDC: 200n * USD, USDT: 0n } })
  }
  harness.plan(REFILL_ID, REFILL)
  harness.prepare(REFILL_ID, 0)
  const instructions = 'EFT to CRDB 0150 of the venue'
  harness.answer(REFILL_ID, 0, { status: 'waiting_for_payer', reference: 'REF-ABC123', instructions })
  harness.order(PAYOUT_ORDER, 'anna', { id: LOST_ID, step: PAYOUT })
  harness.approve(LOST_ID, 'bertha')
  harness.quote(LOST_ID, 0, { spend: 503_000n * TZS, receive: 500_000n * TZS, recipientName: 'JANE DOE' })
  harness.prepare(LOST_ID, 0)
  harness.answer(LOST_ID, 0, { status: 'reconcile_required', words: 'reconcile_required' })
  harness.order(PAYOUT_ORDER, 'anna', { id: RENT_ID, step: { ...PAYOUT, mostSpent: 404_000n * TZS } })
  harness.look()
  return harness
}

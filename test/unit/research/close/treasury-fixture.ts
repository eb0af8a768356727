import { encodeJson } from '../../../../src/base/codec.ts'
import { HOUR_MS } from '../../../../src/base/time.ts'
import type { TreasuryRecord } from '../../../../src/store/treasury/journal.ts'
import { PAYOUT, START, TreasuryHarness, TZS } from '../../../support/treasury-harness.ts'

/** The intent of the payout. */
export const PAID = '7c1e'

/** A payout that is in transit over midnight, and has arrived on the second day. */
export function recordTwoDays(): readonly TreasuryRecord[] {
  const treasury = new TreasuryHarness()
  treasury.plan(PAID, PAYOUT)
  treasury.approve(PAID, 'anna')
  treasury.approve(PAID, 'ben')
  treasury.pass(HOUR_MS)
  treasury.quote(PAID, 0, { spend: 502_000n * TZS, receive: 500_000n * TZS })
  treasury.prepare(PAID, 0)
  treasury.silence(PAID, 0)
  treasury.now = START + 16 * HOUR_MS
  treasury.answer(PAID, 0, { received: 500_000n * TZS, fee: 2_000n * TZS })
  return treasury.events.map((event, index) => ({
    seq: index + 1,
    t: event.t,
    type: event.type,
    body: encodeJson(event),
  }))
}

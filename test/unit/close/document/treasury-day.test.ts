import { describe, expect, test } from 'vitest'
import { encodeJson } from '../../../../src/base/codec.ts'
import { HOUR_MS } from '../../../../src/base/time.ts'
import { daySpan } from '../../../../src/close/document/day-span.ts'
import type { CloseTreasury } from '../../../../src/close/document/document.ts'
import { treasuryDay } from '../../../../src/close/document/treasury-day.ts'
import { StoreReadError } from '../../../../src/store/failure.ts'
import type { TreasuryRecord } from '../../../../src/store/treasury/journal.ts'
import { PAYOUT, START, TreasuryHarness, TZS } from '../../../support/treasury-harness.ts'

const PAID = '7c1e'
const [MONDAY, TUESDAY] = ['2026-11-23', '2026-11-24'].map((day) => daySpan(day, 'UTC'))

/** A payout that is in transit over midnight, and has arrived on the second day. */
function recordTwoDays(): readonly TreasuryRecord[] {
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

function dayOf(
  records: readonly TreasuryRecord[],
  span: ReturnType<typeof daySpan>,
  before: CloseTreasury | null = null,
): CloseTreasury {
  if (span === null) throw new Error('no day')
  const day = treasuryDay({ treasury: () => records }, 'a store', span, before)
  if (day === null) throw new Error('no treasury')
  return day
}

const held = ({ accounts }: CloseTreasury, account: string) =>
  accounts.filter((one) => one.account === account).map(({ opening, closing }) => [opening, closing])

describe('the treasury in a close', () => {
  test('has what is in transit over midnight, and its end on the day on which it arrived', () => {
    const records = recordTwoDays()
    const [first, second] = [dayOf(records, MONDAY ?? null), dayOf(records, TUESDAY ?? null)]
    expect(held(first, `transit:${PAID}`)).toEqual([['0', '502000']])
    expect(first.open).toMatchObject([{ intent: PAID, rule: 'payout', legs: [{ kind: 'withdrawal' }] }])
    expect(held(second, `transit:${PAID}`)).toEqual([['502000', '0']])
    expect(second.open).toEqual([])
    expect(second.journal.first).toBe(first.journal.last + 1)
    expect(dayOf(records, TUESDAY ?? null, first)).toEqual(second)
    const postings = [...first.entries, ...second.entries].flatMap((entry) => entry.postings)
    expect(postings.map(({ account }) => account)).toContain('railCosts')
  })

  test('is none in a store without one, and an error where its journal does not parse', () => {
    if (MONDAY === null || MONDAY === undefined) throw new Error('no day')
    expect(treasuryDay({ treasury: () => [] }, 'a store', MONDAY, null)).toBeNull()
    const bad = [{ seq: 1, t: START, type: 'configured', body: '{' }]
    expect(() => treasuryDay({ treasury: () => bad }, 'a store', MONDAY, null)).toThrow(StoreReadError)
  })
})

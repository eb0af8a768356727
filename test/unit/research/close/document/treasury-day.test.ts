import { describe, expect, test } from 'vitest'
import { daySpan } from '../../../../../src/research/close/document/day-span.ts'
import type { CloseTreasury } from '../../../../../src/research/close/document/document.ts'
import { closedTreasuryDay } from '../../../../../src/research/close/document/treasury-day.ts'
import { StoreReadError } from '../../../../../src/store/failure.ts'
import type { TreasuryRecord } from '../../../../../src/store/treasury/journal.ts'
import { START } from '../../../../support/treasury-harness.ts'
import { PAID, recordTwoDays } from '../treasury-fixture.ts'

const [MONDAY, TUESDAY] = ['2026-11-23', '2026-11-24'].map((day) => daySpan(day, 'UTC'))

function dayOf(
  records: readonly TreasuryRecord[],
  span: ReturnType<typeof daySpan>,
  before: CloseTreasury | null = null,
): CloseTreasury {
  if (span === null) throw new Error('no day')
  const day = closedTreasuryDay({ treasury: () => records }, 'a store', span, before)
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
    expect(dayOf(records, TUESDAY ?? null, first)).toEqual({ ...second, inBooks: 'goes-on' })
    const { inBooks: _none, ...ofBefore } = first
    expect(dayOf(records, TUESDAY ?? null, ofBefore)).toEqual(second)
    expect([first.inBooks, second.inBooks]).toEqual(['begins', 'begins'])
    const postings = [...first.entries, ...second.entries].flatMap((entry) => entry.postings)
    expect(postings.map(({ account }) => account)).toContain('railCosts')
  })

  test('is null in a store without one, and an error where its journal does not parse', () => {
    if (MONDAY === null || MONDAY === undefined) throw new Error('no day')
    expect(closedTreasuryDay({ treasury: () => [] }, 'a store', MONDAY, null)).toBeNull()
    const bad = [{ seq: 1, t: START, type: 'configured', body: '{' }]
    expect(() => closedTreasuryDay({ treasury: () => bad }, 'a store', MONDAY, null)).toThrow(StoreReadError)
  })
})

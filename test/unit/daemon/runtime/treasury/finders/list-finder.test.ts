import { expect, test } from 'vitest'
import { findInList } from '../../../../../../src/daemon/runtime/treasury/finders/list-finder.ts'
import type { Performing } from '../../../../../../src/daemon/runtime/treasury/performer-parts.ts'
import type { Leg } from '../../../../../../src/treasury/model/intent.ts'
import { TZS, USD } from '../../../../../support/treasury-harness.ts'

const SENT_AT = Date.parse('2026-11-02T08:00:00.000Z')
const PHONE = '255754000345'

function rampLeg(change: Partial<Leg> = {}): Leg {
  const attempts = [{ n: 1, firstSentAt: SENT_AT }]
  const amounts = { amount: 100n * USD, leastReceived: 200_000n * TZS }
  return {
    kind: 'offramp',
    stage: 'silent',
    payee: null,
    resourceId: null,
    attempts,
    ...amounts,
    ...change,
  } as Leg
}

function row(id: string, change: object = {}) {
  const createdAt = '2026-11-02T08:00:01.000Z'
  const base = { settlementId: id, tzsAmount: 200_000n, usdcAmount: 78n * USD, phoneNumber: PHONE }
  return { ...base, fields: { createdAt }, ...change }
}

/** What the list brings for a leg, beside other legs. */
async function find(rows: readonly object[], others: readonly Leg[] = [], unreadable = 0) {
  const leg = rampLeg()
  const value = { settlements: rows, unreadable }
  return findInList(
    {
      client: { listSettlements: () => Promise.resolve({ kind: 'answered', status: 200, value }) },
      config: () => ({ core: { payees: [], userId: 'u' }, phone: '0754000345', lpWallet: '0x1' }),
      treasuryAddress: () => null,
      state: () => ({ intents: { a: { legs: [leg, ...others] } } }),
    } as unknown as Performing,
    leg,
    1,
  )
}

test('one settlement of our amount, phone and time is ours', async () => {
  expect(await find([row('s1'), row('s2', { tzsAmount: 1n })])).toMatchObject({ named: 's1', candidates: [] })
})

const SECOND_OF_SILENCE = rampLeg()

test.each([
  ['two fit', [row('s1'), row('s2')], [], 0],
  ['it does not state when it began', [row('s1', { fields: {} })], [], 0],
  ['another silent step has the same amount', [row('s1')], [SECOND_OF_SILENCE], 0],
  ['a row of the list cannot be read', [row('s1')], [], 1],
] as const)('a settlement is evidence alone where %s', async (_where, rows, others, unreadable) => {
  const listed = await find(rows, others, unreadable)
  expect(listed?.named).toBeNull()
  expect(listed?.candidates.map(({ reference }) => reference)).toEqual(rows.map((one) => one.settlementId))
})

test.each([
  ['is of another phone', row('s1', { phoneNumber: '255754000999' }), []],
  ['states no destination', row('s1', { phoneNumber: null }), []],
  ['began before the sending', row('s1', { fields: { createdAt: '2026-11-02T07:58:00.000Z' } }), []],
  ['is the end of another step', row('s1'), [rampLeg({ stage: 'settled', resourceId: 's1' })]],
] as const)('a settlement that %s is nothing', async (_which, one, others) => {
  expect(await find([one], others)).toMatchObject({ named: null, candidates: [] })
})

import { describe, expect, test } from 'vitest'
import type { Intent, Leg } from '../../../../src/treasury/model/intent.ts'
import { expectedPayments } from '../../../../src/treasury/statement/expected-payments.ts'

const TZS = 10n ** 18n
const SENT = Date.parse('2026-11-10T10:00:00+03:00')

const leg = (change: Partial<Leg>): Leg => ({
  kind: 'deposit',
  from: 'bank',
  to: 'treasury',
  asset: 'NTZS',
  amount: 20_000_000n * TZS,
  receiveAsset: 'NTZS',
  leastReceived: 20_000_000n * TZS,
  payee: null,
  stage: 'known',
  quote: null,
  attempts: [],
  resourceId: 'dep-1',
  reference: 'SVC-7KQ2MD',
  instructions: null,
  received: null,
  fee: null,
  sentAt: SENT,
  endedAt: null,
  why: 'sent',
  asked: null,
  dueAt: 0,
  failures: 0,
  ...change,
})
const expected = (...legs: readonly Leg[]) => {
  const intent: Pick<Intent, 'id' | 'legs'> = { id: 'a1', legs: [...legs] }
  return expectedPayments([intent])
}

describe('what the bank should show', () => {
  test('a deposit leaves the account with its reference within 72 hours', () => {
    expect(expected(leg({}))).toEqual([
      {
        intent: 'a1',
        leg: 0,
        amount: -20_000_000n * TZS,
        reference: 'SVC-7KQ2MD',
        firstDay: '2026-11-10',
        lastDay: '2026-11-13',
        isEnded: false,
      },
    ])
  })

  test('a payout comes to the account with what the payee receives, and without a reference its id counts', () => {
    const payout = leg({
      kind: 'withdrawal',
      from: 'treasury',
      to: 'bank',
      leastReceived: 995_000n * TZS,
      reference: null,
    })
    expect(expected(payout)).toMatchObject([{ amount: 995_000n * TZS, reference: 'dep-1' }])
  })

  test('nothing is expected of legs that were never sent, failed, or do not touch the bank', () => {
    const silent = [
      leg({ sentAt: null }),
      leg({ stage: 'refused' }),
      leg({ stage: 'reverted' }),
      leg({ kind: 'withdrawal', from: 'treasury', to: 'phone' }),
      leg({ kind: 'transfer', from: 'treasury', to: 'lpWallet' }),
    ]
    expect(expected(...silent)).toEqual([])
  })
})

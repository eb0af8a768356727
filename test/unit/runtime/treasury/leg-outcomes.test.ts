import { describe, expect, test } from 'vitest'
import {
  depositFacts,
  sendingEvent,
  settlementFacts,
  swapFacts,
  transferFacts,
  withdrawalFacts,
} from '../../../../src/runtime/treasury/leg-outcomes.ts'

const SHILLING = 10n ** 18n
const place = { intent: 'i', leg: 0, n: 1, t: 5 }

const deposit = {
  id: 'd1',
  status: 'submitted' as const,
  amountTzs: 9_000_000n,
  paymentMethod: 'bank_transfer' as const,
  instructions: { institution: 'Bank', reference: 'TZS-1', amountTzs: 9_000_000 },
  reference: 'TZS-1',
  paymentUrl: null,
}
const withdrawal = {
  id: 'w1',
  status: 'burned' as const,
  receiveAmountTzs: 250_000n,
  totalFeeTzs: 1_700n,
  recipientName: 'HOUSE',
  payoutRail: 'bank',
  payoutReference: 'P1',
  payoutReceipt: null,
  payoutStatus: null,
  confirmationMessage: null,
  message: null,
}
const transfer = {
  id: 't1',
  status: 'completed' as const,
  txHash: '0x1',
  amountTzs: 100n,
  recipientAmountTzs: 99n,
  feeAmountTzs: 1n,
  token: null,
  amount: null,
  recipientAmount: null,
  feeAmount: null,
  feeTxHash: null,
  toAddress: '0xabc',
}

describe('what an answer means for a step', () => {
  test('a deposit waits for its payer with the instructions as the venue words them, and a mismatch is a review', () => {
    const facts = depositFacts(deposit)
    expect(facts).toMatchObject({ status: 'waiting_for_payer', reference: 'TZS-1', received: null })
    expect(facts.instructions).toBe('institution: Bank\nreference: TZS-1\namountTzs: 9000000')
    expect(depositFacts({ ...deposit, instructions: 'pay it' }).instructions).toBe('pay it')
    expect(depositFacts({ ...deposit, status: 'completed' })).toMatchObject({
      status: 'completed',
      received: 9_000_000n * SHILLING,
      instructions: null,
    })
    expect(depositFacts({ ...deposit, status: 'review' }).status).toBe('review')
    expect(depositFacts({ ...deposit, status: 'other(strange)' }).status).toBe('other')
  })

  test.each([
    ['requested', null, 'queued'],
    ['burned', null, 'in_transit'],
    ['burned', 'pending', 'in_transit'],
    ['burned', 'completed', 'completed'],
    ['paid', null, 'completed'],
    ['burned', 'reverted', 'reverted'],
    ['reverted', null, 'reverted'],
    ['failed', null, 'failed'],
    ['burned', 'reconcile_required', 'reconcile_required'],
    ['paid', 'reconcile_required', 'reconcile_required'],
    ['other(odd)', null, 'other'],
  ] as const)('a payout that is %s with payment %s is %s', (status, payoutStatus, wanted) => {
    const facts = withdrawalFacts({ ...withdrawal, status, payoutStatus })
    expect(facts.status).toBe(wanted)
    expect(facts.received).toBe(wanted === 'completed' ? 250_000n * SHILLING : null)
  })

  test('a transfer brings what its recipient got, in the units of its token', () => {
    expect(transferFacts(transfer)).toMatchObject({
      received: 99n * SHILLING,
      fee: SHILLING,
      reference: '0x1',
    })
    const dollars = { ...transfer, amountTzs: null, recipientAmountTzs: null, recipientAmount: 5_000_000n }
    expect(transferFacts(dollars).received).toBe(5_000_000n)
    expect(transferFacts({ ...transfer, status: 'pending' })).toMatchObject({
      status: 'in_transit',
      received: null,
    })
  })

  test('a ramp that failed returned its value as the token, and one under way is never executed again', () => {
    const settlement = {
      settlementId: 'r1',
      recipientName: null,
      returnedAsTokenTo: null,
      usdcAmount: null,
      tzsAmount: null,
      feeTzs: null,
      txHash: null,
      fields: {},
    }
    expect(settlementFacts({ ...settlement, status: 'reconcile_required' }).status).toBe('reconcile_required')
    expect(settlementFacts({ ...settlement, status: 'paying_out' }).status).toBe('in_transit')
    const failed = settlementFacts({ ...settlement, status: 'failed', returnedAsTokenTo: '0xabc' })
    expect(failed).toMatchObject({ status: 'reverted', words: 'failed, returned as the token to 0xabc' })
  })

  test('a swap that failed before anything left moved nothing, and after that nobody knows', () => {
    const swap = {
      status: 'FAILED' as const,
      txHash: null,
      sentTxHash: null,
      words: 'no liquidity',
      steps: [],
    }
    expect(swapFacts(swap)).toMatchObject({ status: 'failed' })
    expect(swapFacts({ ...swap, sentTxHash: '0x1' })).toBeNull()
    const silent = sendingEvent(
      place,
      'swap',
      { kind: 'answered', status: 200, value: { ...swap, sentTxHash: '0x1' } },
      true,
    )
    expect(silent).toMatchObject({ type: 'legSilent', sent: 'yes' })
  })

  test('a refusal carries its class and whether it is of the first sending, and silence what is known of the bytes', () => {
    const refused = {
      kind: 'refused',
      status: 409,
      code: 'quote_stale',
      words: 'stale',
      retry: 'never',
      retryAfterMs: null,
      details: null,
    } as const
    expect(sendingEvent(place, 'withdrawal', refused, false)).toMatchObject({
      type: 'legRefused',
      isFirst: false,
      code: 'quote_stale',
      retry: 'never',
    })
    const unknown = { kind: 'unknown', sent: 'maybe', words: 'reset', status: null } as const
    expect(sendingEvent(place, 'transfer', unknown, true)).toMatchObject({ type: 'legSilent', sent: 'maybe' })
  })
})

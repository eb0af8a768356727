import { describe, expect, test } from 'vitest'
import { err, ok } from '../../../../../src/base/result.ts'
import type { TokenFinder } from '../../../../../src/custody/chain/token-finder.ts'
import { rpcFailure } from '../../../../../src/custody/chain/rpc/rpc-failure.ts'
import {
  depositFacts,
  sendingEvent,
  settlementFacts,
  swapFacts,
  transferFacts,
  withdrawalFacts,
  withDelivery,
} from '../../../../../src/daemon/runtime/treasury/leg-outcomes.ts'
import type { TreasuryEvent } from '../../../../../src/treasury/model/event.ts'

const SHILLING = 10n ** 18n
const place = { intent: 'i', leg: 0, n: 1, t: 5 }

const deposit = {
  id: 'd1',
  status: 'submitted' as const,
  amountTzs: 9_000_000n,
  userId: null,
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
  phoneNumber: null,
  accountNumber: null,
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
    const nested = { bank: { name: 'CRDB', toString: 1 }, steps: ['pay', null] }
    expect(depositFacts({ ...deposit, instructions: nested }).instructions).toBe(
      'bank: {"name":"CRDB","toString":1}\nsteps: ["pay",null]',
    )
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
      phoneNumber: null,
      destinationAddress: null,
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

  test('a swap that failed before anything left moved nothing, and after that no one knows', () => {
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

const FILLED = {
  type: 'legAnswered',
  t: 1,
  intent: 'one',
  leg: 0,
  n: 1,
  resourceId: null,
  status: 'completed',
  reference: '0xhash',
  instructions: null,
  received: null,
  fee: null,
  words: 'FILLED',
} as const satisfies TreasuryEvent
const SWAP = { kind: 'swap', receiveAsset: 'NTZS' } as const

type Delivered = Awaited<ReturnType<TokenFinder['delivered']>>

function shell(delivered: Delivered | null, address: string | null = '0xour') {
  const asked: unknown[] = []
  const logged: string[] = []
  const finder = (answer: Delivered) =>
    ({ delivered: async (wanted: unknown) => (asked.push(wanted), answer) }) as unknown as TokenFinder
  return {
    asked,
    logged,
    parts: {
      chain: delivered === null ? null : finder(delivered),
      treasuryAddress: () => address,
      log: (words: string) => void logged.push(words),
    },
  }
}

describe('what a swap delivered', () => {
  test('is what its last transaction brought to our wallet', async () => {
    const { parts, asked } = shell(ok(42n))
    expect(await withDelivery(parts, SWAP, FILLED)).toEqual({ ...FILLED, received: 42n })
    expect(asked).toEqual([{ asset: 'NTZS', to: '0xour', hash: '0xhash' }])
  })

  test('stays open where the chain shows nothing, or cannot be read, which is logged', async () => {
    expect(await withDelivery(shell(ok(null)).parts, SWAP, FILLED)).toEqual(FILLED)
    const { parts, logged } = shell(err(rpcFailure('malformed', 'no list')))
    expect(await withDelivery(parts, SWAP, FILLED)).toEqual(FILLED)
    expect(logged).toEqual(['the amount that the swap delivered could not be read: no list'])
  })

  test.each([
    ['of another leg', { kind: 'transfer', receiveAsset: 'NTZS' }, FILLED],
    ['that is not filled', SWAP, { ...FILLED, status: 'failed' }],
    ['that states its amount', SWAP, { ...FILLED, received: 7n }],
    ['without a transaction', SWAP, { ...FILLED, reference: null }],
    [
      'that was silent',
      SWAP,
      { type: 'legSilent', t: 1, intent: 'one', leg: 0, n: 1, sent: 'yes', words: '' },
    ],
  ] as const)('is not looked for of an answer %s', async (_what, leg, event) => {
    const { parts, asked } = shell(ok(42n))
    expect(await withDelivery(parts, leg, event)).toEqual(event)
    expect(asked).toEqual([])
  })

  test('stays open without a chain, and before our wallet is known', async () => {
    expect(await withDelivery(shell(null).parts, SWAP, FILLED)).toEqual(FILLED)
    expect(await withDelivery(shell(ok(42n), null).parts, SWAP, FILLED)).toEqual(FILLED)
  })
})

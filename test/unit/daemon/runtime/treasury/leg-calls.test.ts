import { describe, expect, test } from 'vitest'
import {
  addressFor,
  endpointOf,
  moneyCall,
  payoutTerms,
  phoneOf,
  sixDecimals,
} from '../../../../../src/daemon/runtime/treasury/leg-calls.ts'
import { SHILLING } from '../../../../../src/treasury/policy/units.ts'
import { createPartnerCalls } from '../../../../../src/treasury/api/endpoints.ts'
import { partnerSettingsSchema } from '../../../../../src/treasury/api/settings.ts'
import { RATE_ONE } from '../../../../../src/base/money/rate.ts'
import type { Intent, Leg, LegKind } from '../../../../../src/treasury/model/intent.ts'
import type { OwnQuote } from '../../../../../src/treasury/model/plan-types.ts'
import { treasuryConfig } from '../../../../support/treasury-harness.ts'

const USER = '11111111-2222-4333-8444-555555555555'
const LP_WALLET = '0x00000000000000000000000000000000000000aa'
const TREASURY = '0x00000000000000000000000000000000000000bb'
const CHAIN_PAYEE = '0x00000000000000000000000000000000000000cc'
const INTENT = { id: 'an-intent' } as Intent
const QUOTE = { quoteId: 'q1', expiresAt: 9, spend: 1n, receive: 1n, feeTzs: 0n, recipientName: null }

const core = {
  ...treasuryConfig({ userId: USER }),
  payees: [
    { name: 'bank', to: { kind: 'bank', bankCode: 'CRDB', accountNumber: '0150' }, isAdmitted: true },
    { name: 'phone', to: { kind: 'phone', phoneNumber: '255754000777' }, isAdmitted: true },
    { name: 'chain', to: { kind: 'address', address: CHAIN_PAYEE }, isAdmitted: true },
  ],
} as const
const config = { core, lpWallet: LP_WALLET, phone: '255754000111' }

function leg(kind: LegKind, change: Partial<Leg> = {}): Leg {
  const base = { kind, from: 'treasury', to: 'lpWallet', asset: 'NTZS', receiveAsset: 'NTZS', payee: null }
  const amounts = { amount: 7_000n * SHILLING, leastReceived: 6_000n * SHILLING, quote: null }
  return { ...base, ...amounts, ...change } as Leg
}

function call(
  one: Leg,
  {
    address = TREASURY,
    phone = config.phone,
    payerAccountNumber = null,
    quote = { bidBps: null, askBps: null, isActive: true, isHalted: false },
  }: {
    address?: string | null
    phone?: string | null
    payerAccountNumber?: string | null
    quote?: OwnQuote
  } = {},
) {
  const calls = createPartnerCalls(partnerSettingsSchema.parse({ baseUrl: 'https://venue.invalid' }))
  const seen = () => ({ mid: 2_500n * RATE_ONE, quote })
  const parts = {
    client: { calls },
    config: { ...config, phone, payerAccountNumber },
    seen,
    treasuryAddress: () => address,
  }
  const made = moneyCall(parts, INTENT, one)
  return made.ok
    ? { endpoint: made.value.endpoint, body: JSON.parse(made.value.body) as unknown }
    : made.error
}

describe('the call of a step', () => {
  test('of a deposit asks the bank for whole shillings to our user', () => {
    expect(call(leg('deposit'))).toEqual({
      endpoint: 'createDeposit',
      body: { amountTzs: 7_000, userId: USER, paymentMethod: 'bank_transfer' },
    })
  })

  test('of a deposit names the account that pays it where one is configured', () => {
    expect(call(leg('deposit'), { payerAccountNumber: '0150-1' })).toMatchObject({
      body: { payerAccountNumber: '0150-1' },
    })
  })

  test('of a transfer goes to the LP wallet, or to the address of its payee', () => {
    expect(call(leg('transfer'))).toEqual({
      endpoint: 'createTransfer',
      body: { fromUserId: USER, amountTzs: 7_000, toAddress: LP_WALLET },
    })
    expect(call(leg('transfer', { payee: 'chain' }))).toMatchObject({ body: { toAddress: CHAIN_PAYEE } })
  })

  test('of dollars names token and amount, and of USDT none exists', () => {
    const dollars = { asset: 'USDC', receiveAsset: 'USDC', amount: 1_500_000n } as const
    expect(call(leg('transfer', dollars))).toMatchObject({
      body: { amount: 1.5, token: 'USDC', toAddress: LP_WALLET },
    })
    expect(call(leg('transfer', { ...dollars, asset: 'USDT' }))).toBe('the partner API transfers no USDT')
  })

  test.each(['bank', 'phone', 'nobody'])('of a transfer to %s is refused: it has no address', (payee) => {
    expect(call(leg('transfer', { payee }))).toBe(`${payee} has no address on the chain`)
  })

  test('of a payout names destination and quote; of the platform wallet the intent too, which echoes it', () => {
    const payout = leg('withdrawal', { payee: 'bank', to: 'bank', quote: QUOTE })
    expect(call(payout)).toEqual({
      endpoint: 'createWithdrawal',
      body: { amountTzs: 6_000, userId: USER, bankCode: 'CRDB', accountNumber: '0150', quoteId: 'q1' },
    })
    expect(call({ ...payout, from: 'platform', payee: 'phone' })).toMatchObject({
      body: { fromTreasury: true, phoneNumber: '255754000777', endUser: { reference: 'an-intent' } },
    })
  })

  test.each([
    ['without a price', { payee: 'bank', quote: null }, 'it has no quote'],
    ['whose price has no id', { payee: 'bank', quote: { ...QUOTE, quoteId: null } }, 'it has no quote'],
    ['to an address', { payee: 'chain', quote: QUOTE }, 'chain is neither a bank account nor a phone'],
    ['to no one of the list', { payee: 'x', quote: QUOTE }, 'x is neither a bank account nor a phone'],
    ['to no payee', { payee: null, quote: QUOTE }, 'null is neither a bank account nor a phone'],
  ] as const)('of a payout %s is refused', (_what, change, words) => {
    expect(call(leg('withdrawal', change))).toBe(words)
  })

  test('of a swap asks for more than our own quote pays by now, and is not built while that is not confirmed', () => {
    const swap = leg('swap', { receiveAsset: 'USDC', amount: 2_500_000n * SHILLING, leastReceived: 1n })
    const quote = { bidBps: 100, askBps: 100, isActive: true, isHalted: false }
    const floor = (bidBps: number) =>
      Number((call(swap, { quote: { ...quote, bidBps } }) as { body: { minOutput: string } }).body.minOutput)
    // 1,000 USDC at the mid, less the spread and the fee of 10 bps.
    expect(floor(100)).toBeCloseTo((1_000 / 1.01) * 0.999, 3)
    expect(floor(10)).toBeGreaterThan((1_000 / 1.001) * 0.999)
    expect(call(swap, { quote: { ...quote, isKnown: false } })).toContain('is not confirmed')
  })

  test('of a swap never names a floor below the agreed one, not even by a rounding', () => {
    const least = 6_000n * SHILLING + 1n
    const swap = leg('swap', { asset: 'USDC', amount: 2_500_000n, leastReceived: least })
    expect(call(swap)).toEqual({
      endpoint: 'swap',
      body: {
        userId: USER,
        fromToken: 'USDC',
        toToken: 'TZS_TOKEN',
        amount: 2.5,
        minOutput: 6_000.000001,
      },
    })
    const back = leg('swap', { receiveAsset: 'USDC', leastReceived: 2_300_001n })
    expect(call(back)).toMatchObject({ body: { toToken: 'USDC', amount: 7_000, minOutput: 2.300001 } })
  })

  test('of an onramp brings dollars to the LP wallet or to our own, and an off-ramp pays the phone of its payee', () => {
    const onramp = leg('onramp', { from: 'phone', quote: QUOTE })
    expect(call(onramp)).toEqual({
      endpoint: 'onramp',
      body: { quoteId: 'q1', phoneNumber: config.phone, destinationAddress: LP_WALLET },
    })
    expect(call({ ...onramp, to: 'treasury' })).toMatchObject({ body: { destinationAddress: TREASURY } })
    expect(call({ ...onramp, to: 'treasury' }, { address: null })).toBe(
      'the wallet of our partner user was not read yet',
    )
    expect(call(leg('offramp', { payee: 'phone', quote: QUOTE }))).toEqual({
      endpoint: 'offramp',
      body: { quoteId: 'q1', phoneNumber: '255754000777' },
    })
  })

  test.each(['onramp', 'offramp'] as const)('of an %s needs a quote and a phone', (kind) => {
    const words = 'it needs a quote and a phone'
    expect(call(leg(kind))).toBe(words)
    expect(call(leg(kind, { quote: QUOTE }), { phone: null })).toBe(words)
  })

  test.each(['spend', 'lpWithdrawal', 'lpActivation', 'lpDeactivation'] as const)(
    'of %s is none: it is no movement of the partner API',
    (kind) => {
      expect(endpointOf(leg(kind))).toBeNull()
      expect(call(leg(kind))).toBe(`${kind} is no call of the partner API`)
    },
  )
})

describe('what a step needs to know', () => {
  test('a payout is quoted for what its payee receives, in whole shillings', () => {
    const odd = leg('withdrawal', { payee: 'bank', leastReceived: 6_000n * SHILLING + 5n })
    expect(payoutTerms(config, odd)).toMatchObject({ ok: true, value: { amountTzs: 6_000n } })
  })

  test('the phone of a payee comes before our own, and a transfer without a payee goes to the LP wallet', () => {
    expect(phoneOf(config, leg('offramp', { payee: 'phone' }))).toBe('255754000777')
    expect(phoneOf(config, leg('onramp'))).toBe(config.phone)
    expect(addressFor(config, leg('transfer'))).toBe(LP_WALLET)
    expect(addressFor(config, leg('transfer', { payee: 'bank' }))).toBeNull()
  })

  test('a swap is priced in six decimals of either token', () => {
    expect([sixDecimals('NTZS', SHILLING), sixDecimals('USDC', 5n)]).toEqual([1_000_000n, 5n])
  })
})

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
import { expectGolden } from '../../../../support/expect-golden.ts'
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

/** Every step with what is asked of the partner API, or why nothing can be asked. */
const DOLLARS = { asset: 'USDC', receiveAsset: 'USDC', amount: 1_500_000n } as const
const PAYOUT = leg('withdrawal', { payee: 'bank', to: 'bank', quote: QUOTE })
const ONRAMP = leg('onramp', { from: 'phone', quote: QUOTE })
const LEAST = 6_000n * SHILLING + 1n
const CALLS: Readonly<Record<string, ReturnType<typeof call>>> = {
  'a deposit, in whole shillings to our user': call(leg('deposit')),
  'a deposit, from the account that is configured': call(leg('deposit'), { payerAccountNumber: '0150-1' }),
  'a transfer to the LP wallet': call(leg('transfer')),
  'a transfer to the address of its payee': call(leg('transfer', { payee: 'chain' })),
  'a transfer to a bank account': call(leg('transfer', { payee: 'bank' })),
  'a transfer to a phone': call(leg('transfer', { payee: 'phone' })),
  'a transfer to an unlisted payee': call(leg('transfer', { payee: 'unlisted' })),
  'a transfer of dollars': call(leg('transfer', DOLLARS)),
  'a transfer of USDT': call(leg('transfer', { ...DOLLARS, asset: 'USDT' })),
  'a payout with its quote': call(PAYOUT),
  'a payout from the platform wallet, which echoes the intent': call({
    ...PAYOUT,
    from: 'platform',
    payee: 'phone',
  }),
  'a payout without a price': call({ ...PAYOUT, quote: null }),
  'a payout whose price has no id': call({ ...PAYOUT, quote: { ...QUOTE, quoteId: null } }),
  'a payout to an address': call({ ...PAYOUT, payee: 'chain' }),
  'a payout to no one of the list': call({ ...PAYOUT, payee: 'x' }),
  'a payout to no payee': call({ ...PAYOUT, payee: null }),
  'a swap of dollars, at no less than the agreed amount': call(
    leg('swap', { asset: 'USDC', amount: 2_500_000n, leastReceived: LEAST }),
  ),
  'a swap into dollars, at no less than the agreed amount': call(
    leg('swap', { receiveAsset: 'USDC', leastReceived: 2_300_001n }),
  ),
  'an onramp to the LP wallet': call(ONRAMP),
  'an onramp to our own wallet': call({ ...ONRAMP, to: 'treasury' }),
  'an onramp to our own wallet, which was not read yet': call(
    { ...ONRAMP, to: 'treasury' },
    { address: null },
  ),
  'an onramp without a quote': call(leg('onramp')),
  'an onramp without a phone': call(leg('onramp', { quote: QUOTE }), { phone: null }),
  'an off-ramp to the phone of its payee': call(leg('offramp', { payee: 'phone', quote: QUOTE })),
  'an off-ramp without a quote': call(leg('offramp')),
  'an off-ramp without a phone': call(leg('offramp', { quote: QUOTE }), { phone: null }),
}

describe('the call of a step', () => {
  test('equals the golden file: the call, or the reason for no call', async () => {
    const lines = Object.entries(CALLS).map(([what, made]) => `${what}: ${JSON.stringify(made)}`)
    await expectGolden('leg-calls', lines.join('\n'))
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

  test.each(['spend', 'lpWithdrawal', 'lpActivation', 'lpDeactivation'] as const)(
    'of %s does not exist: it is no movement of the partner API',
    (kind) => {
      expect(endpointOf(leg(kind))).toBeNull()
      expect(call(leg(kind))).toContain(kind)
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

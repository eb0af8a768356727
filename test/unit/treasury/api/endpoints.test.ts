import { describe, expect, test } from 'vitest'
import { createPartnerCalls, ENDPOINTS, type EndpointName } from '../../../../src/treasury/api/endpoints.ts'
import { interpretPartner } from '../../../../src/treasury/api/interpret.ts'
import { partnerSettingsSchema, type PartnerSettingsInput } from '../../../../src/treasury/api/settings.ts'

/** Every endpoint of the contract in its order, then the two of its prose. */
const CONTRACT = [
  'POST /users',
  'GET /users/:id',
  'POST /users/:id/kyc',
  'POST /users/:id/kyc/attestation',
  'POST /deposits',
  'GET /deposits/:id',
  'POST /transfers',
  'POST /withdrawals/quote',
  'POST /withdrawals',
  'GET /withdrawals/:id',
  'POST /spend/quote',
  'POST /spend',
  'GET /spend/:id',
  'GET /spend/billers',
  'POST /lookup/recipient-name',
  'POST /lookup/merchant-name',
  'POST /lookup/qr',
  'POST /merchant/pay',
  'POST /swap',
  'GET /swap/rate',
  'POST /ramp/quote',
  'POST /ramp/offramp',
  'POST /ramp/onramp',
  'GET /ramp/:id',
  'GET /ramp/settlements',
  'GET /ramp/balance',
  'GET /reconcile',
  'GET /supply',
  'POST /testmode/signup',
  'GET /testmode',
  'POST /testmode/advance',
  'POST /testmode/users/:userId/approve',
  'POST /testmode/reset',
  'POST /partners/sub-wallets',
  'POST /commerce/accounts',
  'POST /commerce/links',
  'GET /commerce/links',
  'DELETE /commerce/links',
  'GET /commerce/stats',
  'GET /commerce/collections',
  'GET /commerce/wallet',
  'GET /commerce/settlement',
  'PATCH /commerce/settlement',
  'POST /commerce/withdraw',
  'POST /commerce/transfer-to-wallet',
  'GET /commerce/financing/status',
  'POST /commerce/financing/withdraw',
  'GET /api/pay/status',
  'POST /api/merchant/pay',
]

const settingsOf = (more: Partial<PartnerSettingsInput> = {}) =>
  partnerSettingsSchema.parse({ baseUrl: 'https://pay.example', ...more })
const callsOf = (more?: Partial<PartnerSettingsInput>) => createPartnerCalls(settingsOf(more))
const calls = callsOf()

function valueOf(name: EndpointName, body: unknown, date: string | null = null): unknown {
  const outcome = interpretPartner<unknown>(ENDPOINTS[name].callOf(settingsOf(), { body: '{}' }), {
    status: 200,
    headers: date === null ? {} : { date },
    text: typeof body === 'string' ? body : JSON.stringify(body),
    receivedAt: Date.UTC(2026, 10, 18, 6, 0, 0),
  })
  if (outcome.kind !== 'answered') throw new Error(outcome.words)
  return outcome.value
}

describe('the record of endpoints', () => {
  test('has the 47 endpoints of the contract and the two of its prose, each once', () => {
    const routes = Object.values(ENDPOINTS).map(({ route }) => route)
    expect(routes.toSorted()).toEqual(CONTRACT.toSorted())
    expect(CONTRACT).toHaveLength(49)
  })

  test('gives every endpoint a separate command and an example', () => {
    const places = Object.values(ENDPOINTS).map(({ command }) => `${command.resource} ${command.verb}`)
    expect(new Set(places).size).toBe(49)
    for (const { command, params } of Object.values(ENDPOINTS))
      expect(command.example === '').toBe(Object.keys(params.shape).length === 0 && command.verb !== 'reset')
  })

  test('sends an Idempotency-Key on exactly the routes that the contract marks, and where money leaves a merchant', () => {
    const keyed = Object.values(ENDPOINTS).filter(({ takesKey }) => takesKey)
    expect(keyed.map(({ route }) => route).toSorted()).toEqual(
      [
        'POST /deposits',
        'POST /transfers',
        'POST /withdrawals',
        'POST /spend',
        'POST /merchant/pay',
        'POST /swap',
        'POST /ramp/offramp',
        'POST /ramp/onramp',
        'POST /api/merchant/pay',
        'POST /commerce/withdraw',
        'POST /commerce/financing/withdraw',
      ].toSorted(),
    )
  })

  test('has the deadlines of its kind: lookups 30 s, ramp 45 s, reconcile 120 s, others 60 s', () => {
    expect(calls.lookupRecipient({ phoneNumber: '0712345678' }).timeoutMs).toBe(30_000)
    expect(calls.offramp({ quoteId: 'q', phoneNumber: '0712345678' }).timeoutMs).toBe(45_000)
    expect(calls.reconcile({}).timeoutMs).toBe(120_000)
    expect(calls.swap({ userId: 'u', fromToken: 'USDC', toToken: 'TZS_TOKEN', amount: 1n }).timeoutMs).toBe(
      60_000,
    )
  })
})

describe('a request', () => {
  test('fills its path, and puts the other parameters into the body as the contract writes them', () => {
    expect(calls.submitKyc({ id: 'u-1', phone: '0712345678' })).toMatchObject({
      path: '/api/v1/users/u-1/kyc',
      body: '{"phone":"0712345678"}',
    })
    expect(calls.createDeposit({ amountTzs: 40_000_000n, endUser: { reference: 'ab' } }).body).toBe(
      '{"amountTzs":40000000,"endUser":{"reference":"ab"}}',
    )
  })

  test('of a read has its parameters in the query and no body', () => {
    const call = calls.swapRate({ from: 'USDC', to: 'TZS_TOKEN', amount: 1_500_001n })
    expect(call).toMatchObject({
      path: '/api/v1/swap/rate?from=USDC&to=TZS_TOKEN&amount=1.500001',
      body: null,
    })
    expect(call.isPublic).toBe(true)
    expect(calls.payStatus({ id: 'a b' }).path).toBe('/api/pay/status?id=a+b')
  })

  test('of a merchant names it in the header and nowhere else', () => {
    const call = calls.listCollections({ merchantId: 'm_1', limit: 50, cursor: 'c' })
    expect(call).toMatchObject({
      path: '/api/v1/commerce/collections?limit=50&cursor=c',
      headers: { 'x-merchant-id': 'm_1' },
    })
    expect(calls.merchantWithdraw({ merchantId: 'm_1', amountTzs: 5_000n })).toMatchObject({
      headers: { 'x-merchant-id': 'm_1' },
      body: '{"amountTzs":5000}',
    })
  })

  test('is below the prefix of the settings, but for the two routes of the prose', () => {
    const short = callsOf({ prefix: '/v1' })
    expect(short.supply({}).path).toBe('/v1/supply')
    expect(short.payMobileMoney({ handle: 'h', amountTzs: 100n }).path).toBe('/api/merchant/pay')
  })

  test('of a swap, an attestation, a ramp quote and a link has the spelling of the settings', () => {
    const other = callsOf({ swapFields: 'from', attestationFields: 'status', rampFields: 'amount' })
    const swap = { userId: 'u', fromToken: 'USDC', toToken: 'TZS_TOKEN', amount: 1n } as const
    expect(calls.swap(swap).body).toBe(
      '{"userId":"u","fromToken":"USDC","toToken":"TZS_TOKEN","amount":0.000001}',
    )
    expect(other.swap(swap).body).toBe('{"userId":"u","from":"USDC","to":"TZS_TOKEN","amount":0.000001}')
    const attestation = {
      id: 'u',
      decision: 'approved',
      idNumber: '7',
      verifiedBy: 'us',
      fullName: 'N',
    } as const
    expect(calls.attestKyc(attestation).body).toBe(
      '{"decision":"approved","idNumber":"7","fullName":"N","verifiedBy":"us"}',
    )
    expect(other.attestKyc(attestation).body).toBe(
      '{"status":"approved","nationalId":"7","fullName":"N","provider":"us"}',
    )
    const ramp = { direction: 'offramp', tzsAmount: 900_000n } as const
    expect(calls.quoteRamp(ramp).body).toBe('{"direction":"offramp","tzsAmount":900000}')
    expect(other.quoteRamp(ramp).body).toBe('{"direction":"offramp","amount":900000}')
    expect(other.quoteRamp({ direction: 'offramp', usdcAmount: 350_100_000n }).body).toBe(
      '{"direction":"offramp","amount":350.1}',
    )
    const link = { merchantId: 'm', linkId: 'l' }
    expect(calls.deleteLink(link)).toMatchObject({ path: '/api/v1/commerce/links?id=l', body: null })
    expect(callsOf({ linkSelector: 'path' }).deleteLink(link)).toMatchObject({
      path: '/api/v1/commerce/links/l',
      body: null,
    })
    expect(callsOf({ linkSelector: 'body' }).deleteLink(link)).toMatchObject({
      path: '/api/v1/commerce/links',
      body: '{"id":"l"}',
    })
  })
})

describe('both forms of an answer', () => {
  test('of a user: balance or balanceTzs, and a USDT balance under any of its names', () => {
    const user = { id: 'u', kycStatus: 'approved', balanceUsdc: 12.5 }
    expect(valueOf('readUser', { ...user, balanceTzs: 7_000 })).toMatchObject({
      balanceTzs: 7_000n,
      balanceUsdc: 12_500_000n,
      balanceUsdt: null,
    })
    expect(valueOf('createUser', { ...user, balance: 7_000, balanceUSDT: 3 })).toMatchObject({
      balanceTzs: 7_000n,
      balanceUsdt: 3_000_000n,
    })
  })

  test('of the billers: categories, a list of categories, a list of billers', () => {
    const luku = { code: 'LUKU', referenceLabel: 'Meter' }
    const wanted = {
      billers: [expect.objectContaining({ code: 'LUKU', referenceLabel: 'Meter', feeNote: null })],
    }
    const group = { key: 'power', label: 'Power', billers: [luku, { no: 'code' }] }
    expect(valueOf('listBillers', { categories: [group] })).toMatchObject({
      categories: [{ key: 'power', ...wanted }],
      unreadable: 1,
    })
    expect(valueOf('listBillers', [group])).toMatchObject({ categories: [{ key: 'power', ...wanted }] })
    expect(valueOf('listBillers', [luku])).toMatchObject({
      categories: [{ key: 'all', ...wanted }],
      unreadable: 0,
    })
  })

  test('of instructions: a sentence or the fields to show', () => {
    const fields = { institution: 'CRDB', reference: 'MZ-4F8K2Q', amountTzs: 40_000_000 }
    const deposit = { id: 'd', status: 'submitted', paymentMethod: 'bank_transfer', reference: 'MZ-4F8K2Q' }
    expect(valueOf('readDeposit', { ...deposit, instructions: fields })).toMatchObject({
      instructions: fields,
    })
    expect(valueOf('readDeposit', { ...deposit, instructions: 'Approve on the phone.' })).toMatchObject({
      instructions: 'Approve on the phone.',
    })
  })

  test('of a settlement: settlementId or id, in a list or on a page; an invalid row is counted', () => {
    const rows = [
      { settlementId: 's1', status: 'completed' },
      { id: 's2', status: 'held' },
      { status: 'completed' },
    ]
    const wanted = {
      settlements: [
        { settlementId: 's1', status: 'completed' },
        { settlementId: 's2', status: 'other(held)' },
      ],
      unreadable: 1,
    }
    expect(valueOf('listSettlements', rows)).toMatchObject(wanted)
    expect(valueOf('listSettlements', { settlements: rows })).toMatchObject(wanted)
  })

  test('of the supply: a figure under any of the names that the contract uses elsewhere, or alone', () => {
    expect(valueOf('supply', { totalSupplyTzs: 812_000_000 })).toMatchObject({ supplyTzs: 812_000_000n })
    expect(valueOf('supply', { supply: '812000000.75' })).toMatchObject({ supplyTzs: 812_000_000n })
    expect(valueOf('supply', '812000000')).toMatchObject({ supplyTzs: 812_000_000n })
  })
})

describe('amounts of an answer', () => {
  test('of the ramp float are base units: 6 decimals of a dollar, 18 of the token, floored', () => {
    const text = '{"usdcBalance":"1000.5000009","tokenBalance":"812.0000000000000000019","chain":"base"}'
    expect(valueOf('rampBalance', text)).toMatchObject({
      usdcBalance: 1_000_500_000n,
      tokenBalance: 812_000000000000000001n,
    })
  })

  test('of a swap rate are base units of the token received, floored from the digits as they were written', () => {
    const text =
      '{"from":"USDC","to":"TZS_TOKEN","amount":1000,"expectedOutput":2559999.1234567890123456789,"minOutput":2534399.13}'
    expect(valueOf('swapRate', text)).toMatchObject({
      amount: 1_000_000_000n,
      expectedOutput: 2_559_999_123456789012345678n,
      minOutput: 2_534_399_130000000000000000n,
    })
  })
})

describe('the expiry of a quote', () => {
  const received = Date.UTC(2026, 10, 18, 6, 0, 0)
  const quote = { quoteId: 'q', usdcAmount: 1, tzsAmount: 2_560 }

  test('is on our clock: what remained of it on the venue’s, whose clock is ten minutes ahead', () => {
    const body = { ...quote, expiresAt: '2026-11-18T06:10:41Z' }
    expect(valueOf('quoteRamp', body, 'Wed, 18 Nov 2026 06:10:00 GMT')).toMatchObject({
      expiresAt: received + 40_000,
    })
  })

  test('is never later than the contract’s validity, which also applies without a stated one', () => {
    expect(valueOf('quoteRamp', { ...quote, expiresAt: '2027-01-01T00:00:00Z' })).toMatchObject({
      expiresAt: received + 60_000,
    })
    expect(valueOf('quoteRamp', quote)).toMatchObject({ expiresAt: received + 60_000 })
    const payout = { quoteId: null, receiveAmountTzs: 5_000, burnAmountTzs: 5_500, totalFeeTzs: 500 }
    expect(valueOf('quoteWithdrawal', payout)).toMatchObject({ quoteId: null, expiresAt: received + 300_000 })
    const spend = { quoteId: 'q', principalTzs: 500, burnAmountTzs: 600 }
    expect(valueOf('quoteSpend', spend)).toMatchObject({ expiresAt: received + 300_000 })
    expect(valueOf('swapRate', { from: 'USDC', to: 'TZS_TOKEN' })).toMatchObject({
      expiresAt: received + 30_000,
    })
  })
})

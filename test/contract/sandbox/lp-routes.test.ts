import { describe, expect, onTestFinished, test } from 'vitest'
import type { SandboxOptionsInput } from '../../../src/simulator/sandbox/options.ts'
import { START } from '../../unit/simulator/sandbox/scripted-world.ts'
import { httpClient, type HttpClient } from './http-client.ts'

async function open(options: SandboxOptionsInput = {}): Promise<HttpClient> {
  const client = await httpClient(options)
  onTestFinished(() => client.sandbox.close())
  return client
}
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const ADDRESS = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

describe('the contract’s routes', () => {
  test('GET /account', async () => {
    const { ask } = await open({})
    const { status, json } = await ask('GET', '/account')
    expect(status).toBe(200)
    expect(json).toMatchObject({
      id: expect.any(String),
      email: expect.any(String),
      walletAddress: expect.stringMatching(/^0x/),
      isActive: false,
      createdAt: expect.stringMatching(ISO),
    })
  })

  test('GET /balances shows the wallet while inactive and the pool while active', async () => {
    const { ask, goLive, inject } = await open({})
    const inactive = (await ask('GET', '/balances')).json
    expect(inactive).toMatchObject({
      ntzs: '40000000',
      usdc: '12000',
      wallet: { address: expect.any(String), chain: 'base' },
    })
    await goLive()
    await inject({ externalTransfer: { asset: 'USDC', amount: '0.000001' } })
    const active = (await ask('GET', '/balances')).json
    expect(active).toMatchObject({ usdc: '12000', usdt: '4000' })
    expect(active).not.toHaveProperty('source')
  })

  test('GET /rate', async () => {
    const { ask } = await open({})
    const { json } = await ask('GET', '/rate')
    const rateUpdatedAt = new Date(START - 3_600_000).toISOString()
    expect(json).toEqual({ midRateTZS: 2500, rateUpdatedAt, quotable: true })
  })

  test('GET /quote prices both sides at our spread, with the fee on top, also while inactive and one side is off', async () => {
    const { ask } = await open({})
    await ask('PATCH', '/spread', { bidBps: 40, askBps: 100, quoteBid: false })
    const sell = (await ask('GET', '/quote?fromToken=USDC&toToken=NTZS&amount=100')).json
    expect(sell).toMatchObject({
      fromToken: 'USDC',
      toToken: 'NTZS',
      amountIn: '100',
      expectedOutput: 247_252.5,
      minOutput: 244_779.975,
      minAmountOut: '244779.975',
      midRate: 2500,
      rate: 2472.525,
      spreadBps: 100,
      slippageBps: 100,
      protocolFeeBps: 10,
      rateUpdatedAt: expect.stringMatching(ISO),
      expiresAt: new Date(START + 30_000).toISOString(),
    })
    const buy = (await ask('GET', '/quote?fromToken=NTZS&toToken=USDT&amount=251000&slippageBps=0')).json
    expect(buy).toMatchObject({ expectedOutput: 99.9, minAmountOut: '99.9', spreadBps: 40, slippageBps: 0 })
  })

  test('PATCH /spread answers with what it now holds, and fills in the defaults', async () => {
    const { ask } = await open({})
    const set = await ask('PATCH', '/spread', { bidBps: 10, askBps: 500 })
    expect(set.json).toEqual({
      bidBps: 10,
      askBps: 500,
      quoteBid: true,
      quoteAsk: true,
      quotePairs: null,
      updatedAt: new Date(START).toISOString(),
    })
    const again = await ask('PATCH', '/spread', {
      bidBps: 20,
      askBps: 30,
      quoteAsk: false,
      quotePairs: ['USDC', 'ZARP'],
    })
    expect(again.json).toMatchObject({ bidBps: 20, quoteAsk: false, quotePairs: ['USDC', 'ZARP'] })
  })

  test('POST /activate, and no PATCH', async () => {
    const { ask } = await open({})
    const on = await ask('POST', '/activate', { isActive: true })
    expect(on).toMatchObject({
      status: 200,
      json: { isActive: true, walletAddress: expect.any(String), updatedAt: expect.stringMatching(ISO) },
    })
    const off = await ask('PATCH', '/activate', { isActive: false })
    expect(off.status).toBe(404)
  })

  test('GET /fills', async () => {
    const { ask, goLive } = await open({})
    await goLive(100, 100)
    expect((await ask('GET', '/fills')).json).toEqual({ fills: [] })
    const swap = await ask('POST', '/sandbox/swap', {
      from: 'USDC',
      to: 'NTZS',
      amount: '100',
      taker: '0xabc',
    })
    const { fills } = (await ask('GET', '/fills')).json as { fills: Record<string, unknown>[] }
    expect(fills).toHaveLength(1)
    expect(fills[0]).toMatchObject({
      id: swap.json['id'],
      amountIn: '100',
      amountOut: '247252.5',
      createdAt: new Date(START).toISOString(),
    })
    expect(fills[0]).toMatchObject({
      fromToken: 'USDC',
      toToken: 'NTZS',
      feesEarned: '2500',
      txHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    })
    expect(Object.keys(fills[0] ?? {})).not.toContain('protocolFeeEarned')
  })

  test('POST /withdraw sends the full balance of an inactive position', async () => {
    const { ask } = await open({ opening: { 'USDT.bnb': '5' } })
    const sent = await ask('POST', '/withdraw', { token: 'usdc', toAddress: ADDRESS, amount: '12000' })
    expect(sent).toMatchObject({
      status: 200,
      json: { status: 'confirmed', txHash: expect.stringMatching(/^0x[0-9a-f]{64}$/) },
    })
    expect((await ask('GET', '/balances')).json).toMatchObject({ usdc: '0' })
    const bnb = await ask('POST', '/withdraw', {
      token: 'usdt',
      toAddress: ADDRESS.toLowerCase(),
      amount: '0.000000000000000001',
      chain: 'bnb',
    })
    expect(bnb.status).toBe(200)
  })

  test('PUT /custody and GET /rfq/info', async () => {
    const { ask } = await open({})
    expect(await ask('PUT', '/custody', { enabled: true })).toMatchObject({
      status: 200,
      json: { enabled: true },
    })
    expect((await ask('GET', '/rfq/info')).json).toMatchObject({
      solverWallet: ADDRESS,
      chainId: 8453,
      exchange: expect.stringMatching(/^0x/),
    })
  })

  test('a refusal has the HTTP status of its code, the code and a sentence', async () => {
    const { ask } = await open({ noPermissionKeys: ['mm_test_poor'] })
    const refused = await ask('PATCH', '/spread', { bidBps: 9, askBps: 100 })
    expect(refused.status).toBe(400)
    expect(refused.json).toEqual({ code: 'SPREAD_OUT_OF_RANGE', error: expect.stringMatching(/10 to 500/) })
    const stranger = await ask('GET', '/account', undefined, { authorization: 'Bearer mm_test_stranger' })
    expect(stranger.status).toBe(401)
    expect(stranger.json).toMatchObject({ code: 'UNAUTHORIZED' })
    const poor = await ask('GET', '/account', undefined, { authorization: 'Bearer mm_test_poor' })
    expect(poor).toMatchObject({
      status: 403,
      json: { code: 'FORBIDDEN' },
    })
  })
})

describe('every code of the contract', () => {
  const BASE: SandboxOptionsInput = {}
  type Case = [
    code: string,
    status: number,
    setUp: (client: HttpClient) => Promise<unknown>,
    ask: Parameters<HttpClient['ask']>,
    options?: SandboxOptionsInput,
  ]
  type Ask = Case[3]
  const nothing = () => Promise.resolve()
  const rateWith = (authorization: string): Ask => ['GET', '/rate', undefined, { authorization }]
  const activate = (isActive: unknown): Ask => ['POST', '/activate', { isActive }]
  const withdraw = (change: object): Ask => [
    'POST',
    '/withdraw',
    { token: 'usdc', toAddress: ADDRESS, amount: '1', ...change },
  ]
  const spread = (change: object): Ask => ['PATCH', '/spread', { bidBps: 50, askBps: 50, ...change }]
  const quote = (query: string): Ask => ['GET', `/quote?${query}`]

  const cases: Case[] = [
    ['UNAUTHORIZED', 401, nothing, rateWith('')],
    ['UNAUTHORIZED', 401, nothing, rateWith('mm_test_sandbox')],
    ['FORBIDDEN', 403, nothing, rateWith('Bearer poor'), { noPermissionKeys: ['poor'] }],
    ['NOT_FOUND', 404, nothing, ['GET', '/nowhere']],
    ['INSUFFICIENT_BALANCE', 400, nothing, withdraw({ amount: '12000.000001' })],
    ['INSUFFICIENT_BALANCE', 400, ({ goLive }) => goLive(), withdraw({})],
    [
      'INSUFFICIENT_LIQUIDITY',
      400,
      async ({ goLive, inject }) => {
        await goLive()
        await inject({ poolShortfall: { asset: 'USDC', amount: '1' } })
      },
      activate(false),
      { opening: { NTZS: '0', USDT: '0' } },
    ],
    ...[
      ...['0', '-1', 'x', '1e3', '0.0000001', '', 5].map((amount) => withdraw({ amount })),
      ...['&amount=0', '&amount=-5', '&amount=NaN', '&amount=', '&amount=1.0000001', ''].map((amount) =>
        quote(`fromToken=USDC&toToken=NTZS${amount}`),
      ),
    ].map((ask): Case => ['INVALID_AMOUNT', 400, nothing, ask]),
    ['INVALID_ADDRESS', 400, nothing, withdraw({ toAddress: ADDRESS.replace('C8', 'c8') })],
    ['INVALID_ADDRESS', 400, nothing, withdraw({ toAddress: '0x1234' })],
    ['INVALID_ADDRESS', 400, nothing, withdraw({ toAddress: undefined })],
    ...[9, 501, 0, -50].flatMap((bps): Case[] => [
      ['SPREAD_OUT_OF_RANGE', 400, nothing, spread({ bidBps: bps })],
      ['SPREAD_OUT_OF_RANGE', 400, nothing, spread({ askBps: bps })],
    ]),
    ['POSITION_INACTIVE', 400, nothing, activate(false), { deactivateInactive: 'refuse' }],
    ['RATE_LIMIT', 429, ({ ask }) => ask('GET', '/rate'), ['GET', '/rate'], { requestsPerMinute: 1 }],
    ['INTERNAL_ERROR', 500, ({ inject }) => inject({ nextRequest: { kind: '500' } }), ['GET', '/rate']],
    [
      'ACTIVATION_IN_PROGRESS',
      409,
      ({ inject }) => inject({ faults: { busyActivation: 1 } }),
      activate(true),
    ],
    ['pooled_capital_active', 409, ({ goLive }) => goLive(), ['PUT', '/custody', { enabled: true }]],
    ['SELF_CUSTODY_ENABLED', 409, ({ ask }) => ask('PUT', '/custody', { enabled: true }), activate(true)],
    // Described by the contract as refused, with no code of their own.
    ['INVALID_REQUEST', 400, nothing, spread({ quoteBid: false, quoteAsk: false })],
    ['INVALID_REQUEST', 400, nothing, spread({ quotePairs: [] })],
    ['INVALID_REQUEST', 400, nothing, spread({ quotePairs: ['EURC'] })],
    ['INVALID_REQUEST', 400, nothing, spread({ askBps: 50.5 })],
    ['INVALID_REQUEST', 400, nothing, spread({ bidBps: '50' })],
    ['INVALID_REQUEST', 400, nothing, ['PATCH', '/spread', '{"bidBps":']],
    ['INVALID_REQUEST', 400, nothing, activate('yes')],
    ['INVALID_REQUEST', 400, nothing, ['PUT', '/custody', {}]],
    ['INVALID_REQUEST', 400, nothing, withdraw({ token: 'USDC' })],
    ['INVALID_REQUEST', 400, nothing, withdraw({ token: 'ntzs', chain: 'bnb' })],
    ['INVALID_REQUEST', 400, nothing, quote('fromToken=USDC&toToken=USDT&amount=1')],
    ['INVALID_REQUEST', 400, nothing, quote('fromToken=USDC&amount=1')],
    ['INVALID_REQUEST', 400, nothing, quote('fromToken=USDC&toToken=NTZS&amount=1&slippageBps=501')],
  ]

  test.each(cases)('%s is %i (case %#)', async (code, status, setUp, request, options = BASE) => {
    const client = await open(options)
    await setUp(client)
    const refused = await client.ask(...request)
    expect(refused).toMatchObject({ status, json: { code, error: expect.stringMatching(/\w+ \w+/) } })
  })

  test('the limit counts on the wall clock and says in whole seconds how long to wait', async () => {
    const { ask, advance } = await open({ requestsPerMinute: 60 })
    for (let i = 0; i < 60; i++) expect((await ask('GET', '/rate')).status).toBe(200)
    await advance(3_600_000)
    const refused = await ask('GET', '/rate')
    expect(refused.status).toBe(429)
    const wait = Number(refused.headers.get('retry-after'))
    expect(Number.isInteger(wait) && wait > 0 && wait <= 60).toBe(true)
  })
})

import { randomUUID } from 'node:crypto'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { SandboxOptionsInput } from '../../../src/simulator/sandbox/options.ts'
import { rival, scriptedWorld, START } from '../../unit/simulator/sandbox/scripted-world.ts'
import { httpClient, type HttpClient } from './http-client.ts'

async function open(
  options: SandboxOptionsInput = {},
  rivals = [rival('rival', 30, 300)],
): Promise<HttpClient> {
  const client = await httpClient(options, scriptedWorld([], rivals))
  onTestFinished(() => client.sandbox.close())
  await client.goLive(100, 100)
  return client
}
const rate = (query: string) =>
  ['GET', `/api/v1/swap/rate?${query}`, undefined, { authorization: '' }] as const

function events(text: string): Record<string, unknown>[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('data: '))
    .map((line) => JSON.parse(line.slice(6)) as Record<string, unknown>)
}

describe('GET /api/v1/swap/rate', () => {
  test('shows without a key the spread of anyone who would be picked on that side', async () => {
    const { ask } = await open()
    const { status, json } = await ask(...rate('from=USDC&to=TZS_TOKEN&amount=100'))
    expect(status).toBe(200)
    expect(json).toEqual({
      from: 'USDC',
      to: 'TZS_TOKEN',
      amount: 100,
      fromChain: 'base',
      toChain: 'base',
      midRate: 2500,
      bidBps: 100,
      askBps: 100,
      spreadBps: 100,
      protocolFeeBps: 10,
      tzsBuyRate: 2525,
      tzsSellRate: 2475,
      rate: 2472.525,
      expectedOutput: 247_252.5,
      minOutput: 244_779.975,
      expiresAt: new Date(START + 30_000).toISOString(),
      lowLiquidity: false,
      liquidityUnknown: false,
    })
    expect((await ask(...rate('from=TZS_TOKEN&to=USDC&amount=100'))).json).toMatchObject({ spreadBps: 30 })
    expect((await ask('GET', '/v1/swap/rate?from=TZS_TOKEN&to=USDT&amount=1')).json).toMatchObject({
      spreadBps: 30,
    })
  })

  test('warns of low liquidity where no one covers the size, and is 404 where no one quotes', async () => {
    const { ask, inject } = await open({}, [])
    expect((await ask(...rate('from=USDC&to=TZS_TOKEN&amount=99999999'))).json).toMatchObject({
      lowLiquidity: true,
      spreadBps: 100,
    })
    await inject({ suspended: true })
    expect(await ask(...rate('from=USDC&to=TZS_TOKEN&amount=1'))).toMatchObject({
      status: 404,
      json: { error: 'no_active_pair' },
    })
  })

  test.each([
    ['missing_required_fields', 'from=USDC&to=TZS_TOKEN'],
    ['missing_required_fields', 'to=TZS_TOKEN&amount=1'],
    ['invalid_amount', 'from=USDC&to=TZS_TOKEN&amount=0'],
    ['invalid_amount', 'from=USDC&to=TZS_TOKEN&amount=-1'],
    ['invalid_amount', 'from=USDC&to=TZS_TOKEN&amount=much'],
    ['invalid_token', 'from=USDC&to=USDC&amount=1'],
    ['invalid_token', 'from=USDC&to=NTZS&amount=1'],
    ['invalid_token', 'from=USDC&to=TZS_TOKEN&amount=1&fromChain=bnb'],
    ['invalid_chain', 'from=USDC&to=TZS_TOKEN&amount=1&fromChain=moon'],
  ])('400 %s for %s', async (error, query) => {
    const { ask } = await open()
    expect(await ask(...rate(query))).toMatchObject({ status: 400, json: { error } })
  })

  test.each([
    ['NTZS', 400, 200],
    [['TZS_TOKEN', 'NTZS'] as const, 200, 200],
  ])('the shilling is called what the options say: %j', async (shillingSymbol, tzsToken, ntzs) => {
    const { ask } = await open({
      shillingSymbol: typeof shillingSymbol === 'string' ? 'NTZS' : [...shillingSymbol],
    })
    expect((await ask(...rate('from=USDC&to=TZS_TOKEN&amount=1'))).status).toBe(tzsToken)
    expect((await ask(...rate('from=USDC&to=NTZS&amount=1'))).status).toBe(ntzs)
  })

  test('has its own limit per address and is 503 while the rate may not be quoted', async () => {
    const { ask, inject } = await open({ publicRequestsPerMinute: 2 })
    await inject({ notQuotable: { ms: 1_000 } })
    const statuses = []
    for (let i = 0; i < 3; i++) statuses.push(await ask(...rate('from=USDC&to=TZS_TOKEN&amount=1')))
    expect(statuses.map(({ status }) => status)).toEqual([503, 503, 429])
    expect(statuses[2]?.headers.get('retry-after')).toMatch(/^\d+$/)
  })

  test('takes dollars of bnb for the token, and sells none of them: that pair is not in the contract', async () => {
    const { ask } = await open({ opening: { 'USDT.bnb': '1000' } })
    const taken = await ask(...rate('from=USDT&to=TZS_TOKEN&amount=1&fromChain=bnb'))
    expect(taken.json).toMatchObject({ fromChain: 'bnb', spreadBps: 100 })
    const sold = await ask(...rate('from=TZS_TOKEN&to=USDT&amount=2525&toChain=bnb'))
    expect(sold).toMatchObject({ status: 400, json: { error: 'invalid_token' } })
  })
})

describe('POST /api/v1/swap', () => {
  const swap = (change: object = {}) =>
    [
      'POST',
      '/api/v1/swap',
      { userId: randomUUID(), fromToken: 'USDC', toToken: 'TZS_TOKEN', amount: 100, ...change },
    ] as const

  test('a swap is reported as a stream of events and appears in our fills', async () => {
    const { ask, sandbox } = await open()
    const done = await ask(...swap())
    expect(done).toMatchObject({ status: 200 })
    expect(done.headers.get('content-type')).toBe('text/event-stream')
    const told = events(done.text)
    expect(told.map(({ status }) => status)).toEqual(['CHECKING', 'SENDING', 'FILLING', 'FILLED'])
    const [fill] = sandbox.model.book().ours.fills
    expect(told.map(({ txHash }) => txHash)).toEqual([
      undefined,
      fill?.inTxHash,
      fill?.outTxHash,
      fill?.outTxHash,
    ])
  })

  test('takes the fields by their schema names too, and ends in FAILED where no one covers it', async () => {
    const { ask } = await open()
    const failed = await ask(
      ...swap({ fromToken: undefined, toToken: undefined, from: 'USDC', to: 'TZS_TOKEN', amount: 1e12 }),
    )
    expect(events(failed.text).map(({ status }) => status)).toEqual(['CHECKING', 'FAILED'])
    expect(events(failed.text)[1]).toMatchObject({ error: 'INSUFFICIENT_LIQUIDITY' })
  })

  test('is refused before funds move when the price is below minOutput', async () => {
    const { ask, sandbox } = await open()
    expect(await ask(...swap({ minOutput: 247_252.51 }))).toMatchObject({
      status: 409,
      json: { error: 'SLIPPAGE_EXCEEDED' },
    })
    expect(sandbox.model.book().ours.fills).toHaveLength(0)
    expect((await ask(...swap({ minOutput: 247_252.5 }))).status).toBe(200)
  })

  test.each([
    [400, { userId: 'me' }],
    [400, { amount: 0 }],
    [400, { amount: { a: 1 } }],
    [400, { amount: 0.0000001 }],
    [400, { fromToken: 'TZS_TOKEN', toToken: 'USDC', amount: 0.000001 }],
    [400, { slippageBps: 501 }],
    [400, { minOutput: 'much' }],
    [400, { toToken: 'USDT' }],
  ])('%i for %j', async (status, change) => {
    const { ask } = await open()
    expect((await ask(...swap(change))).status).toBe(status)
  })

  test('wants the partner key where one is set, and a rate that may be quoted', async () => {
    const { ask, inject } = await open({ partnerKey: 'svc_test_1' })
    for (const authorization of ['', 'Bearer mm_test_sandbox', 'Bearer svc_test_2', 'svc_test_1'])
      expect(await ask(...swap(), { authorization })).toMatchObject({
        status: 401,
        json: { error: expect.any(String) },
      })
    expect((await ask(...swap(), { authorization: 'Bearer svc_test_1' })).status).toBe(200)
    await inject({ notQuotable: { ms: 1_000 } })
    expect(await ask(...swap(), { authorization: 'Bearer svc_test_1' })).toMatchObject({ status: 503 })
  })

  test('is one at a time per wallet and once per Idempotency-Key', async () => {
    const { ask, advance } = await open({ swapStepMs: 1_000 })
    const userId = randomUUID()
    const first = ask(...swap({ userId }), { 'idempotency-key': 'k1' })
    const second = await ask(...swap({ userId }))
    expect(second).toMatchObject({ status: 409, json: { error: 'transfer_in_flight' } })
    await advance(3_000)
    expect(events((await first).text).at(-1)).toMatchObject({ status: 'FILLED' })
    expect(await ask(...swap({ userId }), { 'idempotency-key': 'k1' })).toMatchObject({
      status: 409,
      json: { error: 'idempotency_key_used' },
    })
  })

  test('that is refused does not use its Idempotency-Key: the same request may come again', async () => {
    const { ask, inject, advance } = await open()
    const key = { 'idempotency-key': 'k2' }
    const userId = randomUUID()
    expect((await ask(...swap({ userId, minOutput: 1e9 }), key)).status).toBe(409)
    expect((await ask(...swap({ userId, toToken: 'USDT' }), key)).status).toBe(400)
    await inject({ notQuotable: { ms: 1_000 } })
    expect((await ask(...swap({ userId }), key)).status).toBe(503)
    await advance(1_000)
    expect(events((await ask(...swap({ userId, amount: 1e12 }), key)).text).at(-1)).toMatchObject({
      status: 'FAILED',
    })
    expect(events((await ask(...swap({ userId }), key)).text).at(-1)).toMatchObject({ status: 'FILLED' })
    await advance(10_000)
    expect((await ask(...swap({ userId }), key)).json).toMatchObject({ error: 'idempotency_key_used' })
  })
})

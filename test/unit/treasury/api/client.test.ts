import type { IncomingMessage, ServerResponse } from 'node:http'
import { inspect } from 'node:util'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createPartnerClient, type PartnerClient } from '../../../../src/treasury/api/client.ts'
import type { PartnerSettingsInput } from '../../../../src/treasury/api/settings.ts'
import { scriptedServer, sendJson } from '../../venue/scripted-server.ts'

const KEY = 'svc_test_0123456789abcdef'
const WITHDRAWAL = { amountTzs: 990_000n, userId: 'u1', phoneNumber: '255712345678' }

async function against(
  answer: (response: ServerResponse, request: IncomingMessage) => void,
  settings: Partial<PartnerSettingsInput> = {},
  random = () => 0.01,
) {
  const keys: (string | undefined)[] = []
  const server = await scriptedServer((response, request) => {
    keys.push(request.headers['idempotency-key'] as string | undefined)
    answer(response, request)
  })
  const client: PartnerClient = createPartnerClient(
    { baseUrl: server.url, requestTimeoutMs: 60_000, ...settings },
    { apiKey: KEY },
    { random },
  )
  onTestFinished(() => server.close())
  onTestFinished(() => client.close())
  return { client, server, keys }
}

describe('a request that moves money', () => {
  const hangUp = (response: ServerResponse) => response.destroy()

  test('is one request on the wire when the connection is reset, and its outcome is unknown', async () => {
    const { client, server } = await against(hangUp)
    expect(await client.createWithdrawal(WITHDRAWAL)).toMatchObject({
      kind: 'unknown',
      sent: 'maybe',
      status: null,
    })
    expect(server.seen).toHaveLength(1)
  })

  test.each([500, 502, 503, 429, 409])('is one request on the wire after a %i', async (status) => {
    const { client, server } = await against((response) => sendJson(response, { error: 'x_y' }, status))
    await client.createTransfer({ fromUserId: 'u1', amountTzs: 5n, toAddress: '0x1' })
    expect(server.seen).toHaveLength(1)
  })

  test('certainly was not sent where nothing listens', async () => {
    const { client, server } = await against(hangUp)
    await server.close()
    expect(await client.createWithdrawal(WITHDRAWAL)).toMatchObject({
      kind: 'unknown',
      sent: 'no',
      status: null,
    })
  })

  test('carries a random key of 128 bits without a given one, and a different key the next time', async () => {
    const { client, keys } = await against(hangUp)
    await client.createWithdrawal(WITHDRAWAL)
    await client.createWithdrawal(WITHDRAWAL)
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/)
    expect(keys[1]).toMatch(/^[0-9a-f]{32}$/)
    expect(keys[0]).not.toBe(keys[1])
  })
})

describe('a client under a lease', () => {
  test('sends nothing that moves money once that may not start, though it waited for its connection, and reads on', async () => {
    const server = await scriptedServer((response) => sendJson(response, { id: 'w1', status: 'burned' }))
    let mayStart = true
    const asked: number[] = []
    const client = createPartnerClient(
      { baseUrl: server.url },
      { apiKey: KEY },
      {
        mayStart: () => {
          asked.push(server.seen.length)
          return mayStart
        },
      },
    )
    onTestFinished(() => server.close())
    onTestFinished(() => client.close())
    const body = JSON.stringify({ ...WITHDRAWAL, amountTzs: 990_000 })
    expect(await client.transmit({ endpoint: 'createWithdrawal', key: 'k-1', body })).toMatchObject({
      kind: 'answered',
    })
    const late = client.transmit({ endpoint: 'createWithdrawal', key: 'k-2', body })
    mayStart = false
    expect(await late).toMatchObject({
      kind: 'unknown',
      sent: 'no',
      words: expect.stringContaining('before it was sent'),
    })
    expect(await client.createTransfer({ fromUserId: 'u1', amountTzs: 5n, toAddress: '0x1' })).toMatchObject({
      kind: 'unknown',
      sent: 'no',
    })
    await client.readWithdrawal({ id: 'w1' })
    expect(server.seen.map(({ method }) => method)).toEqual(['POST', 'GET'])
    expect(asked).toEqual([0, 1, 1])
  })
})

describe('transmit', () => {
  test('puts exactly the journalled bytes and key on the wire, once', async () => {
    const { client, server, keys } = await against((response) =>
      sendJson(response, { id: 'w1', status: 'burned' }, 201),
    )
    const body = '{ "amountTzs":990000,\n"userId" : "u1","phoneNumber":"255712345678" }'
    const outcome = await client.transmit({ endpoint: 'createWithdrawal', key: 'k-1', body })
    expect(outcome).toMatchObject({ kind: 'answered', value: { id: 'w1', status: 'burned' } })
    expect(server.seen).toMatchObject([
      { method: 'POST', url: '/api/v1/withdrawals', body, authorization: `Bearer ${KEY}` },
    ])
    expect(keys).toEqual(['k-1'])
  })

  test('sends what the call as data holds', async () => {
    const { client, server } = await against((response) =>
      sendJson(response, { id: 't', status: 'completed' }),
    )
    const call = client.calls.createTransfer({
      fromUserId: 'u1',
      amount: 12_345_678n,
      token: 'USDC',
      toAddress: '0x1',
    })
    await client.transmit({ endpoint: 'createTransfer', key: 'k', body: call.body ?? '' })
    expect(call).toMatchObject({
      route: 'POST /transfers',
      method: 'POST',
      path: '/api/v1/transfers',
      isMoney: true,
    })
    expect(server.seen[0]?.body).toBe(
      '{"fromUserId":"u1","token":"USDC","toAddress":"0x1","amount":12.345678}',
    )
  })

  test('refuses a key that fits no header, and sends nothing', async () => {
    const { client, server } = await against((response) => sendJson(response, {}))
    const outcome = await client.transmit({ endpoint: 'swap', key: 'a\r\nx: y', body: '{}' })
    expect(outcome).toMatchObject({ kind: 'refused', code: 'other(not_sent)', retry: 'never' })
    expect(server.seen).toHaveLength(0)
  })
})

describe('a read', () => {
  test('is tried three times, and no more', async () => {
    const { client, server } = await against((response) =>
      sendJson(response, { error: 'relayer_unavailable' }, 503),
    )
    expect(await client.readDeposit({ id: 'd1' })).toMatchObject({ kind: 'refused', retry: 'backoff' })
    expect(server.seen).toHaveLength(3)
  })

  test('is answered by the second try after a reset connection', async () => {
    let tries = 0
    const { client } = await against((response) => {
      if (++tries === 1) response.destroy()
      else sendJson(response, { id: 'd1', status: 'completed', amountTzs: 500 })
    })
    expect(await client.readDeposit({ id: 'd1' })).toMatchObject({
      kind: 'answered',
      value: { amountTzs: 500n },
    })
  })

  test('reports a Retry-After beyond a minute instead of waiting', async () => {
    const { client, server } = await against((response) => {
      response.setHeader('retry-after', '61')
      sendJson(response, { error: 'rate_limited' }, 429)
    })
    expect(await client.readWithdrawal({ id: 'w1' })).toMatchObject({
      retry: 'backoff',
      retryAfterMs: 61_000,
    })
    expect(server.seen).toHaveLength(1)
  })

  test('that waits for its next try ends when the client is closed', async () => {
    const waits = Promise.withResolvers<void>()
    const { client, server } = await against(
      (response) => {
        response.setHeader('retry-after', '4')
        sendJson(response, { error: 'rate_limited' }, 429)
      },
      {},
      () => {
        waits.resolve()
        return 0.01
      },
    )
    const reading = client.readUser({ id: 'u1' })
    await waits.promise
    await client.close()
    expect(await reading).toMatchObject({ kind: 'refused', code: 'rate_limited', retryAfterMs: 4_000 })
    expect(server.seen).toHaveLength(1)
  })

  test('refuses an id that would lead to another path, and sends nothing', async () => {
    const { client, server } = await against((response) => sendJson(response, {}))
    expect(await client.readUser({ id: '../reconcile' })).toMatchObject({
      kind: 'refused',
      words: 'GET /users/:id: id: an id has letters, digits, - and _ only; nothing was sent',
    })
    expect(server.seen).toHaveLength(0)
  })
})

describe('what a client gives out', () => {
  test('never holds the key, a header or the request, whatever the venue echoes', async () => {
    const echo = {
      error: `bad key ${KEY}`,
      message: JSON.stringify({ authorization: `Bearer ${KEY}` }),
      details: { KEY },
    }
    const escaped = KEY.replaceAll('_', String.raw`\u005f`)
    const bodies = [
      JSON.stringify(echo),
      `{"error":"${escaped}"}`,
      `key ${KEY}`,
      `{"id":"${KEY}","status":"x"}`,
    ]
    for (const status of [200, 400, 401, 500]) {
      for (const body of bodies) {
        const { client } = await against((response) => response.writeHead(status).end(body))
        const outcome = await client.createWithdrawal(WITHDRAWAL)
        const shown = `${inspect(outcome, { depth: 9, showHidden: true })} ${inspect(client, { depth: 9 })}`
        expect(shown).not.toContain(KEY)
        expect(JSON.stringify(outcome)).not.toMatch(/255712345678|idempotency/i)
      }
    }
  })

  test('refuses to show the key to another machine over plain http', () => {
    const open = (input: PartnerSettingsInput) => createPartnerClient(input, { apiKey: KEY })
    expect(() => open({ baseUrl: 'http://pay.example' })).toThrow(/allowPlainHttp/)
    expect(open({ baseUrl: 'http://pay.example', allowPlainHttp: true }).settings.prefix).toBe('/api/v1')
  })
})

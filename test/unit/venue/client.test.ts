import type { ServerResponse } from 'node:http'
import { inspect } from 'node:util'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { QuoteSetEvent } from '../../../src/core/engine/model/event.ts'
import { createVenueClient, type VenueClient } from '../../../src/venue/client.ts'
import type { VenueSettingsInput } from '../../../src/venue/settings.ts'
import { holdTimers } from '../../support/held-timer.ts'
import { failureOf, valueOf } from './read-answer.ts'
import { scriptedServer, sendJson, type ScriptedServer } from './scripted-server.ts'

const KEY = 'mm_live_0123456789abcdef'
const SPREAD = { bidBps: 50, askBps: 50, quoteBid: true, quoteAsk: true, quotePairs: null }
const WITHDRAWAL = { asset: 'USDC', amount: 1_500_000n, toAddress: '0xdest' } as const
const HELD_MS = 12_345
/** For a venue that never answers: the deadline passes when the test says so. */
const HELD = { requestTimeoutMs: HELD_MS, slowTimeoutMs: HELD_MS }

let passDeadline = () => {}
beforeEach(() => {
  passDeadline = holdTimers(HELD_MS)
})
async function serve(answer: Parameters<typeof scriptedServer>[0]): Promise<ScriptedServer> {
  const server = await scriptedServer(answer)
  onTestFinished(() => server.close())
  return server
}

function clientOf(baseUrl: string, settings: Partial<VenueSettingsInput> = {}): VenueClient {
  const client = createVenueClient(
    { baseUrl, requestTimeoutMs: 5_000, slowTimeoutMs: 5_000, ...settings },
    { apiKey: KEY, mayPayOut: true },
  )
  onTestFinished(() => client.close())
  return client
}

async function clientAgainst(
  answer: Parameters<typeof scriptedServer>[0],
  settings: Partial<VenueSettingsInput> = {},
): Promise<{ client: VenueClient; server: ScriptedServer }> {
  const server = await serve(answer)
  return { client: clientOf(server.url, settings), server }
}

describe('a method that the venue refuses with 405', () => {
  const picky = (allow: string) => (response: ServerResponse, request: { method?: string }) => {
    if (request.method !== allow) response.writeHead(405, { allow: `GET, ${allow}` }).end()
    else sendJson(response, { isActive: true })
  }

  test('is replaced at once by the allowed one, which is remembered and reported once', async () => {
    const server = await serve(picky('PATCH'))
    const told: string[] = []
    const settings = { baseUrl: server.url, requestTimeoutMs: 5_000, slowTimeoutMs: 5_000 }
    const onMethod = (route: string, method: string) => told.push(`${route} -> ${method}`)
    const client = createVenueClient(settings, { apiKey: KEY }, { onMethod })
    onTestFinished(() => client.close())
    const taken = { type: 'activation', isActive: true, method: 'PATCH' }
    expect(valueOf(await client.activate(true))).toMatchObject(taken)
    expect(valueOf(await client.activate(true))).toMatchObject(taken)
    expect(server.seen.map(({ method }) => method)).toEqual(['POST', 'PATCH', 'PATCH'])
    expect(told).toEqual(['POST /activate -> PATCH'])
  })

  test.each([
    ['OPTIONS names it', 204, { allow: 'OPTIONS, PATCH' }, 'PATCH'],
    ['nothing names one', 404, {}, 'PATCH'],
    ['OPTIONS names no other write', 204, { allow: 'GET, OPTIONS, POST' }, null],
  ])('is exchanged by asking OPTIONS where the 405 names none: %s', async (_, status, headers, taken) => {
    const { client, server } = await clientAgainst((response, { method }) => {
      if (method === 'OPTIONS') response.writeHead(status, headers).end()
      else if (method === 'PATCH') sendJson(response, { isActive: false })
      else response.writeHead(405).end()
    })
    expect((await client.activate(false)).ok).toBe(taken !== null)
    await client.activate(false)
    const sent = server.seen.map(({ method }) => method)
    expect(client.takeAlsoSent()).toHaveLength(2)
    expect(sent).toEqual(
      taken === null ? ['POST', 'OPTIONS', 'POST', 'OPTIONS'] : ['POST', 'OPTIONS', taken, taken],
    )
  })

  test('costs two more requests of the budget, which the event of any effect states', async () => {
    const { client } = await clientAgainst((response, { method }) => {
      if (method === 'OPTIONS') response.writeHead(204, { allow: 'PUT' }).end()
      else if (method === 'PUT') sendJson(response, SPREAD)
      else response.writeHead(405).end()
    })
    const setQuote = { type: 'setQuote', id: 1, spread: SPREAD } as const
    const before = Date.now()
    const event = await client.perform(setQuote, Date.now)
    const { alsoSentAt = [] } = event as QuoteSetEvent
    expect(event.type).toBe('quoteSet')
    expect(alsoSentAt).toHaveLength(2)
    expect(Math.min(...alsoSentAt)).toBeGreaterThanOrEqual(before)
    expect(await client.perform(setQuote, Date.now)).not.toHaveProperty('alsoSentAt')
  })

  test('is sent at once by the method that an earlier process found', async () => {
    const { client, server } = await clientAgainst(picky('PATCH'))
    client.useLearned?.({ 'activate-method': { value: 'PATCH', at: 0, evidence: 'test' } })
    valueOf(await client.activate(false))
    expect(server.seen.map(({ method }) => method)).toEqual(['PATCH'])
    expect(client.takeAlsoSent()).toEqual([])
  })

  test('is not remembered where the venue knows neither method', async () => {
    const { client, server } = await clientAgainst((response, { method }) => {
      response.writeHead(method === 'PATCH' ? 404 : 405).end()
    })
    expect(failureOf(await client.activate(true))).toMatchObject({ route: 'PATCH /activate', status: 404 })
    await client.activate(true)
    const once = ['POST', 'OPTIONS', 'PATCH']
    expect(server.seen.map(({ method }) => method)).toEqual([...once, ...once])
  })

  test('is sent twice at most, whatever the answers name', async () => {
    const { client, server } = await clientAgainst((response, { method }) => {
      response.writeHead(405, { allow: method === 'POST' ? 'PATCH' : 'POST' }).end()
    })
    expect(failureOf(await client.activate(true))).toMatchObject({ kind: 'refused', status: 405 })
    expect(server.seen).toHaveLength(2)
  })

  test('is never exchanged for a withdrawal, which must not happen twice, nor for a read', async () => {
    const { client, server } = await clientAgainst((response) => {
      response.writeHead(405, { allow: 'PUT, PATCH, POST' }).end()
    })
    expect(failureOf(await client.withdraw(WITHDRAWAL))).toMatchObject({ status: 405, outcome: 'failed' })
    expect(failureOf(await client.account())).toMatchObject({ status: 405 })
    expect(server.seen.map(({ method }) => method)).toEqual(['POST', 'GET'])
  })
})

describe('a request', () => {
  test('goes to the prefix with the key, and a write carries its body', async () => {
    const { client, server } = await clientAgainst((response) => sendJson(response, SPREAD))
    valueOf(await client.spread(SPREAD))
    expect(server.seen).toEqual([
      {
        method: 'PATCH',
        url: '/api/v1/mm/spread',
        authorization: `Bearer ${KEY}`,
        body: JSON.stringify(SPREAD),
      },
    ])
  })

  test('asks a lease with the quote that a write would set, without a quote for other writes, and not for reads', async () => {
    const server = await serve((response) => sendJson(response, { ...SPREAD, isActive: true }))
    const asked: unknown[] = []
    const mayStart = (sets?: object) => asked.push(sets ?? 'another write') > 0
    const gate = { mayStart, spreadTimeoutMs: () => 10_000 * asked.push('timeout') }
    const client = createVenueClient({ baseUrl: server.url }, { apiKey: KEY }, { gate })
    onTestFinished(() => client.close())
    valueOf(await client.spread(SPREAD))
    valueOf(await client.activate(true))
    valueOf(await client.account())
    expect(asked).toEqual(['timeout', SPREAD, 'another write'])
  })

  test('keeps the path of the base URL and takes another prefix', async () => {
    const server = await serve((response) => sendJson(response, { isActive: true }))
    valueOf(await clientOf(`${server.url}/gateway/`, { prefix: '/mm/v2/' }).account())
    expect(server.seen[0]?.url).toBe('/gateway/mm/v2/account')
  })

  test('to the public endpoint carries no key, on the same origin or another', async () => {
    const rate = { midRate: 2600, spreadBps: 50 }
    const { client, server } = await clientAgainst((response) => sendJson(response, rate), {
      publicUrl: null,
    })
    const other = await serve((response) => sendJson(response, rate))
    valueOf(
      await clientOf(server.url, { publicUrl: server.url }).swapRate({ side: 'ask', probe: 1_000_000n }),
    )
    valueOf(await clientOf(server.url, { publicUrl: other.url }).swapRate({ side: 'ask', probe: 1_000_000n }))
    const url = '/api/v1/swap/rate?from=USDC&to=TZS_TOKEN&amount=1'
    expect([...server.seen, ...other.seen]).toMatchObject([
      { url, authorization: undefined },
      { url, authorization: undefined },
    ])
    expect(failureOf(await client.swapRate({ side: 'ask', probe: 1n }))).toMatchObject({
      code: 'PUBLIC_URL_OFF',
      status: null,
      retriable: false,
    })
  })

  test('is reported to onRequest with its route and outcome', async () => {
    const server = await serve((response) => sendJson(response, { code: 'RATE_LIMIT' }, 429))
    const told: unknown[][] = []
    const client = createVenueClient(
      { baseUrl: server.url },
      { apiKey: KEY },
      { onRequest: (...words) => told.push(words) },
    )
    onTestFinished(() => client.close())
    await client.fills()
    expect(told).toEqual([['GET /fills', 'rate-limit', expect.any(Number)]])
  })

  test('is not held up by a slow write', async () => {
    let finish: () => void = () => {}
    const { client } = await clientAgainst((response, request) => {
      if (request.method === 'GET') sendJson(response, { isActive: false })
      else finish = () => sendJson(response, { isActive: true })
    })
    const activation = client.activate(true)
    valueOf(await client.account())
    finish()
    expect(valueOf(await activation).isActive).toBe(true)
  })
})

const BAD: [string, (response: ServerResponse) => void, object, Partial<VenueSettingsInput>?][] = [
  [
    'an HTML page',
    (response) => response.end('<html><h1>hello</h1></html>'),
    { kind: 'malformed', code: 'NOT_JSON', status: 200 },
  ],
  ['a 204', (response) => response.writeHead(204).end(), { code: 'NOT_JSON', status: 204 }],
  ['JSON that is cut', (response) => response.end('{"isActive": tru'), { code: 'NOT_JSON', status: 200 }],
  ['JSON without its fields', (response) => response.end('{}'), { code: 'MALFORMED', status: 200 }],
  [
    'half of what it announced',
    (response) => {
      response.writeHead(200, { 'content-length': 1_000 })
      response.write('{"isActive":', () => response.destroy())
    },
    { kind: 'network', status: 200 },
  ],
  ['a cut connection', (response) => response.destroy(), { kind: 'network', status: null }],
  ['silence', () => passDeadline(), { kind: 'timeout', status: null }, HELD],
  [
    'a head and then silence',
    (response) => {
      response.writeHead(200)
      response.write('{"isActive"', () => passDeadline())
    },
    { kind: 'timeout' },
    HELD,
  ],
  [
    'a body beyond the cap',
    (response) => {
      response.end(JSON.stringify({ isActive: true, more: 'x'.repeat(2_097_152) }))
    },
    { kind: 'malformed', code: 'NOT_JSON', status: 200 },
  ],
  [
    'bytes that are no text',
    (response) => response.end(Buffer.from([0xff, 0xfe, 0x00])),
    { kind: 'malformed' },
  ],
  ['a 502 page', (response) => response.writeHead(502).end('<html></html>'), { kind: 'server', status: 502 }],
]

describe('an invalid answer', () => {
  test.each(BAD)('%s is a value with route and status', async (_, answer, expected, limits) => {
    const { client, server } = await clientAgainst(answer, limits)
    expect(failureOf(await client.account())).toMatchObject({
      route: 'GET /account',
      outcome: 'failed',
      ...expected,
    })
    expect(server.seen).toHaveLength(1)
  })
  test.each(BAD)(
    '%s leaves a withdrawal unknown, and it is sent once',
    async (_, answer, expected, limits) => {
      const { client, server } = await clientAgainst(answer, limits)
      expect(failureOf(await client.withdraw(WITHDRAWAL))).toMatchObject({
        ...expected,
        outcome: 'unknown',
        retriable: false,
      })
      expect(server.seen.map(({ body }) => body)).toEqual([
        '{"token":"usdc","chain":"base","toAddress":"0xdest","amount":"1.5"}',
      ])
    },
  )

  test('a refused connection means that a write was certainly not done', async () => {
    const server = await scriptedServer(() => {})
    await server.close()
    expect(failureOf(await clientOf(server.url).withdraw(WITHDRAWAL))).toMatchObject({
      kind: 'network',
      outcome: 'failed',
      status: null,
      message: expect.stringMatching(/^POST \/withdraw: .*ECONNREFUSED/),
    })
  })

  test('a write that found no connection before its deadline was certainly not done', async () => {
    const passReads = holdTimers(54_321)
    const { promise: allHeld, resolve } = Promise.withResolvers<void>()
    let count = 0
    const { client, server } = await clientAgainst(
      () => {
        if ((count += 1) === 20) resolve()
      },
      { ...HELD, requestTimeoutMs: 54_321 },
    )
    const held = Array.from({ length: 20 }, () => client.account())
    await allHeld
    const withdrawal = client.withdraw(WITHDRAWAL)
    // It begins in a microtask.
    await new Promise((resolve) => void setImmediate(resolve))
    passDeadline()
    expect(failureOf(await withdrawal)).toMatchObject({ kind: 'timeout', outcome: 'failed' })
    passReads()
    await Promise.all(held)
    expect(server.seen.map(({ method }) => method)).not.toContain('POST')
  })

  test('a no whose body broke off is still a no', async () => {
    const { client } = await clientAgainst((response) => {
      response.writeHead(400, { 'content-length': 1_000 })
      response.write('{"code":', () => response.destroy())
    })
    expect(failureOf(await client.withdraw(WITHDRAWAL))).toMatchObject({
      kind: 'refused',
      outcome: 'failed',
      status: 400,
    })
  })

  test('closing the client ends requests in flight with a value', async () => {
    const { promise: arrived, resolve } = Promise.withResolvers<void>()
    const { client } = await clientAgainst(() => resolve())
    const pending = client.withdraw(WITHDRAWAL)
    await arrived
    await client.close()
    expect(failureOf(await pending)).toMatchObject({ kind: 'network', outcome: 'unknown' })
    expect(failureOf(await client.withdraw(WITHDRAWAL)).outcome).toBe('failed')
  })
})

describe('the key is nowhere to be found', () => {
  const everything = (thing: unknown) =>
    [
      inspect(thing, { depth: null, showHidden: true, getters: true }),
      JSON.stringify(thing, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value)),
      String(thing),
    ].join('\n')

  test('in the client, also while a request is under way', async () => {
    const { client } = await clientAgainst(() => passDeadline(), HELD)
    const pending = client.account()
    expect(everything(client)).not.toContain(KEY)
    expect(everything(await pending)).not.toContain(KEY)
  })

  const escaped = Array.from(KEY, (letter) => `\\u00${letter.charCodeAt(0).toString(16)}`).join('')
  test.each([
    ['in an error', 401, JSON.stringify({ error: `the key ${KEY} is not good` })],
    ['as the code', 400, JSON.stringify({ code: KEY, error: KEY })],
    ['in a page', 500, `<html>${KEY}</html>`],
    ['in text', 400, `Bearer ${KEY}`],
    ['written with escapes', 400, `{"error":"${escaped}"}`],
    ['in an account', 200, JSON.stringify({ isActive: true, walletAddress: KEY })],
    ['in a field that is wrong', 200, JSON.stringify({ isActive: KEY })],
    ['in a fill', 200, JSON.stringify({ fills: [{ id: KEY, note: KEY }] })],
    ['in a fill with escapes', 200, `{"fills":[{"id":"${escaped}"}]}`],
  ])('in any answer when the venue echoes it %s', async (_where, status, text) => {
    const { client } = await clientAgainst((response) => response.writeHead(status).end(text))
    const answers = await Promise.all([
      client.account(),
      client.fills(),
      client.spread(SPREAD),
      client.withdraw(WITHDRAWAL),
    ])
    expect(everything(answers)).not.toContain(KEY)
  })

  test('in a failure because the key itself cannot be sent', async () => {
    const server = await serve((response) => sendJson(response, {}))
    const apiKey = 'mm_live_with\na line break'
    const client = createVenueClient({ baseUrl: server.url }, { apiKey })
    onTestFinished(() => client.close())
    const result = await client.account()
    expect(failureOf(result)).toMatchObject({ kind: 'network', outcome: 'failed' })
    expect(everything(result)).not.toContain('line break')
    expect(server.seen).toEqual([])
  })

  test('in the URL of any request', async () => {
    const { client, server } = await clientAgainst((response) => sendJson(response, {}))
    await client.account()
    expect(server.seen[0]?.url).not.toContain(KEY)
  })
})

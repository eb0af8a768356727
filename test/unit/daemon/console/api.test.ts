import { describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import type { FillAnswerRow, HistoryAnswer } from '../../../../src/daemon/console/answers.ts'
import type {
  OperatorAnswer,
  FillsQuery,
  DaysQuery,
  HistoryQuery,
  NoticesQuery,
  PastPort,
} from '../../../../src/daemon/console/position-port.ts'
import { expectGolden } from '../../../support/expect-golden.ts'
import { type Asked, consoleOf, position, WITH_TOKEN, deskOf } from './console-fixture.ts'

const XSS = '"><img src=x onerror=alert(1)></script>\u2028'

const fill: FillAnswerRow = {
  id: XSS,
  at: 1,
  side: 'bid',
  amountIn: '1',
  inAsset: 'USDC',
  amountOut: '2',
  outAsset: 'NTZS',
  usd: 1,
  edgeBps: null,
  markoutBps: { m5: 1.5, h1: null, d1: null },
  formula: 'ask',
  txHash: null,
}

function emptyHistory({ from, to }: HistoryQuery): HistoryAnswer {
  const column = [null]
  return {
    from,
    to,
    stepMs: to - from,
    t: [to],
    mid: column,
    fairValue: column,
    bidBps: column,
    askBps: column,
    bestBidBps: column,
    bestAskBps: column,
    ntzs: column,
    usd: column,
    usdShare: column,
    pnl: {
      spreadCapture: column,
      staleMid: column,
      inventory: column,
      costs: column,
      unreconciled: column,
      totalUsd: column,
    },
    fills: { bid: [0], ask: [1] },
    marks: [{ t: to, kind: 'halt', text: XSS }],
  }
}

/** A past that answers, and what it was asked. */
type Described = {
  readonly paths: Record<
    string,
    Record<
      string,
      {
        readonly responses: Record<string, { readonly content?: object }>
        readonly parameters?: readonly { readonly name: string }[]
        readonly security?: readonly object[]
        readonly requestBody?: {
          readonly required: boolean
          readonly content: Record<
            string,
            { readonly schema: { readonly properties?: object; readonly additionalProperties?: unknown } }
          >
        }
      }
    >
  >
}

function past() {
  const asked: { history: HistoryQuery[]; days: DaysQuery[]; fills: FillsQuery[]; notices: NoticesQuery[] } =
    {
      history: [],
      days: [],
      fills: [],
      notices: [],
    }
  const port: PastPort = {
    async history(query) {
      asked.history.push(query)
      return { ok: true, value: emptyHistory(query) }
    },
    async days(query) {
      asked.days.push(query)
      return { ok: true, value: { days: [], pairs: [] } }
    },
    async fills(query) {
      asked.fills.push(query)
      return { ok: true, value: { fills: [fill], next: '7.0' } }
    },
    async notices(query) {
      asked.notices.push(query)
      const notice = { id: '7.1', t: 1, kind: 'alert', severity: 'critical', text: XSS } as const
      return { ok: true, value: { notices: [notice], next: null } }
    },
  }
  return { asked, port }
}

describe('the document of the API', () => {
  /** The schema that the document has for an answer. */
  const schemaOf = (document: Record<string, unknown>, path: string, method: string, status: number) => {
    const paths = document['paths'] as Record<string, Record<string, Record<string, unknown>>>
    const responses = paths[path]?.[method]?.['responses'] as Record<string, Record<string, unknown>>
    const content = (responses[String(status)] ?? responses['default'])?.['content'] as Record<
      string,
      { schema: Parameters<typeof z.fromJSONSchema>[0] }
    >
    const schema = content['application/json']?.schema
    if (schema === undefined) throw new Error(`${method} ${path} ${status} is not described`)
    return z.fromJSONSchema(schema)
  }

  test('is OpenAPI 3.1 and has every path that the server has', async () => {
    const { ask } = await consoleOf()
    const document = (await ask('/api/docs/openapi.json')).json()
    expect(document).toMatchObject({ openapi: '3.1.0', info: { title: 'mizani', version: '0.1.0' } })
    const paths = document['paths'] as Record<string, Record<string, { summary?: string }>>
    const lines = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { summary }]) => `${method} ${path}: ${summary}`),
    )
    await expectGolden('api-paths', lines.toSorted().join('\n'))
  })

  test.each([
    ['/healthz', 'get', 200, undefined],
    ['/readyz', 'get', 200, undefined],
    ['/api/v1/state', 'get', 200, undefined],
    ['/api/v1/history', 'get', 200, undefined],
    ['/api/v1/fills', 'get', 200, undefined],
    ['/api/v1/notices', 'get', 200, undefined],
    ['/api/v1/parameters', 'get', 200, undefined],
    ['/api/v1/preview', 'post', 200, { changes: { 'strategy.params.bidBps': 50 } }],
    ['/api/v1/pause', 'post', 200, { who: 'ann', why: 'lunch' }],
    ['/api/v1/reload', 'post', 200, { changes: { 'strategy.params.bidBps': 50 } }],
    ['/api/v1/withdraw', 'post', 400, { asset: 'USDC' }],
    ['/api/v1/fills', 'get', 400, undefined],
  ])('describes what %s %s answers with %i', async (path, method, status, body) => {
    const { ask } = await deskOf({ past: past().port })
    const document = (await ask('/api/docs/openapi.json')).json()
    const asked = status === 400 && method === 'get' ? `${path}?limit=0` : path
    const told = await ask(asked, { method: method.toUpperCase(), headers: WITH_TOKEN, body })
    expect(told.status).toBe(status)
    expect(schemaOf(document, path, method, status).safeParse(told.json()).error).toBeUndefined()
  })

  test('serves the runbook without a token, with an anchor for the code of an alert', async () => {
    const { ask } = await consoleOf()
    const { status, text } = await ask('/runbook')
    expect([status, text]).toEqual([200, expect.stringContaining('<h3 id="quote-stuck">')])
  })

  test('says of every path in which type it answers, and that what is wrong is reported in JSON', async () => {
    const { ask } = await consoleOf()
    const { paths } = (await ask('/api/docs/openapi.json')).json() as unknown as Described
    for (const [path, methods] of Object.entries(paths)) {
      for (const { responses } of Object.values(methods))
        expect([path, Object.keys(responses['default']?.content ?? {})]).toEqual([path, ['application/json']])
    }
    const texts: readonly (readonly [string, string])[] = [
      ['/', 'text/plain'],
      ['/metrics', 'text/plain'],
    ]
    for (const [path, type] of texts) {
      const told = await ask(path)
      expect([path, told.status, told.headers['content-type']]).toEqual([
        path,
        200,
        expect.stringContaining(type),
      ])
      expect(Object.keys(paths[path]?.['get']?.responses['200']?.content ?? {})).toContain(type)
    }
    expect(paths['/api/v1/resume']?.['post']?.parameters?.map(({ name }) => name)).toEqual([
      'idempotency-key',
    ])
  })

  test('states of every route which token, body, type and fields the server accepts', async () => {
    const { ask } = await consoleOf()
    const document = (await ask('/api/docs/openapi.json')).json() as unknown as Described
    const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        path,
        method: method.toUpperCase(),
        operation,
      })),
    )
    const json = operations.map(({ operation }) => operation.requestBody?.content['application/json']?.schema)
    const fields = new Set(json.flatMap((schema) => Object.keys(schema?.properties ?? {})))
    for (const { path, method, operation } of operations) {
      if (path.endsWith('/stream')) continue
      const { requestBody, security = [{}] } = operation
      const send = (more: Asked) => ask(path, { method, headers: WITH_TOKEN, ...more })
      const needsToken = !security.some((one) => Object.keys(one).length === 0)
      const stranger = await ask(path, { method })
      expect([method, path, stranger.status === 401]).toEqual([method, path, needsToken])
      if (requestBody === undefined) continue
      const { required, content } = requestBody
      const isRefused = (await send({})).json()['error'] === 'bad-request'
      expect([method, path, isRefused]).toEqual([method, path, required])
      for (const type of ['application/x-www-form-urlencoded', 'text/plain']) {
        const told = await send({ headers: { ...WITH_TOKEN, 'content-type': type }, body: 'who=ann' })
        const isForm = Object.keys(content).length > 1
        expect([method, path, type, told.status === 415]).toEqual([method, path, type, !isForm])
      }
      const { properties = {}, additionalProperties } = content['application/json']?.schema ?? {}
      const isOpen = additionalProperties !== false
      for (const sent of [[...fields].filter((name) => name !== 'reason'), ['reason']]) {
        const { message } = (await send({ body: Object.fromEntries(sent.map((name) => [name, {}])) })).json()
        const [, unknown = ''] = /Unrecognized keys?: ([^;]*)/.exec(String(message)) ?? []
        const undescribed = isOpen ? [] : sent.filter((name) => !(name in properties))
        // The server renames `reason` to `why` before it validates, so only the number is compared.
        const refused = unknown.split(', ').filter(Boolean)
        expect([method, path, refused.length]).toEqual([method, path, undescribed.length])
      }
    }
    const stopFields = (name: string) =>
      Object.keys(
        document.paths[`/api/v1/${name}`]?.['post']?.requestBody?.content['application/json']?.schema
          .properties ?? {},
      )
    const common = ['position', 'who', 'why', 'reason']
    expect(stopFields('halt')).toEqual(common)
    expect(stopFields('treasury/stop')).toEqual(common)
    expect(stopFields('deactivate')).toEqual([...common, 'wallet', 'now'])
  })

  test('describes the state of several positions, one of which is silent', async () => {
    const silent = position('b', { view: () => new Promise(() => {}) }).port
    const { ask } = await consoleOf({ positions: [position('a').port, silent] })
    const document = (await ask('/api/docs/openapi.json')).json()
    const told = await ask('/api/v1/state')
    expect(schemaOf(document, '/api/v1/state', 'get', 200).safeParse(told.json()).error).toBeUndefined()
  })

  test('would not describe a view that lacks what the document has', async () => {
    const { ask } = await consoleOf()
    const document = (await ask('/api/docs/openapi.json')).json()
    const view = (await ask('/api/v1/state')).json()
    const schema = schemaOf(document, '/api/v1/state', 'get', 200)
    const { mid: _mid, ...without } = view
    expect(schema.safeParse(without).success).toBe(false)
    expect(schema.safeParse({ ...view, mid: 2600.5 }).success).toBe(false)
  })
})

describe('the past', () => {
  test('is asked with what was asked for, and with a day and 500 points where nothing was reported', async () => {
    const { asked, port } = past()
    const { ask } = await deskOf({ past: port })
    const before = Date.now()
    await ask('/api/v1/history')
    await ask('/api/v1/history?from=1000&to=2000&points=10&position=desk-1')
    expect(asked.history[0]?.to).toBeGreaterThanOrEqual(before)
    expect((asked.history[0]?.to ?? 0) - (asked.history[0]?.from ?? 0)).toBe(86_400_000)
    expect(asked.history[0]?.points).toBe(500)
    expect(asked.history[1]).toEqual({ from: 1_000, to: 2_000, points: 10 })
    await ask('/api/v1/fills?after=12.3&limit=5')
    await ask('/api/v1/fills?side=bid&asset=USDT.bnb')
    expect(asked.fills).toEqual([
      { after: '12.3', limit: 5 },
      { after: null, limit: 100, side: 'bid', asset: 'USDT.bnb' },
    ])
    await ask('/api/v1/days?days=7')
    await ask('/api/v1/days')
    expect(asked.days).toEqual([{ days: 7 }, { days: 42 }])
    await ask('/api/v1/notices?kind=alert,operator&severity=warning,critical&text=Mid%20age')
    await ask('/api/v1/notices')
    expect(asked.notices).toEqual([
      {
        after: null,
        limit: 100,
        kinds: ['alert', 'operator'],
        severities: ['warning', 'critical'],
        text: 'Mid age',
      },
      { after: null, limit: 100, kinds: [], severities: [], text: null },
    ])
  })

  test.each([
    'history?from=2000&to=1000',
    'history?from=1000&to=1000',
    'history?points=1',
    'history?points=100000',
    'history?from=-1',
    'history?from=yesterday',
    'history?from=1&from=2',
    'history?to=1e300',
    'fills?limit=0',
    'fills?limit=501',
    'fills?after=1',
    'fills?after=1.2.3',
    "fills?after=1.0'%20OR%201=1--",
    'fills?page=2',
    'notices?severity=grave',
    `notices?text=${'x'.repeat(201)}`,
    'notices?limit=NaN',
    'days?days=0',
    'days?days=1000000',
    'fills?side=both',
    'fills?asset=%25',
  ])('%s is refused in a sentence and reads nothing', async (path) => {
    const { asked, port } = past()
    const { ask } = await deskOf({ past: port })
    const told = await ask(`/api/v1/${path}`)
    expect(told.status).toBe(400)
    expect(told.json()['error']).toBe('bad-request')
    expect(told.json()['message']).toMatch(
      /^(from|to|points|limit|after|severity|text|days|side|asset|Unrecognized key)/,
    )
    expect(asked).toEqual({ history: [], days: [], fills: [], notices: [] })
  })

  test.each(['busy', 'slow', 'unreadable'] as const)('that is %s is 503 with its sentence', async (kind) => {
    const history = async () => ({ ok: false, error: { kind, message: 'because' } }) as const
    const { ask } = await deskOf({ past: { ...past().port, history } })
    const told = await ask('/api/v1/history')
    expect([told.status, told.json()]).toEqual([503, { error: kind, message: 'because' }])
  })

  test('texts from outside come as JSON and as nothing else', async () => {
    const port = position('a', { past: past().port }, { reasons: [XSS] }).port
    const { ask } = await consoleOf({ positions: [port] })
    for (const path of ['fills', 'notices', 'history', 'state', XSS]) {
      const told = await ask(`/api/v1/${encodeURIComponent(path)}`)
      expect(told.headers['content-type']).toBe('application/json; charset=utf-8')
      expect(told.headers['x-content-type-options']).toBe('nosniff')
    }
    const fills = (await ask('/api/v1/fills')).json() as { fills: FillAnswerRow[] }
    expect(fills.fills[0]?.id).toBe(XSS)
  })
})

describe('parameters', () => {
  test('are shown to readers; a preview wants the token and passes the changes on', async () => {
    const preview = vi.fn(position('a').port.preview)
    const { ask } = await deskOf({ preview })
    expect((await ask('/api/v1/parameters')).json()).toMatchObject({
      use: 'fixed-spread',
      changed: [{ now: 40 }],
    })
    const body = { changes: { 'strategy.params.bidBps': 70 } }
    expect((await ask('/api/v1/preview', { method: 'POST', body })).status).toBe(401)
    expect(preview).not.toHaveBeenCalled()
    const told = await ask('/api/v1/preview', { method: 'POST', body, headers: WITH_TOKEN })
    expect(told.json()).toMatchObject({ ok: true, before: { bidBps: 40 } })
    expect(preview).toHaveBeenCalledWith(body.changes)
  })

  test('a preview while another one runs is 429, to be sent again in a second', async () => {
    const { ask } = await consoleOf({ positions: [position('a', { preview: async () => 'busy' }).port] })
    const told = await ask('/api/v1/preview', { method: 'POST', headers: WITH_TOKEN })
    expect([told.status, told.headers['retry-after'], told.json()['error']]).toEqual([429, '1', 'too-many'])
  })

  test('a silent position is 503 for both', async () => {
    const silent = { parameters: async () => null, preview: async () => null }
    const { ask } = await deskOf(silent)
    expect((await ask('/api/v1/parameters')).status).toBe(503)
    expect((await ask('/api/v1/preview', { method: 'POST', headers: WITH_TOKEN })).status).toBe(503)
  })

  test('a reload passes on the settings and the name of the token that sends it', async () => {
    const { ask, given } = await deskOf()
    const post = (body: unknown) => ask('/api/v1/reload', { method: 'POST', headers: WITH_TOKEN, body })
    const changes = { 'strategy.params.maxSkewBps': 70 }
    await post({ changes, who: 'ann', why: 'calmer' })
    await post({ fromFile: true })
    await post({})
    expect((await post({ changes: ['x'] })).status).toBe(400)
    expect((await post({ changes: { '': 1 } })).status).toBe(400)
    expect(given.map(({ command }) => command)).toEqual([
      { name: 'reload', by: 'operator', changes, fromFile: false },
      { name: 'reload', by: 'operator', changes: {}, fromFile: true },
      { name: 'reload', by: 'operator', changes: {}, fromFile: false },
    ])
    expect(given[0]).toMatchObject({ who: 'operator (ann)', why: 'calmer' })
  })
})

describe('a command sent again with its key', () => {
  const sent = (key: string, body: unknown = {}) => ({
    method: 'POST',
    headers: { ...WITH_TOKEN, 'idempotency-key': key },
    body,
  })

  test('is done once and answered twice, also while the first is still under way', async () => {
    const answer = Promise.withResolvers<OperatorAnswer>()
    const asked = Promise.withResolvers<void>()
    const command = vi.fn(() => {
      asked.resolve()
      return answer.promise
    })
    const { ask } = await deskOf({ command })
    const both = [ask('/api/v1/ack', sent('k-1')), ask('/api/v1/ack', sent('k-1'))]
    await asked.promise
    answer.resolve({ accepted: false, answer: 'no', exitCode: 3 })
    const told = await Promise.all(both)
    expect(command).toHaveBeenCalledTimes(1)
    expect(told.map(({ status }) => status)).toEqual([409, 409])
    expect(told[1]?.json()).toEqual(told[0]?.json())
    const third = await ask('/api/v1/ack', sent('k-1'))
    expect([third.status, third.headers['idempotency-replayed']]).toEqual([409, 'true'])
    expect(command).toHaveBeenCalledTimes(1)
    await ask('/api/v1/ack', sent('k-2'))
    expect(command).toHaveBeenCalledTimes(2)
  })

  test('is refused where the key belongs to another request, and a bad key is ignored', async () => {
    const { ask, given } = await deskOf()
    await ask('/api/v1/reload', sent('k-1', { why: 'a' }))
    expect((await ask('/api/v1/reload', sent('k-1', { why: 'b' }))).json()['error']).toBe('key-used')
    expect((await ask('/api/v1/ack', sent('k-1', { why: 'a' }))).status).toBe(422)
    expect((await ask('/api/v1/ack', sent('k 1'))).status).toBe(400)
    expect((await ask('/api/v1/ack', sent('k'.repeat(201)))).status).toBe(400)
    expect(given).toHaveLength(1)
  })

  test('is done after all where the first was refused before anybody was asked', async () => {
    const { ask, given } = await deskOf()
    const wrong = { asset: 'USDC', amount: '0', toAddress: `0x${'1'.repeat(40)}` }
    expect((await ask('/api/v1/withdraw', sent('k-1', wrong))).status).toBe(400)
    expect((await ask('/api/v1/withdraw', sent('k-1', { ...wrong, amount: '1' }))).status).toBe(200)
    expect(given).toHaveLength(1)
  })

  test('is answered again for ten minutes and no longer', async () => {
    const clock = vi.spyOn(performance, 'now')
    const began = performance.now()
    try {
      const { ask, given } = await deskOf()
      await ask('/api/v1/reload', sent('k-1'))
      clock.mockReturnValue(began + 9 * 60_000)
      await ask('/api/v1/reload', sent('k-1'))
      expect(given).toHaveLength(1)
      clock.mockReturnValue(began + 11 * 60_000)
      await ask('/api/v1/reload', sent('k-1'))
      expect(given).toHaveLength(2)
    } finally {
      clock.mockRestore()
    }
  })

  test('wants the token each time: a key is no password', async () => {
    const { ask } = await consoleOf()
    await ask('/api/v1/reload', sent('k-1'))
    const told = await ask('/api/v1/reload', { ...sent('k-1'), headers: { 'idempotency-key': 'k-1' } })
    expect(told.status).toBe(401)
  })
})

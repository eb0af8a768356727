import { request } from 'node:http'
import { connect } from 'node:net'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sharedOperator } from '../../../../../src/daemon/console/auth/credentials.ts'
import type { OperatorAnswer, PositionPort } from '../../../../../src/daemon/console/position-port.ts'
import { consoleOf, position, WITH_TOKEN, type Given, type Told, deskOf } from '../console-fixture.ts'

const HALT = { name: 'halt' }
const JSON_TYPE = { 'content-type': 'application/json' }
const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' }
const LONG = 'x'.repeat(600)

type Shape = {
  readonly body?: string | Buffer
  readonly headers?: Record<string, string>
  readonly path?: string
  readonly method?: string
  /** The positions that it stops; absent = both. */
  readonly stops?: readonly string[]
  readonly why?: unknown
}

/** Every form in which people and programs were seen to send a halt, and more. */
const SHAPES: Readonly<Record<string, Shape>> = {
  'no body': {},
  'no body, as JSON': { headers: JSON_TYPE },
  'an empty object': { body: '{}', headers: JSON_TYPE },
  'JSON null': { body: 'null', headers: JSON_TYPE },
  'white space': { body: ' \n ', headers: JSON_TYPE },
  why: { body: '{"why":"theft"}', headers: JSON_TYPE, why: 'theft' },
  reason: { body: '{"reason":"theft"}', headers: JSON_TYPE, why: 'theft' },
  'why and reason': { body: '{"why":"a","reason":"b"}', headers: JSON_TYPE, why: 'a' },
  'an empty why': { body: '{"why":""}', headers: JSON_TYPE, why: 'no reason given' },
  'an empty why beside a reason': { body: '{"why":"","reason":"b"}', headers: JSON_TYPE, why: 'b' },
  'why null': { body: '{"why":null}', headers: JSON_TYPE, why: 'no reason given' },
  'why a number': { body: '{"why":7}', headers: JSON_TYPE, why: '7' },
  'why an object': { body: '{"why":{"a":1}}', headers: JSON_TYPE, why: '{"a":1}' },
  'why too long': { body: JSON.stringify({ why: LONG }), headers: JSON_TYPE, why: `${'x'.repeat(499)}…` },
  'who null': { body: '{"who":null,"why":"a"}', headers: JSON_TYPE, why: 'a' },
  'an unknown field': { body: '{"wy":"theft"}', headers: JSON_TYPE, why: expect.stringContaining('"wy"') },
  'text/plain': {
    body: 'stop!',
    headers: { 'content-type': 'text/plain' },
    why: expect.stringContaining('stop!'),
  },
  'a sentence with an equals sign': {
    body: 'a=b it is',
    headers: FORM_TYPE,
    why: expect.stringContaining('a=b'),
  },
  'JSON as text/plain': { body: '{"why":"theft"}', headers: { 'content-type': 'text/plain' }, why: 'theft' },
  'JSON without a type': { body: '{"why":"theft"}', why: 'theft' },
  'a form': { body: 'why=a+theft&who=ann', headers: FORM_TYPE, why: 'a theft' },
  'a form of one position': {
    body: 'position=desk-2&reason=x',
    headers: FORM_TYPE,
    why: 'x',
    stops: ['desk-2'],
  },
  'a form as curl -d sends it, of JSON': { body: '{"why":"theft"}', headers: FORM_TYPE, why: 'theft' },
  'many parts': { body: '--x\r\n\r\n--x--', headers: { 'content-type': 'multipart/form-data; boundary=x' } },
  'a BOM': { body: '\uFEFF{"why":"theft"}', headers: JSON_TYPE, why: 'theft' },
  'single quotes': {
    body: "{'why':'theft'}",
    headers: JSON_TYPE,
    why: expect.stringContaining('not be read'),
  },
  'broken JSON': { body: '{"why": ', headers: JSON_TYPE },
  'UTF-16': { body: Buffer.from('{"why":"x"}', 'utf16le'), headers: JSON_TYPE },
  'a list': { body: '[]', headers: JSON_TYPE },
  'a number': { body: '1', headers: JSON_TYPE },
  'JSON within JSON': { body: '"{}"', headers: JSON_TYPE },
  'a prototype': { body: '{"__proto__":{"position":"desk-2"}}', headers: JSON_TYPE },
  'a malformed type': { body: '{}', headers: { 'content-type': ';;;' } },
  'an empty type': { body: '{}', headers: { 'content-type': '' } },
  'compressed, it says': { body: '{}', headers: { ...JSON_TYPE, 'content-encoding': 'gzip' } },
  'a trailing slash': { path: '/api/v1/halt/' },
  'capitals in the path': { path: '/API/v1/Halt' },
  'a query': { path: '/api/v1/halt?now=1' },
  'slashes at the front': { path: '//api/v1/halt' },
  'slashes at the end': { path: '/api/v1/halt//' },
  'slashes in between': { path: '/api//v1///halt' },
  'a space behind it': { path: '/api/v1/halt%20' },
  'a line feed behind it': { path: '/api/v1/halt%0a' },
  'a full stop behind it': { path: '/api/v1/halt.' },
  'a parameter of the path': { path: '/api/v1/halt;a=b' },
  'a part that is a dot': { path: '/api/v1/./halt' },
  'an escaped letter': { path: '/api/v1/h%61lt%2F' },
  'a malformed escape': { path: '/api/v1/halt%' },
  'the host in the path': { path: 'http://127.0.0.1/api/v1/halt' },
  'a position in the query': { path: '/api/v1/halt?position=DESK-2', stops: ['desk-2'] },
  'a reason in the query': { path: '/api/v1/halt/?reason=a+theft', why: 'a theft' },
  'one position in the body and another in the query': {
    path: '/api/v1/halt?position=desk-1',
    body: '{"position":"desk-2"}',
    stops: ['desk-2'],
  },
  'an empty position in the body and one in the query': {
    path: '/api/v1/halt?position=desk-1',
    body: '{"position":""}',
    stops: ['desk-1'],
  },
  'an unreadable body and a position in the query': {
    path: '/api/v1/halt?position=desk-1',
    body: '{"position":',
    stops: ['desk-1'],
  },
  'its own origin': { headers: { host: 'localhost:1', origin: 'http://localhost:1' } },
  'the origin that a proxy names': {
    headers: { origin: 'https://desk.example', 'x-forwarded-host': 'desk.example' },
  },
  'the origin of a proxy that names none, which the browser vouches for': {
    headers: { origin: 'https://desk.example', 'sec-fetch-site': 'same-origin' },
  },
  PUT: { method: 'PUT', body: '{"why":"theft"}', headers: JSON_TYPE, why: 'theft' },
  'a malformed key': { headers: { 'idempotency-key': 'k '.repeat(300) } },
  'a token without Bearer': { headers: { authorization: 'right-token' } },
  'a token in quotes': { headers: { authorization: 'Bearer "right-token"' } },
  'a bearer in small letters': { headers: { authorization: "bearer 'right-token' " } },
  'a position in capitals': { body: '{"position":"DESK-2"}', headers: JSON_TYPE, stops: ['desk-2'] },
  'a position with spaces': { body: '{"position":" desk-2 "}', headers: JSON_TYPE, stops: ['desk-2'] },
  'an empty position': { body: '{"position":""}', headers: JSON_TYPE },
  'position null': { body: '{"position":null}', headers: JSON_TYPE },
  'a position that is a number': { body: '{"position":5}', headers: JSON_TYPE },
  'a list of positions': { body: '{"position":["desk-2"]}', headers: JSON_TYPE },
  'a body of 20 kB': { body: JSON.stringify({ why: 'x'.repeat(20_000) }), headers: JSON_TYPE },
  'a body of 2 MB': { body: Buffer.alloc(2_000_000, 65), headers: JSON_TYPE },
}

/** Two desks that obey at once. */
async function desks(changes: Partial<PositionPort> = {}) {
  const [one, two] = [position('desk-1', changes), position('desk-2', changes)]
  const { ask, port } = await consoleOf({ positions: [one.port, two.port], stopBodyMs: 40 })
  const stopped = () =>
    [one, two].flatMap(({ port: { name }, given }) => given.map((each) => ({ name, ...each })))
  return { ask, port, stopped }
}

/** By hand: no header is there that the shape does not name. */
function send(
  port: number,
  { path = '/api/v1/halt', method = 'POST', headers = {}, body }: Shape,
): Promise<Told> {
  return new Promise((resolve, reject) => {
    const options = {
      host: '127.0.0.1',
      port,
      path,
      method,
      agent: false,
      headers: { ...WITH_TOKEN, ...headers },
    }
    const sent = request(options, (response) => {
      let text = ''
      response.on('data', (chunk) => (text += String(chunk)))
      response.on('end', () => {
        const json = () => JSON.parse(text) as Record<string, unknown>
        resolve({ status: response.statusCode ?? 0, text, json, headers: response.headers })
      })
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

test.each(Object.entries(SHAPES))('a halt with %s halts', async (_what, shape) => {
  const { port, stopped } = await desks()
  const told = await send(port, shape)
  expect([told.status, told.json()['accepted']]).toEqual([200, true])
  const names = shape.stops ?? ['desk-1', 'desk-2']
  expect(stopped().map(({ name, command }) => [name, command])).toEqual(names.map((name) => [name, HALT]))
  if (shape.why !== undefined) expect(stopped()[0]?.why).toEqual(shape.why)
  expect(stopped()[0]?.why.length).toBeLessThanOrEqual(500)
})

test('a halt of any bytes halts, and names one position only where they name it', async () => {
  const { port, stopped } = await desks()
  const anyBody = fc.oneof(
    fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
    fc.json({ maxDepth: 3 }),
    fc.string({ unit: 'binary', maxLength: 50 }),
  )
  await fc.assert(
    fc.asyncProperty(anyBody, fc.string({ maxLength: 20 }), async (body, type) => {
      const before = stopped().length
      const told = await send(port, {
        body,
        headers: { 'content-type': type.replaceAll(/[^\x20-\x7e]/g, '') },
      })
      expect([told.status, stopped().length - before]).toEqual([200, 2])
    }),
    { numRuns: 30 },
  )
})

describe('the bytes of a stop', () => {
  const HEAD = 'POST /api/v1/halt HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer right-token\r\n'

  /** Sends bytes as they are, ends the sending half where asked to, and returns all that came back. */
  function raw(port: number, bytes: string, isEnded = false): Promise<string> {
    return new Promise((resolve) => {
      let text = ''
      const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }, () => {
        socket.write(bytes)
        if (isEnded) socket.end()
      })
      socket.on('data', (chunk) => (text += String(chunk)))
      socket.on('error', () => undefined)
      socket.on('close', () => resolve(text))
      socket.on('end', () => socket.end())
    })
  }

  const statusOf = (answer: string) => Number(/^HTTP\/1\.1 (\d+) /.exec(answer)?.[1])

  test.each([
    ['stalls', `${HEAD}Content-Length: 100\r\n\r\n{"why":`, false],
    ['never begins', `${HEAD}Content-Length: 100\r\n\r\n`, false],
    ['stalls in a chunk', `${HEAD}Transfer-Encoding: chunked\r\n\r\n5\r\n{"wh`, false],
    ['is longer than its length', `${HEAD}Content-Length: 2\r\n\r\n{"why":"theft"}\r\n\r\n`, false],
    ['has malformed chunks', `${HEAD}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n`, false],
    ['is shorter than its length, and the sender has hung up', `${HEAD}Content-Length: 100\r\n\r\n{}`, true],
  ])('a halt whose body %s halts, and its answer arrives', async (_what, bytes, isEnded) => {
    const { port, stopped } = await desks()
    const answer = await raw(port, bytes, isEnded)
    expect(stopped().map(({ name }) => name)).toEqual(['desk-1', 'desk-2'])
    expect(statusOf(answer)).toBe(200)
  })

  test('bytes that are no request are refused, and one that never ends is cut off', async () => {
    const { port, stopped } = await desks()
    expect(statusOf(await raw(port, 'zzz\r\n\r\n'))).toBe(400)
    expect(await raw(port, `${HEAD.replace('halt', 'resume')}Content-Length: 2\r\n\r\n{}zz\r\n\r\n`)).toMatch(
      /^HTTP/,
    )
    expect(stopped()).toEqual([])
  })

  test('a wrong token is refused before a byte of the body is read', async () => {
    const { port, stopped } = await desks()
    const answer = await raw(port, `${HEAD.replace('right', 'wrong')}Content-Length: 100\r\n\r\n`, true)
    expect(statusOf(answer)).toBe(401)
    expect(stopped()).toEqual([])
  })
})

describe('what does not stop', () => {
  test.each(['GET', 'PATCH', 'DELETE'])('%s is 405 with the command that does', async (method) => {
    const { ask, stopped } = await desks()
    const told = await ask('/api/v1/halt', { method, headers: WITH_TOKEN })
    expect([told.status, told.headers['allow']]).toEqual([405, 'POST, PUT'])
    expect(told.json()['message']).toContain('curl -X POST')
    expect(stopped()).toEqual([])
  })

  test.each([
    ['in the address', '/api/v1/halt?token=right-token', {}, '{}'],
    ['in the body', '/api/v1/halt', {}, '{"token":"right-token"}'],
    ['as another scheme', '/api/v1/halt', { authorization: 'Basic right-token' }, '{}'],
  ])('a token %s is not accepted', async (_what, path, headers, body) => {
    const { ask, stopped } = await desks()
    expect((await ask(path, { method: 'POST', headers, body })).status).toBe(401)
    expect(stopped()).toEqual([])
  })

  test('a request of a page of another site is 403, with the token too', async () => {
    const { ask, stopped } = await desks()
    const headers = { ...WITH_TOKEN, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' }
    expect((await ask('/api/v1/halt', { method: 'POST', headers })).status).toBe(403)
    expect(stopped()).toEqual([])
  })

  test.each(['https://evil.example', 'null', 'http://127.0.0.1.evil.example', 'file://'])(
    'the origin %s is 403 for every command, with the token too',
    async (origin) => {
      const { ask, stopped } = await desks()
      const headers = { ...WITH_TOKEN, origin }
      for (const path of ['halt', 'resume', 'treasury/stop'])
        expect((await ask(`/api/v1/${path}`, { method: 'POST', headers, body: {} })).status).toBe(403)
      expect(stopped()).toEqual([])
    },
  )

  test('a path that only resembles that of a stop is 404', async () => {
    const { port, stopped } = await desks()
    for (const path of ['/api/v1/halts', '/api/v1/halt/desk-1', '/halt', '/api/v1/x/halt'])
      expect([path, (await send(port, { path })).status]).toEqual([path, 404])
    expect(stopped()).toEqual([])
  })

  test('an unknown name is 404 with the names, and a process without positions claims nothing', async () => {
    const { port, stopped } = await desks()
    const told = await send(port, { body: '{"position":"desk-3"}' })
    expect([told.status, told.json()['message']]).toEqual([404, expect.stringContaining('desk-1, desk-2')])
    const twice = await send(port, { path: '/api/v1/halt?position=desk-1&position=desk-2' })
    expect([twice.status, stopped()]).toEqual([404, []])
    const empty = await consoleOf({ positions: [], isFleet: true })
    expect((await send(empty.port, {})).status).toBe(503)
  })
})

test('a stop reaches positions that do not run, by name and with all others', async () => {
  const [one, gone] = [position('desk-1'), position('desk-3')]
  const { port } = await consoleOf({ positions: [one.port], absent: () => [gone.port], isFleet: true })
  expect((await send(port, { body: 'position=DESK-3' })).json()).toMatchObject({ position: 'desk-3' })
  expect((await send(port, {})).status).toBe(200)
  expect([one.given.length, gone.given.length]).toEqual([1, 2])
  expect(
    (await send(port, { path: '/api/v1/resume', body: '{"position":"desk-3"}', headers: JSON_TYPE })).status,
  ).toBe(404)
})

describe('each stop', () => {
  type Row = readonly [path: string, body: string, command: object]
  const SALTS = '{"salts":["7","8"]}'
  const WALLET = `0x${'a1'.repeat(20)}`
  const ROWS: readonly Row[] = [
    ['pause', '', { name: 'pause' }],
    ['deactivate', '', { name: 'deactivate', insists: true }],
    ['deactivate', '{"now":"true"}', { name: 'deactivate', insists: true, now: true }],
    ['deactivate', `{"wallet":"${WALLET}"}`, { name: 'deactivate', insists: true, wallet: WALLET }],
    ['deactivate', '{"wallet":"0x1"}', { name: 'deactivate', insists: true }],
    ['cancelOrders', SALTS, { name: 'cancelOrders', salts: [7n, 8n] }],
    ['cancelOrders', '{"salts":[7]}', { name: 'cancelOrders', salts: null }],
    ['cancelOrders', '{"salts":[]}', { name: 'cancelOrders', salts: null }],
    ['cancelOrders', 'everything', { name: 'cancelOrders', salts: null }],
    ['stopSigning', '', { name: 'stopSigning' }],
    ['cancelWithdrawal', '{"key":"k-1"}', { name: 'cancelWithdrawal', key: 'k-1' }],
    ['cancelWithdrawal', 'x', { name: 'cancelWithdrawal', key: null }],
  ]

  test.each(ROWS)('%s with %j is given to the only position', async (path, body, command) => {
    const { port: desk, given } = position('desk-1')
    const { port } = await consoleOf({ positions: [desk] })
    const told = await send(port, { path: `/api/v1/${path}`, body })
    expect([told.status, given.map((one: Given) => one.command)]).toEqual([200, [command]])
  })

  test.each(['deactivate', 'cancelOrders', 'stopSigning', 'cancelWithdrawal', 'treasury/stop'])(
    '%s without a name is 400 with the names where there are several positions',
    async (path) => {
      const { port, stopped } = await desks()
      const told = await send(port, { path: `/api/v1/${path}`, body: "{'a':1}" })
      expect([told.status, told.json()['message']]).toEqual([400, expect.stringMatching(/ desk-1, desk-2$/)])
      expect(stopped()).toEqual([])
    },
  )

  test('a treasury is stopped without being read first, and one that does not answer is 503', async () => {
    const orders: unknown[] = []
    const treasury = async (): Promise<null> => null
    const treasuryOrder = async (...order: unknown[]): Promise<OperatorAnswer> => {
      orders.push(order)
      return { accepted: true, answer: 'stopped' }
    }
    const { port } = await deskOf({ treasury, treasuryOrder })
    const told = await send(port, { path: '/api/v1/treasury/Stop/', body: 'reason=odd&who=ann' })
    expect([told.status, orders]).toEqual([
      200,
      [[{ name: 'stop', why: 'odd' }, 'operator', 'operator (ann)']],
    ])
    const silent = await consoleOf({
      positions: [position('desk-1', { treasuryOrder: () => Promise.reject(new Error('gone')) }).port],
    })
    const unheard = await send(silent.port, { path: '/api/v1/treasury/stop' })
    expect([unheard.status, unheard.json()]).toMatchObject([503, { accepted: false, confirmed: false }])
  })

  test('a token that may only read stops the treasury and nothing else', async () => {
    const credentials = [
      sharedOperator('right-token'),
      { name: 'eye', token: 'eye', may: ['read'] as const, isShared: false },
    ]
    const treasuryOrder = async (): Promise<OperatorAnswer> => ({ accepted: true, answer: 'stopped' })
    const { port } = await consoleOf({ positions: [position('desk-1', { treasuryOrder }).port], credentials })
    const as = (path: string) => send(port, { path, headers: { authorization: 'Bearer eye' } })
    expect((await as('/api/v1/treasury/stop')).status).toBe(200)
    for (const path of ['halt', 'pause', 'deactivate', 'cancelOrders', 'stopSigning', 'cancelWithdrawal'])
      expect([path, (await as(`/api/v1/${path}`)).status]).toEqual([path, 403])
  })
})

describe('a stop sent again', () => {
  test('is carried out each time, with any key', async () => {
    const { port, stopped } = await desks()
    const again = { headers: { 'idempotency-key': 'k-1' }, body: '{"position":"desk-1"}' }
    for (const path of ['halt', 'halt', 'pause']) await send(port, { path: `/api/v1/${path}`, ...again })
    expect(stopped().map(({ command }) => command.name)).toEqual(['halt', 'halt', 'pause'])
  })

  test('one that a resume followed takes its key to the position, which knows what it has done', async () => {
    const keys: (string | undefined)[] = []
    const command: PositionPort['command'] = async ({ name }, _who, _why, key) => {
      keys.push(key)
      return { accepted: true, answer: name }
    }
    const { port } = await deskOf({ command })
    const headers = { 'idempotency-key': 'k-1' }
    for (const path of ['halt', 'resume', 'halt', 'resume', 'activate'])
      expect((await send(port, { path: `/api/v1/${path}`, headers })).status).toBe(200)
    expect(keys).toEqual([undefined, 'k-1', undefined, 'k-1', 'k-1'])
    for (const path of ['resume', 'activate'])
      for (const key of ['k '.repeat(300), 'k'.repeat(201), '', 'a b', 'kéy', 'a\tb', ['k', 'k']]) {
        const headers = { 'idempotency-key': key as string }
        expect([path, key, (await send(port, { path: `/api/v1/${path}`, headers })).status]).toEqual([
          path,
          key,
          400,
        ])
      }
    expect(keys).toHaveLength(5)
  })
})

describe('the answer of a stop', () => {
  const LIVE = {
    stopped: false,
    bidBps: 67,
    askBps: 53,
    status: 'confirmed',
    isActive: true,
    openOrders: null,
    refusal: { status: 401, message: 'the key is refused', at: 1 },
    text: '67/53 bps is still live',
    banner: 'HALTED - STILL QUOTED 67/53',
  } as const
  const open = { accepted: true, confirmed: false, live: LIVE, leaving: null, held: [], exitCode: 4 }

  test('has what the venue shows, as the document describes it', async () => {
    const { port } = await consoleOf({
      positions: [position('desk-1', { command: async () => ({ ...open, answer: 'a' }) }).port],
    })
    const told = await send(port, {})
    expect([told.status, told.json()]).toEqual([200, { position: 'desk-1', ...open, answer: 'a' }])
  })

  test('of several positions is confirmed once each of them is', async () => {
    const done = { ...open, confirmed: true, answer: 'a', exitCode: 0 }
    const ports = [false, true].map(
      (confirmed, at) => position(`desk-${at}`, { command: async () => ({ ...done, confirmed }) }).port,
    )
    const { port } = await consoleOf({ positions: ports })
    expect((await send(port, {})).json()).toMatchObject({ accepted: true, confirmed: false })
    const told = await send((await consoleOf({ positions: ports.slice(1) })).port, {})
    expect(told.json()).toMatchObject({ accepted: true, confirmed: true, position: 'desk-1' })
  })
})

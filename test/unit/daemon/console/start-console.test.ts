import { describe, expect, onTestFinished, test } from 'vitest'
import { startConsole } from '../../../../src/daemon/console/start-console.ts'
import { createScrape } from '../../../../src/daemon/telemetry/metrics/scrape.ts'
import { exampleView } from '../telemetry/example-view.ts'
import { consoleOf, deskOf, position, WITH_TOKEN } from './console-fixture.ts'

const never = <T>() => new Promise<T>(() => {})

describe('health and readiness', () => {
  test('healthz is 200 while every position lives and 503 with the reason of the one that does not', async () => {
    let alive = true
    const health = () => ({ alive, why: alive ? null : 'no heartbeat for 5 s' })
    const sick = position('b', { health }).port
    const { ask } = await consoleOf({ positions: [position('a').port, sick] })
    expect((await ask('/healthz')).status).toBe(200)
    alive = false
    const answer = await ask('/healthz')
    expect(answer.status).toBe(503)
    expect(answer.json()).toEqual({
      alive: false,
      version: '0.1.0',
      positions: [
        { position: 'a', alive: true, why: null },
        { position: 'b', alive: false, why: 'no heartbeat for 5 s' },
      ],
    })
  })

  test('readyz is 503 with the reasons until every position is ready', async () => {
    const waiting = position('b', { ready: async () => ({ ready: false, why: ['the mid is old'] }) })
    const { ask } = await consoleOf({ positions: [position('a').port, waiting.port] })
    const answer = await ask('/readyz')
    expect(answer.status).toBe(503)
    expect(answer.json()).toMatchObject({
      ready: false,
      positions: [{ ready: true }, { why: ['the mid is old'] }],
    })
    const { ask: askReady } = await consoleOf()
    expect((await askReady('/readyz')).status).toBe(200)
  })

  test('a position that hangs is not ready and does not keep the answer of the others', async () => {
    const hung = position('b', { ready: never, view: never })
    const { ask } = await consoleOf({ positions: [position('a').port, hung.port] })
    expect((await ask('/readyz')).json()).toMatchObject({ positions: [{ ready: true }, { ready: false }] })
    expect((await ask('/metrics')).text).toContain('mizani_mid_tzs{position="a"} 2600.5')
    expect((await ask('/api/v1/state')).json()).toMatchObject({
      positions: [
        { name: 'a', mid: '2600.5' },
        { name: 'b', error: 'position-silent' },
      ],
    })
    expect((await ask('/api/v1/state?position=b')).status).toBe(503)
  })

  test('a position that fails to answer is reported and counts as silent', async () => {
    const broken = position('a', { view: async () => Promise.reject(new Error('worker gone')) })
    const { ask, errors } = await consoleOf({ positions: [broken.port] })
    expect((await ask('/api/v1/state')).status).toBe(503)
    expect(errors).toEqual([new Error('worker gone')])
  })
})

describe('reading', () => {
  test('the state of one position is its view, with the issued keys', async () => {
    const { ask } = await consoleOf()
    const answer = await ask('/api/v1/state')
    expect(answer.status).toBe(200)
    expect(answer.headers['cache-control']).toBe('no-store')
    expect(answer.json()).toEqual(exampleView())
    expect(Object.keys(answer.json())).toEqual(
      expect.arrayContaining([
        'tradingState',
        'mid',
        'midAgeMs',
        'quote',
        'balances',
        'pnl',
        'reconciliation',
        'budget',
      ]),
    )
    expect(answer.json()['quote']).toMatchObject({
      status: 'confirmed',
      bidBps: 40,
      askBps: 75,
      quoteBid: true,
      quoteAsk: false,
    })
  })

  test('several positions are listed, and each can be asked by name', async () => {
    const { ask } = await consoleOf({ positions: [position('a').port, position('b').port] })
    expect((await ask('/api/v1/state')).json()).toMatchObject({ positions: [{ name: 'a' }, { name: 'b' }] })
    expect((await ask('/api/v1/state?position=b')).json()).toMatchObject({ name: 'b' })
    const unknown = await ask('/api/v1/state?position=c')
    expect(unknown.status).toBe(404)
    expect(unknown.json()['message']).toMatch(/ a, b$/)
  })

  test('the metrics of all positions and of the process come as Prometheus text', async () => {
    const { ask } = await consoleOf({ positions: [position('a').port, position('b').port] })
    const { text, headers } = await ask('/metrics')
    expect(headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/)
    expect(text).toContain('mizani_build_info{version="0.1.0",position="a"} 1')
    expect(text).toContain('mizani_build_info{version="0.1.0",position="b"} 1')
    expect(text).toMatch(/^process_resident_memory_bytes \d+/m)
  })

  test('the root lists the paths, and any other path is a JSON error that points there and does not repeat it', async () => {
    const { ask } = await consoleOf()
    expect((await ask('/')).text).toContain('GET  /healthz')
    const missing = await ask('/api/v2/state')
    expect(missing.status).toBe(404)
    expect(missing.json()).toEqual({
      error: 'not-found',
      message: 'there is no such path; GET / lists the paths',
    })
  })

  test('on loopback a Host header of another name is refused, so that no web page can read along', async () => {
    const { ask, port } = await consoleOf()
    for (const host of [
      'evil.example',
      `evil.example:${port}`,
      '127.0.0.1.evil.example',
      'localhost.evil.example',
    ]) {
      const answer = await ask('/api/v1/state', { host })
      expect([host, answer.status]).toEqual([host, 421])
      expect(answer.text).not.toContain('2600.5')
    }
    for (const host of [`localhost:${port}`, '127.0.0.1', '[::1]:9464']) {
      expect([host, (await ask('/api/v1/state', { host })).status]).toEqual([host, 200])
    }
  })

  test('away from loopback a read without a configured token is refused and names the setting', async () => {
    const { ask } = await consoleOf({ host: '0.0.0.0', credentials: [] })
    const { status, json } = await ask('/metrics', { host: 'mizani.internal:9464' })
    expect([status, json()['message']]).toEqual([403, expect.stringContaining('http.token')])
  })
})

describe('commanding', () => {
  test.each([
    ...['pause', 'resume', 'halt', 'activate'].map((name) => ({ name })),
    { name: 'deactivate', insists: true },
    { name: 'reload', by: 'operator', changes: {}, fromFile: false },
  ])('$name reaches the position', async (command) => {
    const { name } = command
    const { post, given } = await deskOf()
    const answer = await post(name)
    expect(answer.status).toBe(200)
    expect(answer.json()).toEqual({ position: 'desk-1', accepted: true, answer: `${name} it is` })
    expect(given).toEqual([{ command, who: 'operator', why: 'no reason given' }])
  })

  test('who and why go along, and a resume may say how to book what is unexplained', async () => {
    const { post, given } = await deskOf()
    const said = { position: 'desk-1', who: 'ann', why: 'top-up by hand', book: 'deposit' }
    // A script names what it books.
    expect((await post('resume', said)).status).toBe(400)
    expect((await post('resume', { ...said, expect: 'all of it' })).status).toBe(400)
    expect(given).toEqual([])
    expect((await post('resume', { ...said, expect: '500 USDC' })).status).toBe(200)
    const command = { name: 'resume', book: 'deposit', expect: { USDC: 500n * 10n ** 18n } }
    expect(given).toEqual([{ command, who: 'operator (ann)', why: 'top-up by hand' }])
  })

  test('a withdrawal arrives as exact base units', async () => {
    const { post, given } = await deskOf()
    const order = { asset: 'USDC', amount: '1.000001', toAddress: `0x${'a1'.repeat(20)}` }
    const keyed = { ...WITH_TOKEN, 'idempotency-key': 'k-1' }
    expect((await post('withdraw', order, keyed)).status).toBe(200)
    const command = { ...order, name: 'withdraw', amount: 1_000_001n, key: 'k-1', by: 'operator' }
    expect(given[0]?.command).toEqual(command)
    const again = await post('withdraw', order)
    expect([again.status, again.json()['message']]).toEqual([400, expect.stringContaining('Idempotency-Key')])
    expect(given).toHaveLength(1)
  })

  test('orders to cancel are named by exact salts, and nothing named is all of them', async () => {
    const { post, given } = await deskOf()
    const salt = '1853020188851841000000001'
    for (const body of [{ salts: [salt, '7'] }, { salts: null }, {}])
      expect((await post('cancelOrders', body)).status).toBe(200)
    expect(given.map(({ command }) => command)).toEqual([
      { name: 'cancelOrders', salts: [BigInt(salt), 7n] },
      { name: 'cancelOrders', salts: null },
      { name: 'cancelOrders', salts: null },
    ])
  })

  test('without the right token nothing reaches the position', async () => {
    const { post, given } = await deskOf()
    for (const authorization of [undefined, 'Bearer wrong', 'Bearer right-toke', 'Basic cmlnaHQtdG9rZW4=']) {
      const answer = await post('halt', undefined, authorization === undefined ? {} : { authorization })
      expect([authorization, answer.status]).toEqual([authorization, 401])
      expect(answer.text).not.toContain('right-token')
    }
    expect(given).toEqual([])
  })

  test('where no token is configured every command is refused with what to configure', async () => {
    const { post, given } = await deskOf({}, { credentials: [] })
    const answer = await post('pause', undefined, { authorization: 'Bearer ' })
    expect(answer.status).toBe(403)
    expect(answer.json()['message']).toContain('set http.token')
    expect(given).toEqual([])
  })

  test('what risk refuses is 409 with its answer, and an unreachable venue 502', async () => {
    const refused = { accepted: false, answer: 'HALTED by loss: resume first', exitCode: 3 }
    const answer = await (await deskOf({ command: async () => refused })).post('activate')
    expect(answer.status).toBe(409)
    expect(answer.json()).toEqual({ position: 'desk-1', ...refused })
    const cut = await deskOf({ command: async () => ({ ...refused, exitCode: 4 }) })
    expect((await cut.post('activate')).status).toBe(502)
  })

  test('a command whose position fails is 503, and nothing is claimed', async () => {
    const { post, errors } = await deskOf({ command: async () => Promise.reject(new Error('worker gone')) })
    const answer = await post('deactivate')
    expect(answer.status).toBe(503)
    expect(answer.json()).toMatchObject({ accepted: false, confirmed: false, exitCode: 1 })
    expect(errors).toHaveLength(1)
  })

  test('a halt without a name stops every position, a resume wants one', async () => {
    const [a, b] = [position('a'), position('b')]
    const { post } = await deskOf({}, { positions: [a.port, b.port] })
    expect((await post('halt')).json()).toMatchObject({
      accepted: true,
      positions: [{ position: 'a' }, { position: 'b' }],
    })
    const resumed = await post('resume')
    expect([resumed.status, resumed.json()['message']]).toEqual([400, expect.stringMatching(/ a, b$/)])
    expect([a.given.length, b.given.length]).toEqual([1, 1])
  })

  test.each([
    ['not JSON', '{"why": ', 400, 'bad-json'],
    ['an unknown key', '{"wy": "x"}', 400, 'bad-request'],
    ['a list', '[]', 400, 'bad-request'],
    ['a number for a name', '{"position": 5}', 400, 'bad-request'],
    ['too large', JSON.stringify({ why: 'x'.repeat(20_000) }), 413, 'too-large'],
  ])('a body that is %s is refused in JSON and reaches no one', async (_what, body, status, error) => {
    const { post, given } = await deskOf()
    const answer = await post('resume', body)
    expect([answer.status, answer.json()['error']]).toEqual([status, error])
    expect(given).toEqual([])
  })

  test('an empty JSON body is no body, and a form is refused in words', async () => {
    const { post } = await deskOf()
    expect((await post('resume', '')).status).toBe(200)
    const form = { ...WITH_TOKEN, 'content-type': 'application/x-www-form-urlencoded' }
    const answer = await post('resume', 'why=x', form)
    expect([answer.status, answer.json()['error']]).toEqual([415, 'not-json'])
  })

  test.each([
    ['zero', { amount: '0' }],
    ['negative', { amount: '-1' }],
    ['of too many digits', { amount: '0.0000001' }],
    ['a JSON number', { amount: 1 }],
    ['of an unknown token', { asset: 'EURC' }],
    ['to no address', { toAddress: '0x1' }],
  ])('a withdrawal that is %s is refused', async (_what, wrong) => {
    const { post, given } = await deskOf()
    const order = { asset: 'USDC', amount: '1', toAddress: `0x${'1'.repeat(40)}`, ...wrong }
    expect((await post('withdraw', order, { ...WITH_TOKEN, 'idempotency-key': 'k-1' })).status).toBe(400)
    expect(given).toEqual([])
  })
})

describe('the server itself', () => {
  test('a port that is taken is an error in words, and closing frees it', async () => {
    const { port, close } = await consoleOf()
    const options = { host: '127.0.0.1', port, credentials: [], positions: [], version: '0' }
    const rest = { scrape: createScrape(() => []), summaries: async () => [], reportError: () => {} }
    const second = await startConsole({ ...options, ...rest })
    expect(second).toEqual({
      ok: false,
      error: `127.0.0.1:${port} is taken by another process; set http.port to another one`,
    })
    await close()
    const third = await startConsole({ ...options, ...rest })
    expect(third.ok).toBe(true)
    if (third.ok) onTestFinished(third.value.close)
  })

  test('a failure inside is reported, and the client learns nothing of it', async () => {
    const scrape = async () => Promise.reject(new Error('secret detail'))
    const { ask, errors } = await consoleOf({ scrape })
    const answer = await ask('/metrics')
    expect([answer.status, answer.json()['error']]).toEqual([500, 'internal'])
    expect(answer.text).not.toContain('secret detail')
    expect(errors).toEqual([new Error('secret detail')])
  })
})

import { describe, expect, test, vi } from 'vitest'
import { createFailedTokens } from '../../../../src/daemon/console/auth/access-control.ts'
import { sharedOperator } from '../../../../src/daemon/console/auth/credentials.ts'
import { Refusal } from '../../../../src/daemon/console/refusal.ts'
import { consoleOf, deskOf, WITH_TOKEN } from './console-fixture.ts'

const POLICY =
  "default-src 'none';script-src 'self';style-src 'self';img-src 'self' data:;connect-src 'self';" +
  "base-uri 'none';form-action 'none';frame-ancestors 'none'"

describe('every answer', () => {
  test.each(['/', '/healthz', '/metrics', '/api/v1/state', '/api/v1/stream', '/api/v1/nothing', '/assets/x'])(
    '%s carries the strict policy, may not be framed, and sets no cookie',
    async (path) => {
      const { ask, listen } = await consoleOf()
      const told = path.endsWith('stream') ? await listen(path) : await ask(path)
      if ('leave' in told) told.leave()
      expect(told.headers['content-security-policy']).toBe(POLICY)
      expect(told.headers['x-frame-options']).toBe('DENY')
      expect(told.headers['x-content-type-options']).toBe('nosniff')
      expect(told.headers['referrer-policy']).toBe('no-referrer')
      expect(told.headers['set-cookie']).toBeUndefined()
      expect(told.headers['access-control-allow-origin']).toBeUndefined()
    },
  )
})

describe('away from loopback', () => {
  const host = 'mizani.internal:9464'

  test('everything but health and readiness wants the token; the page itself holds nothing', async () => {
    const { ask } = await consoleOf({ host: '0.0.0.0' })
    const reads = ['state', 'stream', 'history', 'fills', 'notices', 'parameters'].map(
      (name) => `/api/v1/${name}`,
    )
    for (const path of ['/', '/metrics', '/api/docs/openapi.json', ...reads]) {
      expect([path, (await ask(path, { host })).status]).toEqual([path, 401])
      const wrong = { authorization: 'Bearer wrong' }
      expect([path, (await ask(path, { host, headers: wrong })).status]).toEqual([path, 401])
      if (path.endsWith('stream')) continue
      expect([path, (await ask(path, { host, headers: WITH_TOKEN })).status]).not.toEqual([path, 401])
    }
    expect((await ask('/healthz', { host })).status).toBe(200)
    expect((await ask('/readyz', { host })).status).toBe(200)
    // Where the page is built it comes without a token: it is where a person types it in.
    const page = await ask('/', { host, headers: { accept: 'text/html' } })
    expect([200, 503]).toContain(page.status)
    expect(page.text).not.toContain('2600.5')
  })

  test('guessing tokens is slow: after twenty wrong ones from an address none is looked at for a minute', () => {
    vi.useFakeTimers()
    try {
      const failed = createFailedTokens()
      for (let guess = 0; guess < 20; guess++) {
        failed.check('203.0.113.7')
        failed.note('203.0.113.7')
      }
      expect(() => failed.check('203.0.113.7')).toThrow(Refusal)
      vi.setSystemTime(Date.now() + 3_600_000)
      expect(() => failed.check('203.0.113.7')).toThrow(Refusal)
      failed.check('203.0.113.8')
      vi.advanceTimersByTime(60_000)
      failed.check('203.0.113.7')
    } finally {
      vi.useRealTimers()
    }
  })

  test('remembers a bounded number of addresses', () => {
    const failed = createFailedTokens()
    for (let address = 0; address < 10_100; address++) {
      for (let guess = 0; guess < (address === 0 ? 20 : 1); guess++) failed.note(`2001:db8::${address}`)
    }
    // The first address was forgotten when ten thousand others had come.
    expect(() => failed.check('2001:db8::0')).not.toThrow()
  })
})

describe('on loopback', () => {
  test('wrong tokens are answered 401 and then 429, and neither they nor a flood keep the right one out', async () => {
    const { ask, given } = await deskOf()
    const wrong = { method: 'POST', headers: { authorization: 'Bearer wrong' } }
    const first = await Promise.all(Array.from({ length: 20 }, () => ask('/api/v1/halt', wrong)))
    expect(new Set(first.map(({ status }) => status))).toEqual(new Set([401]))
    const next = await ask('/api/v1/halt', wrong)
    expect([next.status, next.headers['retry-after']]).toEqual([429, '60'])
    expect(given).toEqual([])
    expect((await ask('/api/v1/halt', { method: 'POST', headers: WITH_TOKEN })).status).toBe(200)
    expect((await ask('/api/v1/state')).status).toBe(200)
    expect(given).toHaveLength(1)
  }, 20_000)

  test.each([
    ['that a proxy passes on', {}, { 'x-forwarded-for': '203.0.113.7' }],
    ['under http.readsNeedToken', { readsNeedToken: true }, {}],
  ])('a read %s needs a token, as from any other machine', async (_which, options, headers) => {
    const { ask } = await consoleOf(options)
    for (const path of ['/api/v1/state', '/metrics', '/api/v1/stream', '/api/v1/notices', '/']) {
      expect([path, (await ask(path, { headers })).status]).toEqual([path, 401])
    }
    expect((await ask('/healthz', { headers })).status).toBe(200)
    expect((await ask('/api/v1/state', { headers: { ...headers, ...WITH_TOKEN } })).status).toBe(200)
  })

  test('a page of another name can ask nothing, not even with the token', async () => {
    const { ask, given } = await deskOf()
    const told = await ask('/api/v1/halt', { method: 'POST', headers: WITH_TOKEN, host: 'evil.example' })
    expect(told.status).toBe(421)
    expect((await ask('/api/v1/stream', { host: 'evil.example' })).status).toBe(421)
    expect((await ask('/', { host: 'evil.example', headers: { accept: 'text/html' } })).status).toBe(421)
    expect(given).toEqual([])
  })

  test('a form of another page is refused before it is read: it can bring neither JSON nor the token', async () => {
    const { ask, given } = await deskOf()
    const headers = { 'content-type': 'text/plain', origin: 'https://evil.example' }
    expect((await ask('/api/v1/halt', { method: 'POST', headers, body: {} })).status).toBe(403)
    expect((await ask('/api/v1/halt', { method: 'OPTIONS', headers })).status).toBe(403)
    expect(given).toEqual([])
  })
})

describe('a page of another site', () => {
  const asks = (site: string, mode: string, dest: string) => ({
    headers: { 'sec-fetch-site': site, 'sec-fetch-mode': mode, 'sec-fetch-dest': dest },
  })

  test.each([
    ['cross-site', 'no-cors', 'image', 403],
    ['cross-site', 'cors', 'empty', 403],
    ['cross-site', 'navigate', 'iframe', 403],
    ['same-site', 'no-cors', 'empty', 403],
    ['cross-site', 'navigate', 'document', 200],
    ['same-origin', 'cors', 'empty', 200],
    ['none', 'navigate', 'document', 200],
  ])('asking as %s, %s, %s is answered %i', async (site, mode, dest, status) => {
    const { ask } = await consoleOf()
    expect((await ask('/api/v1/state', asks(site, mode, dest))).status).toBe(status)
  })
})

describe('a token of a person', () => {
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
  const credentials = [
    sharedOperator('right-token'),
    { name: 'reader', token: 'read-token', may: ['read'] as const, isShared: false },
    { name: 'anna', token: 'annas-token', may: ['read', 'withdraw'] as const, isShared: false },
    { name: 'juma', token: 'jumas-token', may: ['operate'] as const, isShared: false },
  ]
  const body = { asset: 'USDC', amount: '1', toAddress: `0x${'a1'.repeat(20)}` }

  test('does what it may and nothing else, and the journal has its name whatever the body claims', async () => {
    const { ask, given } = await deskOf({}, { host: '0.0.0.0', credentials })
    const post = (path: string, token: string, more: object = {}) =>
      ask(`/api/v1/${path}`, {
        method: 'POST',
        headers: { ...bearer(token), 'idempotency-key': token },
        body: more,
      })
    expect((await post('halt', 'read-token')).status).toBe(403)
    expect((await post('halt', 'annas-token')).json()).toMatchObject({ error: 'not-permitted' })
    expect((await post('withdraw', 'jumas-token', body)).status).toBe(403)
    expect((await post('preview', 'read-token')).status).toBe(403)
    expect(given).toEqual([])
    expect((await post('halt', 'jumas-token', { who: 'anna' })).status).toBe(200)
    expect((await post('withdraw', 'annas-token', { ...body, who: 'the board' })).status).toBe(200)
    expect((await post('pause', 'right-token', { who: 'anna' })).status).toBe(200)
    expect(given.map(({ who }) => who)).toEqual(['juma', 'anna', 'operator (anna)'])
  })

  test('reads only where it may read', async () => {
    const { ask } = await consoleOf({ host: '0.0.0.0', credentials })
    const statuses = async (token: string) =>
      Promise.all(
        ['/metrics', '/api/v1/state'].map(
          async (path) => (await ask(path, { headers: bearer(token) })).status,
        ),
      )
    expect(await statuses('read-token')).toEqual([200, 200])
    expect(await statuses('annas-token')).toEqual([200, 200])
    expect(await statuses('jumas-token')).toEqual([403, 403])
  })
})

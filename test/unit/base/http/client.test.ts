import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { requestOutcomeOf, kindOfStatus, retryAfterOf } from '../../../../src/base/http/answer.ts'
import { getOnce, openHttpClient, type HttpClientOptions } from '../../../../src/base/http/client.ts'
import { createUrlRedactor } from '../../../../src/base/http/redactor.ts'
import { holdTimers } from '../../../support/held-timer.ts'
import { rawServer, type RawServer } from './raw-server.ts'

const OPTIONS: HttpClientOptions = { connections: 1, timeoutMs: 5_000, maxBytes: 100 }

async function serve(body: string): Promise<RawServer> {
  const text = `HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`
  const server = await rawServer((socket: Socket) => socket.write(text))
  onTestFinished(() => server.close())
  return server
}

function clientOf(options: Partial<HttpClientOptions> = {}) {
  const client = openHttpClient({ ...OPTIONS, ...options })
  onTestFinished(() => client.close())
  return client
}

const read = (origin: string) => ({ origin, method: 'GET', path: '/x', headers: {}, body: null }) as const

describe('the HTTP client', () => {
  test('sends to several origins and keeps one connection to each', async () => {
    const [one, other] = [await serve('one'), await serve('other')]
    const client = clientOf()
    for (const server of [one, other, one, other]) {
      expect(await client.send(read(server.origin))).toMatchObject({ ok: true, value: { status: 200 } })
    }
    expect([one.connections.length, other.connections.length]).toEqual([1, 1])
  })

  test('opens a connection for each request where none is to be kept', async () => {
    const server = await serve('one')
    const client = clientOf({ keepAliveMs: 0 })
    await client.send(read(server.origin))
    await client.send(read(server.origin))
    expect(server.connections).toHaveLength(2)
  })

  test('explains an address with https whose port speaks no TLS', async () => {
    const plain = createServer()
    plain.listen(0, '127.0.0.1')
    await once(plain, 'listening')
    const { port } = plain.address() as AddressInfo
    expect(await clientOf().send(read(`https://127.0.0.1:${port}`))).toMatchObject({
      error: {
        code: 'ERR_SSL_WRONG_VERSION_NUMBER',
        words: expect.stringContaining('not speak TLS') as string,
      },
    })
    plain.close()
  })

  test('gives up an answer that is longer than its bound', async () => {
    const server = await serve('x'.repeat(101))
    expect(await clientOf().send(read(server.origin))).toMatchObject({
      ok: false,
      error: { kind: 'too-large', status: 200, wasSent: true },
    })
  })

  test('returns the beginning of an answer that is longer than its bound where the caller asks for that', async () => {
    const server = await serve(`${'x'.repeat(100)}yyy`)
    expect(await clientOf({ onTooLarge: 'cut' }).send(read(server.origin))).toMatchObject({
      ok: true,
      value: { status: 200, text: 'x'.repeat(100) },
    })
  })

  test('takes the deadline of a single request before its own', async () => {
    const passDeadline = holdTimers(12_345)
    const { promise: arrived, resolve } = Promise.withResolvers<void>()
    const server = await rawServer(() => resolve())
    onTestFinished(() => server.close())
    const answer = clientOf().send({ ...read(server.origin), timeoutMs: 12_345 })
    await arrived
    passDeadline()
    expect(await answer).toMatchObject({ ok: false, error: { kind: 'timeout', wasSent: true } })
  })

  test('leaves no connection behind after a single GET', async () => {
    const server = await serve('one')
    expect(await getOnce(`${server.origin}/a?b=c`, OPTIONS)).toMatchObject({ ok: true })
    expect(await server.connections[0]?.ended).not.toBe('open')
    expect(server.connections[0]?.text).toMatch(/^GET \/a\?b=c HTTP/)
  })
})

describe('what an answer means', () => {
  test('a Retry-After is read in seconds or as a date on the clock of the server, and never beyond a day', () => {
    expect(retryAfterOf({ 'retry-after': '7' }, 0)).toBe(7_000)
    expect(retryAfterOf({ 'retry-after': '9999999' }, 0)).toBe(86_400_000)
    const date = 'Sun, 06 Nov 1994 08:49:37 GMT'
    const later = 'Sun, 06 Nov 1994 08:49:47 GMT'
    expect(retryAfterOf({ 'retry-after': later, date }, 0)).toBe(10_000)
    expect(retryAfterOf({ 'retry-after': later }, Date.parse(date))).toBe(10_000)
    expect(retryAfterOf({ 'retry-after': 'soon' }, 0)).toBeNull()
    expect(retryAfterOf({}, 0)).toBeNull()
  })

  test('an unclear write has an unknown outcome and is sent again only where a second copy does no more', () => {
    const read = { isWrite: false, isRepeatable: true }
    const write = { isWrite: true, isRepeatable: true }
    const once = { isWrite: true, isRepeatable: false }
    const unclear = { isUnclear: true, canHelp: true }
    expect(requestOutcomeOf(read, unclear)).toEqual({ outcome: 'failed', retriable: true })
    expect(requestOutcomeOf(write, unclear)).toEqual({ outcome: 'unknown', retriable: true })
    expect(requestOutcomeOf(once, unclear)).toEqual({ outcome: 'unknown', retriable: false })
    expect(requestOutcomeOf(once, { isUnclear: false, canHelp: true })).toEqual({
      outcome: 'failed',
      retriable: true,
    })
    expect(requestOutcomeOf(read, { isUnclear: true, canHelp: false })).toEqual({
      outcome: 'failed',
      retriable: false,
    })
  })

  test.each([
    [401, 'auth'],
    [403, 'auth'],
    [404, 'refused'],
    [408, 'timeout'],
    [429, 'rate-limit'],
    [500, 'server'],
    [302, 'malformed'],
  ] as const)('the status %i without a code of its own is %s', (status, kind) => {
    expect(kindOfStatus(status)).toBe(kind)
  })

  test('every part of a URL that could be a key is taken out of what its server sent', () => {
    const redact = createUrlRedactor(
      new URL('https://user:secret%2Fword@rpc.example/v2/abcdef123?token=ghijkl'),
    )
    expect(redact('abcdef123 secret/word ghijkl v2')).toBe('[redacted] [redacted] [redacted] v2')
  })
})

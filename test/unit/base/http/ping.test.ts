import { afterEach, describe, expect, test } from 'vitest'
import { ping, pingAddress } from '../../../../src/base/http/ping.ts'
import { holdTimers } from '../../../support/held-timer.ts'
import { receivingServer } from '../../../support/receiving-server.ts'
import { rawServer as openRawServer, type RawServer } from './raw-server.ts'

const SECRET = 'c0ffee00-uuid-of-the-check'
const opened: RawServer[] = []

afterEach(async () => {
  for (const server of opened.splice(0)) await server.close()
})

/** A server that answers every request like this. */
async function rawServer(answer: Parameters<typeof openRawServer>[0]): Promise<string> {
  const server = await openRawServer(answer)
  opened.push(server)
  return `${server.origin}/${SECRET}`
}

describe('a ping to a dead-man service', () => {
  test('is one GET of the whole address, and any 2xx has taken it', async () => {
    await using server = await receivingServer()
    for (const status of [200, 201, 204]) {
      server.respond = (response) => void response.writeHead(status).end()
      expect(await ping(`${server.url}/${SECRET}?create=1`, 5_000)).toEqual({ ok: true, value: null })
    }
    expect(server.received.map(({ path }) => path)).toEqual(Array(3).fill(`/${SECRET}?create=1`))
  })

  test('is taken as soon as the head of the answer is there, whatever the body does', async () => {
    await using server = await receivingServer()
    server.respond = (response) => {
      response.writeHead(200, { 'content-length': '1000000' })
      response.write('O')
    }
    holdTimers(12_345)
    expect((await ping(`${server.url}/x`, 12_345)).ok).toBe(true)
  })

  test.each([301, 302, 307, 308])(
    'follows no redirect: %i is a failure that names no address',
    async (status) => {
      await using server = await receivingServer()
      server.respond = (response) => void response.writeHead(status, { location: '/elsewhere' }).end()
      const sent = await ping(`${server.url}/${SECRET}`, 5_000)
      expect(sent).toEqual({
        ok: false,
        error: `it answered ${status}, a redirect; use the address it redirects to`,
      })
      expect(server.received).toHaveLength(1)
    },
  )

  test.each([404, 429, 500, 503])(
    'that is answered %i was not taken, and is not repeated',
    async (status) => {
      await using server = await receivingServer()
      server.respond = (response) => void response.writeHead(status).end('no')
      expect(await ping(`${server.url}/x`, 5_000)).toEqual({ ok: false, error: `it answered ${status}` })
      expect(server.received).toHaveLength(1)
    },
  )

  test('ends at its deadline where the server hangs, before the head and within it', async () => {
    const passDeadline = holdTimers(12_345)
    for (const half of ['', 'HTTP/1.1 200 OK\r\nX-A']) {
      const { promise: asked, resolve } = Promise.withResolvers<void>()
      const pinged = ping(await rawServer((socket) => void socket.write(half, () => resolve())), 12_345)
      await asked
      passDeadline()
      expect(await pinged).toEqual({ ok: false, error: 'no answer within 12345 ms' })
    }
  })

  test('ends where the server drops the connection or answers with something else than HTTP', async () => {
    const drops = await rawServer((socket) => void socket.destroy())
    const resets = await rawServer((socket) => void socket.resetAndDestroy())
    const noise = await rawServer((socket) => void socket.end('220 mail.example ESMTP\r\n'))
    for (const url of [drops, resets, noise]) {
      const sent = await ping(url, 5_000)
      expect(sent.ok).toBe(false)
      expect(sent.ok ? '' : sent.error).toMatch(/^no answer \([A-Z_]+\)$/)
    }
  })

  test('ends where no one listens, where no name answers and where there is no address', async () => {
    const url = await rawServer(() => undefined)
    await opened.pop()?.close()
    for (const address of [url, `http://no-such-host.invalid/${SECRET}`, 'http://[broken', 'nothing']) {
      const sent = await ping(address, 5_000)
      expect(sent.ok).toBe(false)
      expect(JSON.stringify(sent)).not.toContain(SECRET)
      expect(JSON.stringify(sent)).not.toContain('no-such-host')
    }
  })
})

test('/start and /fail stand behind the path and before the query, with one slash', () => {
  expect(pingAddress('https://hc.example/ping/abc', 'well')).toBe('https://hc.example/ping/abc')
  expect(pingAddress('https://hc.example/ping/abc/', 'fail')).toBe('https://hc.example/ping/abc/fail')
  expect(pingAddress('https://hc.example/ping/abc?create=1', 'start')).toBe(
    'https://hc.example/ping/abc/start?create=1',
  )
})

import type { Socket } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { type LinkCall, openLink } from '../../../../src/daemon/guard/link.ts'
import { holdTimers } from '../../../support/held-timer.ts'
import { rawServer, type RawServer } from '../../base/http/raw-server.ts'

const LIMITS = { maxBytes: 1_000, connections: 2 }
const READ: LinkCall = {
  method: 'GET',
  path: '/a?b=c',
  headers: { accept: 'x/y' },
  body: null,
  timeoutMs: 5_000,
}
const WRITE: LinkCall = {
  ...READ,
  method: 'PATCH',
  path: '/spread',
  body: '{"bidBps":50,"who":"é"}',
}
/** A deadline that passes when the test says so. */
const HELD_MS = 12_345
const ANSWER = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\nx-word: yes\r\n\r\n{}'

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

/** A server of bytes, and a link to it. */
async function linked(answer: (socket: Socket, request: string) => void) {
  const server: RawServer = await rawServer(answer)
  const link = openLink(server.origin, LIMITS)
  ends.push(link.close, () => server.close())
  return { server, link }
}

describe('A link', () => {
  test('sends one request as it is asked to, and gives back status, headers and text', async () => {
    const { server, link } = await linked((socket) => socket.write(ANSWER))
    expect(await link.send(READ)).toMatchObject({
      ok: true,
      value: { status: 200, text: '{}', headers: { 'x-word': 'yes' } },
    })
    const text = server.connections[0]?.text ?? ''
    expect(text.startsWith('GET /a?b=c HTTP/1.1\r\n')).toBe(true)
    expect(text).toContain('accept: x/y\r\n')
    expect(text).not.toContain('content-length')
  })

  test('states the length of a body in bytes, not in letters', async () => {
    const { server, link } = await linked((socket) => socket.write(ANSWER))
    await link.send(WRITE)
    const text = server.connections[0]?.text ?? ''
    expect(text).toContain(`content-length: ${Buffer.byteLength(WRITE.body ?? '')}\r\n`)
  })

  test('uses a connection again, and makes no third one where two are allowed', async () => {
    const held: Socket[] = []
    const { server, link } = await linked((socket) => {
      // The first two answers wait for one another: both connections are busy meanwhile.
      held.push(socket)
      if (held.length > 1) for (const one of held.splice(0, held.length)) one.write(ANSWER)
    })
    await Promise.all([1, 2, 3, 4].map(() => link.send(READ)))
    expect(server.connections).toHaveLength(2)
  })

  test('resets a connection on which no answer came in time, so that nothing of a write is delivered later', async () => {
    const passDeadline = holdTimers(HELD_MS)
    const { promise: arrived, resolve } = Promise.withResolvers<void>()
    const { server, link } = await linked(() => resolve())
    const answer = link.send({ ...WRITE, timeoutMs: HELD_MS })
    await arrived
    passDeadline()
    expect(await answer).toEqual({ ok: false, error: 'no whole answer within 12345 ms' })
    expect(await server.connections[0]?.ended).toBe('reset')
  })

  test('counts the time until the whole answer is there: a head alone does not count', async () => {
    const passDeadline = holdTimers(HELD_MS)
    const { promise: sent, resolve } = Promise.withResolvers<void>()
    const { link } = await linked((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{', () => resolve())
    })
    const answer = link.send({ ...READ, timeoutMs: HELD_MS })
    await sent
    passDeadline()
    expect(await answer).toEqual({ ok: false, error: expect.stringContaining('12345 ms') as string })
  })

  test('takes no answer that is longer than allowed, whatever it states', async () => {
    const long = `HTTP/1.1 200 OK\r\ncontent-length: 4000\r\n\r\n${'x'.repeat(4_000)}`
    const { link } = await linked((socket) => socket.write(long))
    expect(await link.send(READ)).toEqual({ ok: false, error: 'the answer is larger than 1000 bytes' })
  })

  test('reports an answer that breaks off, a connection that closes, and bytes that are no HTTP, each once', async () => {
    const broken = await linked((socket) => {
      socket.end('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{')
    })
    expect(await broken.link.send(READ)).toMatchObject({
      ok: false,
      error: expect.stringMatching(/broke off|no answer/),
    })
    const closed = await linked((socket) => socket.destroy())
    expect(await closed.link.send(READ)).toEqual({ ok: false, error: 'no answer (ECONNRESET)' })
    const noise = await linked((socket) => socket.write('220 mail.example\r\n\r\n'))
    expect(await noise.link.send(READ)).toMatchObject({
      ok: false,
      error: expect.stringContaining('no answer (HPE_'),
    })
  })

  test('reports a port on which no one listens by its code, and never what was sent', async () => {
    const { server, link } = await linked(() => undefined)
    await server.close()
    const answer = await link.send({ ...WRITE, headers: { authorization: 'Bearer a-secret' } })
    expect(answer.ok ? '' : answer.error).toMatch(/ECONNREFUSED.*127\.0\.0\.1.*\d+ ms/)
  })

  test('follows no redirect and repeats nothing', async () => {
    const moved = 'HTTP/1.1 307 Temporary Redirect\r\nlocation: /b\r\ncontent-length: 0\r\n\r\n'
    const { server, link } = await linked((socket) => socket.write(moved))
    expect(await link.send(READ)).toMatchObject({ ok: true, value: { status: 307 } })
    expect(server.connections.map(({ text }) => text.split('\r\n\r\n').length - 1)).toEqual([1])
  })
})

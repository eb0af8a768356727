import { rmSync } from 'node:fs'
import { createServer as createSecureServer } from 'node:https'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { type LinkCall, openLink } from '../../../src/guard/link.ts'
import { needs } from '../../support/needs.ts'
import { ownCertificate } from '../../support/own-certificate.ts'
import { rawServer, type RawServer } from '../http/raw-server.ts'

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
  timeoutMs: 200,
}
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
    await link.send({ ...WRITE, timeoutMs: 5_000 })
    const text = server.connections[0]?.text ?? ''
    expect(text).toContain(`content-length: ${Buffer.byteLength(WRITE.body ?? '')}\r\n`)
  })

  test('uses a connection again, and makes no third one where two are allowed', async () => {
    const { server, link } = await linked((socket) => setTimeout(() => socket.write(ANSWER), 50))
    await Promise.all([1, 2, 3, 4].map(() => link.send(READ)))
    expect(server.connections).toHaveLength(2)
  })

  test('resets a connection on which no answer came in time, so that nothing of a write is delivered later', async () => {
    const { server, link } = await linked(() => undefined)
    expect(await link.send(WRITE)).toEqual({ ok: false, error: 'no whole answer within 200 ms' })
    await expect.poll(() => server.connections.map(({ ending }) => ending)).toEqual(['reset'])
  })

  test('counts the time until the whole answer is there: a head alone is none', async () => {
    const { link } = await linked((socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{'))
    expect(await link.send({ ...READ, timeoutMs: 300 })).toEqual({
      ok: false,
      error: 'no whole answer within 300 ms',
    })
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

  test('reports a port on which nobody listens by its code, and never what was sent', async () => {
    const { server, link } = await linked(() => undefined)
    await server.close()
    const answer = await link.send({ ...WRITE, headers: { authorization: 'Bearer a-secret' } })
    expect(answer).toEqual({ ok: false, error: 'no answer (ECONNREFUSED)' })
  })

  test('follows no redirect and repeats nothing', async () => {
    const moved = 'HTTP/1.1 307 Temporary Redirect\r\nlocation: /b\r\ncontent-length: 0\r\n\r\n'
    const { server, link } = await linked((socket) => socket.write(moved))
    expect(await link.send(READ)).toMatchObject({ ok: true, value: { status: 307 } })
    expect(server.connections.map(({ text }) => text.split('\r\n\r\n').length - 1)).toEqual([1])
  })
})

describe.skipIf(needs('openssl'))('A link under TLS', () => {
  async function secureServer(answers: boolean) {
    const own = ownCertificate()
    const server = createSecureServer({ key: own.key, cert: own.cert }, (request, response) => {
      request.resume()
      if (answers) response.end('{"secure":true}')
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    ends.push(
      () => server.close(),
      () => server.closeAllConnections(),
      () => rmSync(own.folder, { recursive: true }),
    )
    const { port } = server.address() as AddressInfo
    return { origin: `https://127.0.0.1:${port}`, port, cert: own.cert }
  }
  /** Passes bytes on, and shows how each connection to it ended. */
  async function watchedWay(to: number) {
    const endings: string[] = []
    const server = createServer((near) => {
      const far = connect(to, '127.0.0.1')
      far.on('error', () => near.destroy())
      near.on('error', ({ code }: NodeJS.ErrnoException) => endings.push(String(code)))
      near.on('end', () => endings.push('closed'))
      near.on('close', () => far.destroy())
      near.pipe(far).pipe(near)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    ends.push(() => server.close())
    return { port: (server.address() as AddressInfo).port, endings }
  }
  const open = (origin: string, ca?: string) => {
    const link = openLink(origin, { ...LIMITS, ...(ca === undefined ? {} : { ca }) })
    ends.push(link.close)
    return link
  }

  test('takes a certificate of the authority that it was given, for this name alone, and no other one', async () => {
    const { origin, port, cert } = await secureServer(true)
    expect(await open(origin, cert).send(READ)).toMatchObject({
      ok: true,
      value: { text: '{"secure":true}' },
    })
    expect(await open(origin).send(READ)).toEqual({
      ok: false,
      error: 'no answer (DEPTH_ZERO_SELF_SIGNED_CERT)',
    })
    expect(await open(`https://localhost:${port}`, cert).send(READ)).toEqual({
      ok: false,
      error: 'no answer (ERR_TLS_CERT_ALTNAME_INVALID)',
    })
  })

  test('resets the TCP connection under it as well', async () => {
    const { port: to, cert } = await secureServer(false)
    const { port, endings } = await watchedWay(to)
    const answer = await open(`https://127.0.0.1:${port}`, cert).send({ ...WRITE, timeoutMs: 1_000 })
    expect(answer).toEqual({ ok: false, error: 'no whole answer within 1000 ms' })
    await expect.poll(() => endings).toEqual(['ECONNRESET'])
  })

  test('reports a port on which nobody listens, and one that speaks no TLS', async () => {
    const server = await rawServer((socket) => socket.write(ANSWER))
    const { port } = server
    const link = open(`https://127.0.0.1:${port}`)
    ends.push(() => server.close())
    const plain = link.send({ ...READ, timeoutMs: 400 })
    expect((await plain).ok).toBe(false)
    await server.close()
    ends.pop()
    expect(await link.send(READ)).toEqual({ ok: false, error: 'no answer (ECONNREFUSED)' })
  })
})

import { rmSync } from 'node:fs'
import { createServer as createSecureServer } from 'node:https'
import { type AddressInfo, connect, createServer } from 'node:net'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { type LinkCall, openLink } from '../../../src/daemon/guard/link.ts'
import { getOnce } from '../../../src/base/http/client.ts'
import { ping } from '../../../src/base/http/ping.ts'
import { needs } from '../../support/needs.ts'
import { ownCertificate } from '../../support/own-certificate.ts'
import { rawServer } from '../../unit/base/http/raw-server.ts'

const LIMITS = { maxBytes: 1_000, connections: 2 }
const READ: LinkCall = { method: 'GET', path: '/a?b=c', headers: {}, body: null, timeoutMs: 5_000 }
const WRITE: LinkCall = { ...READ, method: 'PATCH', path: '/spread', body: '{"bidBps":50}', timeoutMs: 1_000 }
const ANSWER = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}'

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
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

  test('verifies certificates whatever NODE_TLS_REJECT_UNAUTHORIZED is, as the daemon and the heartbeat do', async () => {
    const { origin } = await secureServer(true)
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
    ends.push(vi.unstubAllEnvs)
    const refused = 'DEPTH_ZERO_SELF_SIGNED_CERT'
    expect(await open(origin).send(READ)).toMatchObject({ ok: false, error: `no answer (${refused})` })
    expect(await getOnce(origin, { timeoutMs: 5_000, maxBytes: 1_000 })).toMatchObject({
      error: { code: refused },
    })
    expect(await ping(origin, 5_000)).toMatchObject({ ok: false, error: `no answer (${refused})` })
  })

  test('resets the TCP connection under it as well', async () => {
    const { port: to, cert } = await secureServer(false)
    const { port, endings } = await watchedWay(to)
    const answer = await open(`https://127.0.0.1:${port}`, cert).send(WRITE)
    expect(answer).toEqual({ ok: false, error: expect.stringContaining('1000 ms') as string })
    await expect.poll(() => endings).toEqual(['ECONNRESET'])
  })

  test('reports a port on which no one listens, and one that speaks no TLS', async () => {
    const server = await rawServer((socket) => socket.write(ANSWER))
    const { port } = server
    const link = open(`https://127.0.0.1:${port}`)
    ends.push(() => server.close())
    const plain = link.send({ ...READ, timeoutMs: 400 })
    expect((await plain).ok).toBe(false)
    await server.close()
    ends.pop()
    const error = expect.stringMatching(/^no answer \(ECONNREFUSED\): 127\.0\.0\.1 failed/) as string
    expect(await link.send(READ)).toEqual({ ok: false, error })
  })
})

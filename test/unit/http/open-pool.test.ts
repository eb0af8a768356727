import { rmSync } from 'node:fs'
import { connect, createServer, type AddressInfo, type Server } from 'node:net'
import { createServer as createTlsServer, getCACertificates, setDefaultCACertificates } from 'node:tls'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { exchange, type HttpRequest } from '../../../src/http/exchange.ts'
import { openPool } from '../../../src/http/open-pool.ts'
import { needs } from '../../support/needs.ts'
import { ownCertificate } from '../../support/own-certificate.ts'
import { rawServer, type Ending } from './raw-server.ts'

const WRITE: HttpRequest = { method: 'PATCH', path: '/spread', headers: {}, body: '{"bidBps":50}' }
const READ: HttpRequest = { method: 'GET', path: '/rate', headers: {}, body: null }
const LIMITS = { timeoutMs: 200, maxBytes: 1_000 }
const ANSWER = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}'
const opened: { close(): unknown }[] = []

afterEach(async () => {
  for (const thing of opened.splice(0)) await thing.close()
})

function poolOf(origin: string, keepAliveMs = 4_000) {
  const pool = openPool(origin, { connections: 1, connectTimeoutMs: 5_000, keepAliveMs })
  opened.push({ close: () => pool.destroy() })
  return pool
}

/**
 * Stands between a client and nobody: bytes go in, none come out, as in a partition. Shows how the client
 * ended the connection.
 */
async function blackHole() {
  const endings: Ending[] = []
  const server = createServer((socket) => {
    const number = endings.push('open') - 1
    socket.on('end', () => (endings[number] = 'closed'))
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNRESET') endings[number] = 'reset'
    })
    socket.resume()
  })
  return { endings, port: await listen(server) }
}

/** Passes bytes both ways and shows how the client ended its connection. */
async function proxyTo(target: number) {
  const endings: Ending[] = []
  const server = createServer((socket) => {
    const number = endings.push('open') - 1
    const onward = connect(target, '127.0.0.1')
    onward.on('error', () => undefined)
    socket.on('end', () => (endings[number] = 'closed'))
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNRESET') endings[number] = 'reset'
    })
    socket.on('close', () => onward.destroy())
    socket.pipe(onward)
    onward.pipe(socket)
  })
  return { endings, port: await listen(server) }
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  opened.push({ close: () => void server.close() })
  return (server.address() as AddressInfo).port
}

describe('a connection', () => {
  test('whose write got no answer in time is reset, so that nothing of it is delivered later', async () => {
    const { endings, port } = await blackHole()
    const result = await exchange(poolOf(`http://127.0.0.1:${port}`), WRITE, LIMITS)
    expect(result).toMatchObject({ ok: false, error: { kind: 'timeout', wasSent: true } })
    await expect.poll(() => endings).toEqual(['reset'])
  })

  test('that is closed by hand with the same bytes on it is not reset: the difference is the pool', async () => {
    const { endings, port } = await blackHole()
    const socket = connect(port, '127.0.0.1')
    socket.write('PATCH /spread HTTP/1.1\r\n\r\n')
    await expect.poll(() => endings.length).toBe(1)
    socket.destroy()
    await expect.poll(() => endings).toEqual(['closed'])
  })

  test('is reset when the pool is destroyed with a write under way', async () => {
    const { endings, port } = await blackHole()
    const pool = poolOf(`http://127.0.0.1:${port}`)
    const pending = exchange(pool, WRITE, { ...LIMITS, timeoutMs: 5_000 })
    await expect.poll(() => endings.length).toBe(1)
    await pause(20)
    await pool.destroy()
    expect(await pending).toMatchObject({ ok: false, error: { wasSent: true } })
    await expect.poll(() => endings).toEqual(['reset'])
  })

  test('on which nothing is under way is closed in order when it was idle for long', async () => {
    const server = await rawServer((socket) => socket.write(ANSWER))
    opened.push(server)
    expect(await exchange(poolOf(server.origin, 1_200), READ, { ...LIMITS, timeoutMs: 5_000 })).toMatchObject(
      { ok: true },
    )
    await expect.poll(() => server.connections[0]?.ending, { timeout: 5_000 }).toBe('closed')
  })
})

describe('a connection under TLS', () => {
  test.skipIf(needs('openssl'))('is reset as well: the TCP socket under it is what is reset', async () => {
    const { key, cert, folder } = ownCertificate()
    opened.push({ close: () => rmSync(folder, { recursive: true }) })
    const before = getCACertificates('default')
    setDefaultCACertificates([...before, cert])
    opened.push({ close: () => setDefaultCACertificates(before) })
    const bodies: string[] = []
    const server = createTlsServer({ key, cert }, (socket) => {
      let text = ''
      socket.on('error', () => undefined)
      socket.on('data', (chunk) => {
        text += chunk.toString('latin1')
        if (text.startsWith('GET') && text.endsWith('\r\n\r\n')) socket.write(ANSWER)
        if (text.includes('{"bidBps":50}')) bodies.push(text)
      })
    })
    const { endings, port } = await proxyTo(await listen(server))
    const pool = poolOf(`https://127.0.0.1:${port}`)
    expect(await exchange(pool, READ, { ...LIMITS, timeoutMs: 5_000 })).toMatchObject({ ok: true })
    const late = await exchange(pool, WRITE, LIMITS)
    expect(late).toMatchObject({ ok: false, error: { kind: 'timeout', wasSent: true } })
    expect(bodies).toHaveLength(1)
    await expect.poll(() => endings).toEqual(['reset'])
  })
})

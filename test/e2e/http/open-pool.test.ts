import { rmSync } from 'node:fs'
import { connect, createServer, type AddressInfo, type Server } from 'node:net'
import { createServer as createTlsServer, getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterEach, describe, expect, test } from 'vitest'
import { exchange, type HttpRequest } from '../../../src/base/http/exchange.ts'
import { openRequestPool } from '../../../src/base/http/open-pool.ts'
import { needs } from '../../support/needs.ts'
import { ownCertificate } from '../../support/own-certificate.ts'
import type { Ending } from '../../unit/base/http/raw-server.ts'

const WRITE: HttpRequest = { method: 'PATCH', path: '/spread', headers: {}, body: '{"bidBps":50}' }
const READ: HttpRequest = { method: 'GET', path: '/rate', headers: {}, body: null }
const LIMITS = { timeoutMs: 200, maxBytes: 1_000 }
const ANSWER = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}'
const opened: { close(): unknown }[] = []

afterEach(async () => {
  for (const thing of opened.splice(0)) await thing.close()
})

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
    const pool = openRequestPool(`https://127.0.0.1:${port}`, { connections: 1, connectTimeoutMs: 5_000 })
    opened.push({ close: () => pool.destroy() })
    expect(await exchange(pool, READ, { ...LIMITS, timeoutMs: 5_000 })).toMatchObject({ ok: true })
    const late = await exchange(pool, WRITE, LIMITS)
    expect(late).toMatchObject({ ok: false, error: { kind: 'timeout', wasSent: true } })
    expect(bodies).toHaveLength(1)
    await expect.poll(() => endings).toEqual(['reset'])
  })
})

import type { Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, test } from 'vitest'
import { exchange, type HttpLimits, type HttpRequest } from '../../../src/http/exchange.ts'
import { openPool } from '../../../src/http/open-pool.ts'
import { rawServer, type RawServer } from './raw-server.ts'

const READ: HttpRequest = { method: 'GET', path: '/rate', headers: {}, body: null }
const WRITE: HttpRequest = { method: 'PATCH', path: '/spread', headers: {}, body: '{"bidBps":50}' }
const LIMITS: HttpLimits = { timeoutMs: 5_000, maxBytes: 10_000 }
/** For answers that never end: the deadline is the claim. */
/** Long enough for a head to come on a busy machine. */
const SHORT: HttpLimits = { timeoutMs: 1_500, maxBytes: 10_000 }
const opened: { close(): Promise<void> }[] = []

afterEach(async () => {
  await Promise.all(opened.splice(0).map((thing) => thing.close()))
})

async function serve(answer: Parameters<typeof rawServer>[0]): Promise<RawServer> {
  const server = await rawServer(answer)
  opened.push(server)
  return server
}

function poolOf(origin: string, connections = 1) {
  const pool = openPool(origin, { connections, connectTimeoutMs: 5_000 })
  opened.push({ close: () => pool.destroy() })
  return pool
}

async function ask(answer: Parameters<typeof rawServer>[0], limits = LIMITS, request = READ) {
  const server = await serve(answer)
  const began = performance.now()
  const result = await exchange(poolOf(server.origin), request, limits)
  return { result, tookMs: performance.now() - began, server }
}

/** Writes the same bytes again and again until the other side is gone. */
function forever(socket: Socket, bytes: string, everyMs: number): void {
  const timer = setInterval(() => socket.write(bytes), everyMs)
  socket.on('close', () => clearInterval(timer))
}

const HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n'

describe('an answer that lies about its time', () => {
  test.each<[string, (socket: Socket) => void, number | null]>([
    ['one byte of a head every 20 ms', (socket) => forever(socket, 'H', 20), null],
    [
      'one header a moment and no end of the head',
      (socket) => {
        socket.write(HEAD)
        forever(socket, 'x-a: 1\r\n', 5)
      },
      null,
    ],
    [
      'one byte of a body every 20 ms',
      (socket) => {
        socket.write(`${HEAD}content-length: 5000\r\n\r\n`)
        forever(socket, ' ', 20)
      },
      200,
    ],
    [
      'chunks without end, each of one byte',
      (socket) => {
        socket.write(`${HEAD}transfer-encoding: chunked\r\n\r\n`)
        forever(socket, '1\r\n \r\n', 10)
      },
      200,
    ],
    ['early hints without end', (socket) => forever(socket, 'HTTP/1.1 103 Early Hints\r\n\r\n', 10), null],
    [
      'a content-length that promises more than comes',
      (socket) => socket.write(`${HEAD}content-length: 100\r\n\r\n{}`),
      200,
    ],
  ])('%s ends at the deadline, and its connection is reset', async (_, lie, status) => {
    const { result, tookMs, server } = await ask(lie, SHORT, WRITE)
    if (result.ok) throw new Error('an answer')
    const { kind } = result.error
    expect(['timeout', 'network']).toContain(kind)
    expect(result.error).toMatchObject({ wasSent: true })
    if (kind === 'timeout') expect(result.error.status).toBe(status)
    expect(tookMs).toBeLessThan(10_000)
    await expect.poll(() => server.connections[0]?.ending).toBe('reset')
  })
})

describe('an answer that lies about its size', () => {
  test('a head of 1 MB is refused before it is read whole', async () => {
    const { result, server } = await ask((socket) =>
      socket.write(`${HEAD}x-a: ${'a'.repeat(1_000_000)}\r\ncontent-length: 2\r\n\r\n{}`),
    )
    expect(result).toMatchObject({ ok: false, error: { kind: 'network', wasSent: true } })
    await expect.poll(() => server.connections[0]?.ending).toBe('reset')
  })

  test('a body beyond the cap ends the exchange at the cap, whatever its head announced', async () => {
    for (const head of ['transfer-encoding: chunked', `content-length: ${2 ** 40}`, 'connection: close']) {
      const { result, server } = await ask((socket) => {
        socket.write(`${HEAD}${head}\r\n\r\n`)
        const text = 'x'.repeat(4_000)
        forever(socket, head.startsWith('transfer') ? `fa0\r\n${text}\r\n` : text, 1)
      })
      expect(result).toMatchObject({ ok: false, error: { kind: 'too-large', status: 200, wasSent: true } })
      await expect.poll(() => server.connections[0]?.ending).toBe('reset')
    }
  })

  test('a gzip bomb stays the bytes that came: nothing asked for compression and nothing is unpacked', async () => {
    const bomb = gzipSync(Buffer.alloc(5_000_000))
    expect(bomb.byteLength).toBeLessThan(LIMITS.maxBytes)
    const { result, server } = await ask((socket) => {
      socket.write(`${HEAD}content-encoding: gzip\r\ncontent-length: ${bomb.byteLength}\r\n\r\n`)
      socket.write(bomb)
    })
    if (!result.ok) throw new Error(result.error.words)
    expect(result.value.text.length).toBeLessThanOrEqual(bomb.byteLength)
    expect(server.connections[0]?.text).not.toMatch(/accept-encoding/i)
  })

  test.each([
    ['a length that is no number', 'content-length: ten\r\n\r\n{}'],
    ['two different lengths', 'content-length: 2\r\ncontent-length: 3\r\n\r\n{}'],
    ['a chunk size that is none', 'transfer-encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n'],
    ['a chunk of 2^60 bytes', 'transfer-encoding: chunked\r\n\r\n1000000000000000\r\n{}\r\n'],
  ])('%s never becomes an answer', async (_, rest) => {
    const { result } = await ask((socket) => socket.write(`${HEAD}${rest}`), SHORT)
    expect(result).toMatchObject({ ok: false, error: { wasSent: true } })
  })

  test('an answer that comes with a second one does not answer the next request', async () => {
    const answer = (text: string) => `${HEAD}content-length: ${text.length}\r\n\r\n${text}`
    const server = await serve((socket, _request, connection) => {
      socket.write(connection === 0 ? `${answer('{"n":1}')}${answer('{"n":"smuggled"}')}` : answer('{"n":2}'))
    })
    const pool = poolOf(server.origin)
    const texts: string[] = []
    for (let turn = 0; turn < 3; turn++) {
      const result = await exchange(pool, READ, LIMITS)
      texts.push(result.ok ? result.value.text : result.error.kind)
    }
    expect(texts.join(' ')).not.toContain('smuggled')
    expect(texts.at(-1)).toBe('{"n":2}')
  })

  test('a redirect is an answer and is not followed', async () => {
    const { result, server } = await ask((socket) =>
      socket.write('HTTP/1.1 302 Found\r\nlocation: /elsewhere\r\ncontent-length: 0\r\n\r\n'),
    )
    expect(result).toMatchObject({ ok: true, value: { status: 302 } })
    expect(server.connections.map(({ text }) => text.split(' ')[1])).toEqual(['/rate'])
  })
})

describe('whether a request was sent', () => {
  test('is known for certain where nobody listens, where the name is none, and where the pool is closed', async () => {
    const server = await rawServer(() => undefined)
    await server.close()
    const closed = poolOf(server.origin)
    await closed.destroy()
    for (const pool of [poolOf(server.origin), poolOf('http://name.invalid'), closed])
      expect(await exchange(pool, WRITE, LIMITS)).toMatchObject({ ok: false, error: { wasSent: false } })
  })

  test('is certainly not while it waits for a connection: it is not sent after its deadline either', async () => {
    const held: Socket[] = []
    const server = await serve((socket) => held.push(socket))
    const pool = poolOf(server.origin)
    const first = exchange(pool, READ, { timeoutMs: 20_000, maxBytes: 100 })
    await expect.poll(() => held.length).toBe(1)
    const second = await exchange(pool, WRITE, { timeoutMs: 50, maxBytes: 100 })
    expect(second).toMatchObject({ ok: false, error: { kind: 'timeout', wasSent: false, status: null } })
    held[0]?.write(`${HEAD}content-length: 2\r\n\r\n{}`)
    expect(await first).toMatchObject({ ok: true })
    expect(await exchange(pool, READ, SHORT)).toMatchObject({ ok: false, error: { wasSent: true } })
    expect(server.connections.map(({ text }) => text).join('')).not.toContain('PATCH')
  })

  test('is certainly so once it was written, also when the connection is cut without an answer', async () => {
    const { result } = await ask((socket) => socket.resetAndDestroy(), LIMITS, WRITE)
    expect(result).toMatchObject({
      ok: false,
      error: { kind: 'network', wasSent: true, status: null },
    })
  })
})

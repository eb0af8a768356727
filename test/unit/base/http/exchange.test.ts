import type { Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { exchange, type HttpLimits, type HttpRequest } from '../../../../src/base/http/exchange.ts'
import { openRequestPool } from '../../../../src/base/http/open-pool.ts'
import { holdTimers } from '../../../support/held-timer.ts'
import { rawServer, type RawServer } from './raw-server.ts'

const READ: HttpRequest = { method: 'GET', path: '/rate', headers: {}, body: null }
const WRITE: HttpRequest = { method: 'PATCH', path: '/spread', headers: {}, body: '{"bidBps":50}' }
const LIMITS: HttpLimits = { timeoutMs: 5_000, maxBytes: 10_000 }
/** The deadline passes when the test says so. */
const HELD: HttpLimits = { timeoutMs: 12_345, maxBytes: 10_000 }

async function serve(answer: Parameters<typeof rawServer>[0]): Promise<RawServer> {
  const server = await rawServer(answer)
  onTestFinished(() => server.close())
  return server
}

function poolOf(origin: string, connections = 1) {
  const pool = openRequestPool(origin, { connections, connectTimeoutMs: 5_000 })
  onTestFinished(() => pool.destroy())
  return pool
}

async function ask(answer: Parameters<typeof rawServer>[0], request = READ) {
  const server = await serve(answer)
  return { result: await exchange(poolOf(server.origin), request, LIMITS), server }
}

/** Lets the deadline pass as soon as a part of the body has come, or the server says that it has sent enough. */
async function askTooLong(answer: (socket: Socket, isEnough: () => void) => void) {
  const { promise: enough, resolve } = Promise.withResolvers<void>()
  const passDeadline = holdTimers(HELD.timeoutMs)
  const server = await serve((socket) => answer(socket, resolve))
  let bytes = 0
  const onChunk = (chunk: Uint8Array) => {
    bytes += chunk.byteLength
    if (bytes > 1) resolve()
  }
  const timers = vi.spyOn(globalThis, 'setTimeout')
  const pending = exchange(poolOf(server.origin), WRITE, { ...HELD, onChunk })
  await Promise.race([enough, pending])
  // A deadline that is set anew with each part would never pass.
  expect(timers.mock.calls.filter(([, ms]) => ms === HELD.timeoutMs)).toHaveLength(1)
  timers.mockRestore()
  passDeadline()
  return { result: await pending, server }
}

/** Writes the same bytes again and again, this often or until the other side is gone. */
function repeat(socket: Socket, bytes: string, times = Infinity, then = () => {}): void {
  if (times === 0 || socket.destroyed) then()
  else socket.write(bytes, () => setImmediate(() => repeat(socket, bytes, times - 1, then)))
}

const HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n'

describe('an answer that lies about its time', () => {
  test.each<[string, (socket: Socket, isEnough: () => void) => void, number | null]>([
    ['one byte of a head after another', (socket, isEnough) => repeat(socket, 'H', 3, isEnough), null],
    [
      'one header after another and no end of the head',
      (socket, isEnough) => {
        socket.write(HEAD)
        repeat(socket, 'x-a: 1\r\n', 3, isEnough)
      },
      null,
    ],
    [
      'one byte of a body after another',
      (socket) => {
        socket.write(`${HEAD}content-length: 5000\r\n\r\n`)
        repeat(socket, ' ', 3)
      },
      200,
    ],
    [
      'chunks of one byte and no last one',
      (socket) => {
        socket.write(`${HEAD}transfer-encoding: chunked\r\n\r\n`)
        repeat(socket, '1\r\n \r\n', 3)
      },
      200,
    ],
    [
      'early hints and no answer',
      (socket, isEnough) => repeat(socket, 'HTTP/1.1 103 Early Hints\r\n\r\n', 3, isEnough),
      null,
    ],
    [
      'a content-length that promises more than comes',
      (socket) => socket.write(`${HEAD}content-length: 100\r\n\r\n{}`),
      200,
    ],
  ])('%s ends at the deadline, and its connection is reset', async (_, lie, status) => {
    const { result, server } = await askTooLong(lie)
    if (result.ok) throw new Error('an answer')
    const { kind } = result.error
    expect(['timeout', 'network']).toContain(kind)
    expect(result.error).toMatchObject({ wasSent: true })
    if (kind === 'timeout') expect(result.error.status).toBe(status)
    expect(await server.connections[0]?.ended).toBe('reset')
  })
})

describe('an answer that lies about its size', () => {
  test('a head of 1 MB is refused before it is read whole', async () => {
    const { result, server } = await ask((socket) =>
      socket.write(`${HEAD}x-a: ${'a'.repeat(1_000_000)}\r\ncontent-length: 2\r\n\r\n{}`),
    )
    expect(result).toMatchObject({ ok: false, error: { kind: 'network', wasSent: true } })
    expect(await server.connections[0]?.ended).toBe('reset')
  })

  test('a body beyond the cap ends the exchange at the cap, whatever its head announced', async () => {
    for (const head of ['transfer-encoding: chunked', `content-length: ${2 ** 40}`, 'connection: close']) {
      const { result, server } = await ask((socket) => {
        socket.write(`${HEAD}${head}\r\n\r\n`)
        const text = 'x'.repeat(4_000)
        repeat(socket, head.startsWith('transfer') ? `fa0\r\n${text}\r\n` : text)
      })
      expect(result).toMatchObject({ ok: false, error: { kind: 'too-large', status: 200, wasSent: true } })
      expect(await server.connections[0]?.ended).toBe('reset')
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
    const { result } = await askTooLong((socket) => socket.write(`${HEAD}${rest}`))
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
  test('is known for certain where no one listens, where the name is invalid, and where the pool is closed', async () => {
    const server = await rawServer(() => undefined)
    await server.close()
    const closed = poolOf(server.origin)
    await closed.destroy()
    for (const pool of [poolOf(server.origin), poolOf('http://name.invalid'), closed])
      expect(await exchange(pool, WRITE, LIMITS)).toMatchObject({ ok: false, error: { wasSent: false } })
  })

  test('is certainly not while it waits for a connection: it is not sent after its deadline either', async () => {
    const passDeadline = holdTimers(HELD.timeoutMs)
    const requests = [Promise.withResolvers<Socket>(), Promise.withResolvers<Socket>()] as const
    let count = 0
    const server = await serve((socket) => requests[count++]?.resolve(socket))
    const pool = poolOf(server.origin)
    const first = exchange(pool, READ, { timeoutMs: 20_000, maxBytes: 100 })
    const held = await requests[0].promise
    const second = exchange(pool, WRITE, HELD)
    passDeadline()
    expect(await second).toMatchObject({
      ok: false,
      error: { kind: 'timeout', wasSent: false, status: null },
    })
    held.write(`${HEAD}content-length: 2\r\n\r\n{}`)
    expect(await first).toMatchObject({ ok: true })
    const third = exchange(pool, READ, HELD)
    await requests[1].promise
    passDeadline()
    expect(await third).toMatchObject({ ok: false, error: { wasSent: true } })
    expect(server.connections.map(({ text }) => text).join('')).not.toContain('PATCH')
  })

  test('is certainly so once it was written, also when the connection is cut without an answer', async () => {
    const { result } = await ask((socket) => socket.resetAndDestroy(), WRITE)
    expect(result).toMatchObject({
      ok: false,
      error: { kind: 'network', wasSent: true, status: null },
    })
  })
})

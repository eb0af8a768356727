import { connect } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { exchange, type HttpRequest } from '../../../../src/base/http/exchange.ts'
import { openRequestPool } from '../../../../src/base/http/open-pool.ts'
import { holdTimers } from '../../../support/held-timer.ts'
import { rawServer } from './raw-server.ts'

const WRITE: HttpRequest = { method: 'PATCH', path: '/spread', headers: {}, body: '{"bidBps":50}' }
const READ: HttpRequest = { method: 'GET', path: '/rate', headers: {}, body: null }
const LIMITS = { timeoutMs: 12_345, maxBytes: 1_000 }
const ANSWER = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}'

function poolOf(origin: string, keepAliveMs = 4_000) {
  const pool = openRequestPool(origin, { connections: 1, connectTimeoutMs: 5_000, keepAliveMs })
  onTestFinished(() => pool.destroy())
  return pool
}

/** Stands between a client and no one: bytes go in, none come out, as in a partition. `arrived` = a request is here. */
async function blackHole() {
  const { promise: arrived, resolve } = Promise.withResolvers<void>()
  const server = await rawServer(() => resolve())
  onTestFinished(() => server.close())
  return { server, arrived, ending: () => server.connections[0]?.ended }
}

describe('a connection', () => {
  test('whose write got no answer in time is reset, so that nothing of it is delivered later', async () => {
    const passDeadline = holdTimers(LIMITS.timeoutMs)
    const { server, arrived, ending } = await blackHole()
    const result = exchange(poolOf(server.origin), WRITE, LIMITS)
    await arrived
    passDeadline()
    expect(await result).toMatchObject({ ok: false, error: { kind: 'timeout', wasSent: true } })
    expect(await ending()).toBe('reset')
  })

  test('that is closed by hand with the same bytes on it is not reset: the difference is the pool', async () => {
    const { server, arrived, ending } = await blackHole()
    const socket = connect(server.port, '127.0.0.1')
    socket.write('PATCH /spread HTTP/1.1\r\n\r\n')
    await arrived
    socket.destroy()
    expect(await ending()).toBe('closed')
  })

  test('is reset when the pool is destroyed with a write under way', async () => {
    const { server, arrived, ending } = await blackHole()
    const pool = poolOf(server.origin)
    const pending = exchange(pool, WRITE, LIMITS)
    await arrived
    await pool.destroy()
    expect(await pending).toMatchObject({ ok: false, error: { wasSent: true } })
    expect(await ending()).toBe('reset')
  })

  test('on which nothing is under way is closed in order when it was idle for long', async () => {
    const server = await rawServer((socket) => socket.write(ANSWER))
    onTestFinished(() => server.close())
    expect(await exchange(poolOf(server.origin, 1), READ, LIMITS)).toMatchObject({ ok: true })
    expect(await server.connections[0]?.ended).toBe('closed')
  })
})

import { connect, type Socket } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { consoleOf, position, WITH_TOKEN } from './console-fixture.ts'

/** A connection that sends part of a request and then nothing. */
async function halfOpen(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined)
  socket.resume()
  onTestFinished(() => void socket.destroy())
  await new Promise((resolve) => socket.once('connect', resolve))
  socket.write('GET /api/v1/state HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ')
  return socket
}

async function closed(socket: Socket): Promise<void> {
  if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve))
}

describe('A stranger cannot lock the kill switch: one who opens connections and sends nothing whole', () => {
  test('loses the oldest when all are taken, and keeps no one from health, state or the kill switch', async () => {
    const { port: desk, given } = position('a')
    const { ask, port } = await consoleOf({ positions: [desk], limits: { most: 16 } })
    const sockets: Socket[] = []
    for (let n = 0; n < 40; n++) sockets.push(await halfOpen(port))
    expect((await ask('/healthz')).status).toBe(200)
    expect((await ask('/api/v1/state')).status).toBe(200)
    expect((await ask('/api/v1/halt', { method: 'POST', headers: WITH_TOKEN })).status).toBe(200)
    expect(given).toHaveLength(1)
    await Promise.all(sockets.slice(0, 24).map(closed))
  })

  test('does not end a command that is under way', async () => {
    const command = Promise.withResolvers<{ accepted: boolean; answer: string }>()
    const { port: desk } = position('a', { command: () => command.promise })
    const { ask, port } = await consoleOf({ positions: [desk], limits: { most: 16 } })
    const answer = ask('/api/v1/deactivate', { method: 'POST', headers: WITH_TOKEN })
    for (let n = 0; n < 40; n++) await halfOpen(port)
    command.resolve({ accepted: true, answer: 'done' })
    expect((await answer).status).toBe(200)
  })

  test('a body that never ends counts as no request', async () => {
    const { ask, port } = await consoleOf({ limits: { most: 16 } })
    for (let n = 0; n < 30; n++) {
      const socket = await halfOpen(port)
      socket.write(
        `1\r\nAuthorization: ${WITH_TOKEN.authorization}\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n{`,
      )
    }
    expect((await ask('/healthz')).status).toBe(200)
  })
})

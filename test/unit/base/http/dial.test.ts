import { once } from 'node:events'
import { createServer, Socket, type AddressInfo, type Server } from 'node:net'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { openHttpClient } from '../../../../src/base/http/client.ts'
import { createDialler, type DialError, type DialWorld } from '../../../../src/base/http/dial.ts'
import { DialledStream } from '../../../../src/base/http/dialled-stream.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => void vi.useRealTimers())

async function listening(onSocket: (socket: Socket) => void): Promise<number> {
  const server: Server = createServer((socket) => {
    socket.on('error', () => undefined)
    onSocket(socket)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

/** Sockets that connect only when the test lets them, by their address. */
function heldSockets(addresses: readonly string[]) {
  const sockets = new Map<string, Socket>()
  const world: DialWorld = {
    lookUp: () => Promise.resolve(addresses),
    open(options) {
      const socket = new Socket()
      sockets.set((options as { host: string }).host, socket)
      return socket
    },
  }
  return { sockets, world }
}

type Outcome = { readonly error: DialError | null; readonly socket: Socket | null }

function dialled(world: DialWorld, timeoutMs = 10_000) {
  const outcomes: Outcome[] = []
  const ended = Promise.withResolvers<Outcome>()
  const dialler = createDialler(timeoutMs, world)
  dialler.dial('desk.example', 443, (error, socket) => {
    outcomes.push({ error, socket })
    ended.resolve({ error, socket })
  })
  return { outcomes, ended: ended.promise, tried: dialler.tried }
}

test('an address that needs 300 ms is reached, though the next one was tried after 250', async () => {
  const port = await listening(() => undefined)
  const { sockets, world } = heldSockets(['10.0.0.1', '10.0.0.2'])
  const { ended } = dialled(world)
  await vi.advanceTimersByTimeAsync(249)
  expect([...sockets.keys()]).toEqual(['10.0.0.1'])
  await vi.advanceTimersByTimeAsync(51)
  expect([...sockets.keys()]).toEqual(['10.0.0.1', '10.0.0.2'])
  expect(sockets.get('10.0.0.1')?.destroyed).toBe(false)
  sockets.get('10.0.0.1')?.connect(port, '127.0.0.1')
  const { socket } = await ended
  expect(socket).toBe(sockets.get('10.0.0.1'))
  expect(socket?.readyState).toBe('open')
  expect(sockets.get('10.0.0.2')?.destroyed).toBe(true)
  socket?.destroy()
})

test('the next address is tried at once when one fails, and the families take turns', async () => {
  const { sockets, world } = heldSockets(['10.0.0.1', '10.0.0.2', '::1', '::2'])
  const { ended } = dialled(world)
  const order = ['10.0.0.1', '::1', '10.0.0.2', '::2']
  for (const [index, address] of order.entries()) {
    await vi.advanceTimersByTimeAsync(0)
    expect([...sockets.keys()]).toEqual(order.slice(0, index + 1))
    sockets.get(address)?.emit('error', Object.assign(new Error('no'), { code: 'ECONNREFUSED' }))
  }
  const { error } = await ended
  expect(error).toMatchObject({ code: 'ECONNREFUSED', isLate: false })
  for (const address of order) expect(error?.message).toMatch(new RegExp(`${address} .*ECONNREFUSED`))
})

test('the deadline ends all attempts, with the addresses and the measured times', async () => {
  const { sockets, world } = heldSockets(['10.0.0.1', '10.0.0.2'])
  const { ended } = dialled(world, 1_000)
  await vi.advanceTimersByTimeAsync(1_000)
  const { error } = await ended
  expect(error).toMatchObject({ code: 'CONNECT_TIMEOUT', isLate: true })
  expect(error?.message).toBe(
    'no connection after 1000 ms: 10.0.0.1 did not answer within 1000 ms, 10.0.0.2 did not answer within 750 ms',
  )
  for (const socket of sockets.values()) expect(socket.destroyed).toBe(true)
})

test('a look-up that fails, or does not end, is an error with its code and time', async () => {
  const unknown = Object.assign(new Error('no'), { code: 'ENOTFOUND' })
  const { ended } = dialled({ lookUp: () => Promise.reject(unknown) })
  expect((await ended).error).toMatchObject({ code: 'ENOTFOUND', isLate: false })
  const late = dialled({ lookUp: () => new Promise(() => undefined) }, 500)
  await vi.advanceTimersByTimeAsync(500)
  expect((await late.ended).error?.message).toBe(
    'no connection after 500 ms: its name was looked up for 500 ms',
  )
})

test('whatever addresses do, one outcome is reported and every other socket is closed', async () => {
  const step = fc.record({ afterMs: fc.nat(600), at: fc.nat(5), fails: fc.boolean() })
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: 6 }),
      fc.array(step, { maxLength: 12 }),
      async (count, steps) => {
        const { sockets, world } = heldSockets(Array.from({ length: count }, (_, at) => `10.0.0.${at}`))
        const { outcomes } = dialled(world, 2_000)
        for (const { afterMs, at, fails } of steps) {
          await vi.advanceTimersByTimeAsync(afterMs)
          sockets.get(`10.0.0.${at}`)?.emit(fails ? 'error' : 'connect', new Error('no'))
        }
        await vi.advanceTimersByTimeAsync(2_000)
        expect(outcomes).toHaveLength(1)
        for (const socket of sockets.values()) expect(socket.destroyed).toBe(socket !== outcomes[0]?.socket)
      },
    ),
    { numRuns: 30 },
  )
})

test('a request whose deadline passes while it connects was not sent, and names the addresses', async () => {
  const { world } = heldSockets(['10.0.0.1', '10.0.0.2'])
  const http = openHttpClient({ connections: 1, timeoutMs: 1_000, maxBytes: 1_000, world })
  const sent = http.send({
    origin: 'https://desk.example',
    method: 'GET',
    path: '/',
    headers: {},
    body: null,
  })
  await vi.advanceTimersByTimeAsync(1_000)
  const answer = await sent
  expect(answer).toMatchObject({ ok: false, error: { kind: 'timeout', wasSent: false } })
  expect(JSON.stringify(answer)).toMatch(/10\.0\.0\.1 .* 1000 ms, 10\.0\.0\.2 /)
  await http.close()
})

test('a request is answered by the address that connects', async () => {
  const port = await listening((socket) => {
    socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'))
  })
  const world = { lookUp: () => Promise.resolve(['127.0.0.9', '127.0.0.1']) }
  const http = openHttpClient({ connections: 1, timeoutMs: 1_000, maxBytes: 1_000, world })
  const origin = `http://desk.example:${port}`
  const answer = await http.send({ origin, method: 'GET', path: '/', headers: {}, body: null })
  expect(answer).toMatchObject({ ok: true, value: { status: 200, text: 'ok' } })
  await http.close()
})

test('a stream that dials carries bytes both ways, what is written before it is connected included', async () => {
  const port = await listening((socket) => socket.pipe(socket))
  const stream = new DialledStream(1_000, { lookUp: () => Promise.resolve(['127.0.0.9', '127.0.0.1']) })
  const sent = Buffer.alloc(1_000_000, 'mizani')
  stream.connect(port, 'desk.example').end(sent)
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk as Buffer)
  expect(Buffer.concat(chunks).equals(sent)).toBe(true)
})

test('a stream that is destroyed while it dials connects nowhere', async () => {
  const { sockets, world } = heldSockets(['10.0.0.1', '10.0.0.2'])
  const stream = new DialledStream(1_000, world).connect(443, 'desk.example')
  await vi.advanceTimersByTimeAsync(0)
  stream.destroy()
  await vi.advanceTimersByTimeAsync(1_000)
  expect([...sockets].map(([address, { destroyed }]) => [address, destroyed])).toEqual([['10.0.0.1', true]])
})

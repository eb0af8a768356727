import { createHmac } from 'node:crypto'
import { createServer, request as httpRequest, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { WebhookDelivery } from '../../../../src/treasury/webhooks/delivery.ts'
import { createDeliveryMemory } from '../../../../src/treasury/webhooks/delivery-memory.ts'
import type { ConnectionLimits } from '../../../../src/base/http/limit-connections.ts'
import {
  openWebhookListener,
  type WebhookListener,
  type WebhookRefusal,
} from '../../../../src/treasury/webhooks/listener.ts'

const SECRET = 'whsec_test_secret'
const OLD = 'whsec_old_secret'
const NOW = 1_767_225_600_000
const BODY = '{"type":"deposit.completed","data":{"depositId":"d1"}}'

type Opened = WebhookListener & { readonly kept: WebhookDelivery[]; readonly refused: WebhookRefusal[] }

async function open(
  keep: (delivery: WebhookDelivery) => Promise<boolean> = async () => true,
  limits: Partial<ConnectionLimits> = {},
): Promise<Opened> {
  const kept: WebhookDelivery[] = []
  const refused: WebhookRefusal[] = []
  const memory = createDeliveryMemory({
    now: () => NOW,
    async keep(delivery) {
      const isKept = await keep(delivery)
      if (isKept) kept.push(delivery)
      return isKept
    },
  })
  const { take } = memory
  const listener = valueOf(await listen({ take, onRefused: (why) => refused.push(why), limits }))
  return { ...listener, kept, refused }
}

function listen(change: Partial<Parameters<typeof openWebhookListener>[0]>, port = 0) {
  return openWebhookListener({
    settings: {
      host: '127.0.0.1',
      port,
      secrets: [SECRET, OLD].map((secret) => ({ reveal: () => secret })),
      toleranceMs: 300_000,
    },
    wall: () => NOW,
    take: async () => 'kept',
    onRefused: () => undefined,
    ...change,
  })
}

function valueOf(listener: Awaited<ReturnType<typeof listen>>): WebhookListener {
  if (!listener.ok) throw new Error(listener.error)
  onTestFinished(listener.value.close)
  return listener.value
}

function headersFor(body: string | Uint8Array, { secret = SECRET, timestamp = '1767225600' } = {}) {
  const signature = createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex')
  return { 'x-webhook-signature': signature, 'x-webhook-timestamp': timestamp }
}

async function post(
  port: number,
  body: string | Uint8Array,
  headers: Record<string, string> = headersFor(body),
) {
  const response = await fetch(`http://127.0.0.1:${port}/`, {
    method: 'POST',
    body: Buffer.from(body),
    headers,
  })
  await response.text()
  return response.status
}

describe('the listener for webhooks', () => {
  test('answers 200 to a signed delivery, keeps it once, and counts which secret signed it', async () => {
    const listener = await open()
    expect(await post(listener.port, BODY)).toBe(200)
    expect(await post(listener.port, BODY)).toBe(200)
    expect(await post(listener.port, `${BODY} `, headersFor(`${BODY} `, { secret: OLD }))).toBe(200)
    expect(listener.kept).toHaveLength(1)
    expect(listener.kept[0]).toMatchObject({ event: 'deposit.completed', resourceId: 'd1', body: BODY })
    expect(listener.counts()).toEqual({ kept: 1, repeated: 2, lost: 0, refused: {}, bySecret: [2, 1] })
  })

  test('answers only once the delivery is durable, and 503 where it cannot be kept', async () => {
    const durable = Promise.withResolvers<boolean>()
    const asked = Promise.withResolvers<void>()
    const listener = await open(() => {
      asked.resolve()
      return durable.promise
    })
    let status = 0
    const answered = post(listener.port, BODY).then((code) => (status = code))
    await asked.promise
    // A whole exchange, in which an answer to the first delivery would have arrived as well.
    expect(await post(listener.port, BODY, {})).toBe(400)
    expect(status).toBe(0)
    durable.resolve(false)
    expect(await answered).toBe(503)
    expect(listener.counts()).toMatchObject({ kept: 0, lost: 1 })
  })

  test('refuses a forgery, an old delivery that is replayed, missing headers and another method, and counts each', async () => {
    const listener = await open()
    expect(await post(listener.port, BODY, headersFor(BODY, { secret: 'guessed' }))).toBe(401)
    expect(await post(listener.port, BODY, headersFor(BODY, { timestamp: '1767225000' }))).toBe(401)
    expect(await post(listener.port, BODY, {})).toBe(400)
    expect((await fetch(`http://127.0.0.1:${listener.port}/`)).status).toBe(405)
    expect(listener.refused).toEqual(['forged', 'stale', 'headers', 'method'])
    expect(listener.counts().refused).toEqual({ forged: 1, stale: 1, headers: 1, method: 1 })
    expect(listener.kept).toEqual([])
  })

  test('refuses a header that is sent twice, though one of the two is right', async () => {
    const listener = await open()
    const { 'x-webhook-signature': signature, 'x-webhook-timestamp': timestamp } = headersFor(BODY)
    const status = await rawPost(listener.port, [
      ['x-webhook-signature', signature],
      ['x-webhook-signature', '0'.repeat(64)],
      ['x-webhook-timestamp', timestamp],
    ])
    expect(status).toBe(400)
    expect(listener.refused).toEqual(['headers'])
  })

  test('takes 64 kB and refuses one byte more, announced or not', async () => {
    const listener = await open()
    const most = `{"type":"x","pad":"${'a'.repeat(64 * 1024 - 21)}"}`
    expect(most).toHaveLength(64 * 1024)
    expect(await post(listener.port, most)).toBe(200)
    const more = `${most} `
    expect(await rawPost(listener.port, Object.entries(headersFor(more)), more)).toBe(413)
    expect(await rawPost(listener.port, Object.entries(headersFor(more)), more, true)).toBe(413)
  })

  test('refuses a flood of signed deliveries, of which unsigned ones use up nothing, and takes deliveries again in the next minute', async () => {
    let wall = NOW
    const { port } = valueOf(await listen({ wall: () => wall }))
    for (let n = 0; n < 5; n++) expect(await post(port, 'x', {})).toBe(400)
    expect(new Set(await manyPosts(port, 600))).toEqual(new Set(['200']))
    expect(await post(port, BODY)).toBe(429)
    expect(await post(port, 'x', {})).toBe(400)
    wall += 60_000
    expect(await post(port, BODY)).toBe(200)
  })

  test('continues after connections that break off, hang or talk nonsense', async () => {
    const listener = await open()
    for (const bytes of [
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 50\r\n\r\n{',
      '\0\u0001nonsense\r\n\r\n',
      '',
    ]) {
      await new Promise<void>((resolve) => {
        const socket = connect(listener.port, '127.0.0.1', () => {
          socket.write(bytes, () => socket.destroy())
        })
        socket.on('close', () => resolve())
        socket.on('error', () => undefined)
      })
    }
    expect(await post(listener.port, BODY)).toBe(200)
  })

  test('full of connections that send half a head or half a body, takes a signed delivery', async () => {
    const listener = await open(undefined, { most: 4 })
    const halves = [
      'POST / HTTP/1.1\r\nHost: x\r\n',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{',
    ]
    for (let n = 0; n < 12; n++) {
      const socket = connect(listener.port, '127.0.0.1')
      onTestFinished(async () => void socket.destroy())
      socket.on('error', () => undefined)
      await new Promise((resolve) => socket.once('connect', resolve))
      socket.write(halves[n % 2] ?? '')
    }
    expect(await post(listener.port, BODY)).toBe(200)
  })

  test('a port that is taken is an error with the address in it', async () => {
    const listener = await open()
    const second = await listen({}, listener.port)
    expect(second).toMatchObject({
      ok: false,
      error: expect.stringContaining(`127.0.0.1:${listener.port}`) as unknown,
    })
  })

  test('whatever is posted without the secret is refused, and the listener lives', async () => {
    const listener = await open()
    const header = fc.stringMatching(/^[0-9a-zA-Z.:+-]{0,70}$/)
    await fc.assert(
      fc.asyncProperty(
        header,
        header,
        fc.uint8Array({ maxLength: 300 }),
        async (signature, timestamp, body) => {
          const headers = { 'x-webhook-signature': signature, 'x-webhook-timestamp': timestamp }
          const status = await post(listener.port, body, headers)
          return status >= 400 && status < 500
        },
      ),
      { numRuns: 60 },
    )
    expect(listener.kept).toEqual([])
    expect(await post(listener.port, BODY)).toBe(200)
  })

  test('works behind a reverse proxy that passes body and headers on unchanged, as docs/webhooks.md has it', async () => {
    const listener = await open()
    const proxy = createServer((request, response) => {
      const { host: _host, connection: _hop, ...headers } = request.headers
      const forwarded = { ...headers, 'x-forwarded-for': '203.0.113.7', 'x-forwarded-proto': 'https' }
      const upstream = httpRequest(
        { port: listener.port, method: request.method, path: '/', headers: forwarded },
        (answer: IncomingMessage) => {
          response.writeHead(answer.statusCode ?? 502, answer.headers)
          answer.pipe(response)
        },
      )
      request.pipe(upstream)
    })
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => new Promise((resolve) => proxy.close(() => resolve())))
    const { port } = proxy.address() as AddressInfo
    expect(await post(port, BODY)).toBe(200)
    expect(await post(port, BODY, headersFor(BODY, { secret: 'guessed' }))).toBe(401)
    expect(listener.kept).toHaveLength(1)
    proxy.closeAllConnections()
  })
})

/** The statuses of so many signed deliveries, sent one after the other on one connection. */
function manyPosts(port: number, count: number): Promise<readonly string[]> {
  const headers = Object.entries({ host: 'x', 'content-length': `${BODY.length}`, ...headersFor(BODY) })
  const lines = ['POST / HTTP/1.1', ...headers.map(([name, value]) => `${name}: ${value}`)]
  return new Promise((resolve, reject) => {
    const next = () => socket.write(`${lines.join('\r\n')}\r\n\r\n${BODY}`)
    const socket = connect(port, '127.0.0.1', next)
    const statuses: string[] = []
    socket.on('error', reject)
    socket.on('data', (chunk) => {
      // An answer is smaller than a segment.
      statuses.push(/^HTTP\/1\.1 (\d+)/.exec(String(chunk))?.[1] ?? 'none')
      if (statuses.length < count) {
        next()
        return
      }
      socket.destroy()
      resolve(statuses)
    })
  })
}

/** A POST with headers as they are listed; `isChunked` = without its length. */
function rawPost(
  port: number,
  headers: readonly (readonly [string, string])[],
  body = BODY,
  isChunked = false,
): Promise<number> {
  const length = isChunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${Buffer.byteLength(body)}`
  const lines = ['POST / HTTP/1.1', 'Host: x', length, ...headers.map(([name, value]) => `${name}: ${value}`)]
  const payload = isChunked ? `${Buffer.byteLength(body).toString(16)}\r\n${body}\r\n0\r\n\r\n` : body
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(`${lines.join('\r\n')}\r\n\r\n${payload}`))
    let answer = ''
    socket.on('data', (chunk) => {
      answer += String(chunk)
      const status = /^HTTP\/1\.1 (\d+)/.exec(answer)
      if (status !== null) {
        resolve(Number(status[1]))
        socket.destroy()
      }
    })
    socket.on('error', reject)
  })
}

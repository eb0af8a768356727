import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  askApi,
  newIdempotencyKey,
  query,
  session,
} from '../../../../../src/daemon/console/page/live/ask-api.ts'

type Answer = { readonly status: number; readonly body: string }
type Asked = {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

let server: Server | null = null

beforeEach(() => {
  const kept = new Map<string, string>()
  vi.stubGlobal('sessionStorage', {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => kept.set(name, value),
    removeItem: (name: string) => kept.delete(name),
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
  server?.closeAllConnections()
  server?.close()
  server = null
})

/** A daemon that answers each request in turn with one of these, the last one indefinitely; the page's addresses lead to it. */
async function daemon(...answers: readonly Answer[]): Promise<readonly Asked[]> {
  const asked: Asked[] = []
  const listening = createServer((request, response) => {
    const chunks: Uint8Array[] = []
    request.on('data', (chunk: Uint8Array) => chunks.push(chunk))
    request.on('end', () => {
      const { method = '', url = '', headers } = request
      asked.push({ method, path: url, headers, body: Buffer.concat(chunks).toString() })
      const { status, body } = answers[Math.min(asked.length, answers.length) - 1] as Answer
      response.writeHead(status, { 'content-type': 'application/json' }).end(body)
    })
  })
  server = listening
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve))
  const { port } = listening.address() as AddressInfo
  const real = globalThis.fetch
  vi.stubGlobal('fetch', (path: string, init: RequestInit) => real(`http://127.0.0.1:${port}${path}`, init))
  return asked
}

describe('a question to the daemon', () => {
  test('has the token once there is one, and no longer when it is forgotten', async () => {
    const asked = await daemon({ status: 200, body: '{"a":1}' })
    expect(await askApi('state')).toEqual({ ok: true, value: { a: 1 } })
    session.keepToken('t-1')
    await askApi(`fills${query({ position: 'desk 1', after: null, kind: '', limit: 5 })}`)
    session.forgetToken()
    await askApi('state')
    expect(asked.map(({ method, path, headers }) => [method, path, headers.authorization])).toEqual([
      ['GET', '/api/v1/state', undefined],
      ['GET', '/api/v1/fills?position=desk+1&limit=5', 'Bearer t-1'],
      ['GET', '/api/v1/state', undefined],
    ])
  })

  const BUSY = { status: 503, body: '{"message":"the store is read by others"}' }

  test('is put again while the store is busy', async () => {
    const asked = await daemon(BUSY, BUSY, { status: 200, body: '[]' })
    expect(await askApi('history')).toEqual({ ok: true, value: [] })
    expect(asked).toHaveLength(3)
  })

  test('is put again by fifty pages each at a time of its own', async () => {
    await daemon(...Array.from({ length: 50 }, () => BUSY), { status: 200, body: '[]' })
    const waits: number[] = []
    const real = setTimeout
    vi.stubGlobal('setTimeout', (work: () => void, ms: number, ...given: readonly unknown[]) => {
      waits.push(ms)
      return real(work, ms, ...given)
    })
    const answers = await Promise.all(Array.from({ length: 50 }, () => askApi('fills')))
    expect(answers.every(({ ok }) => ok)).toBe(true)
    // Others wait too, but not for so odd a time.
    const own = waits.filter((ms) => !Number.isInteger(ms) && ms >= 350 && ms <= 1_050)
    expect(new Set(own).size).toBe(50)
  })

  test('is put four times at most', async () => {
    const asked = await daemon(BUSY)
    expect(await askApi('history')).toEqual({
      ok: false,
      error: { status: 503, message: 'the store is read by others' },
    })
    expect(asked).toHaveLength(4)
  })

  test.each([
    [400, '{"message":"points is a number"}', 'points is a number'],
    [409, '{"ok":false,"answer":"it is halted"}', 'it is halted'],
    [502, '<html>', 'the daemon answered 502'],
    [500, '{"message":7}', 'the daemon answered 500'],
    [500, 'null', 'the daemon answered 500'],
  ])('a request that fails with %i %s is reported as: %s', async (status, body, message) => {
    await daemon({ status, body })
    expect(await askApi('state')).toEqual({ ok: false, error: { status, message } })
  })

  test('a request to a daemon that has ended is reported as failed', async () => {
    await daemon({ status: 200, body: '{}' })
    server?.close()
    await once(server as Server, 'close')
    expect(await askApi('state')).toEqual({
      ok: false,
      error: { status: 0, message: 'the daemon cannot be reached' },
    })
  })
})

describe('an order to the daemon', () => {
  test('goes out once with its name, whatever the answer', async () => {
    const asked = await daemon({ status: 503, body: '{"answer":"not now"}' })
    const outcome = await askApi('pause', { body: { who: 'a' }, idempotencyKey: 'k-1' })
    expect(outcome).toEqual({ ok: false, error: { status: 503, message: 'not now' } })
    expect(asked).toHaveLength(1)
    expect(asked[0]).toMatchObject({
      method: 'POST',
      path: '/api/v1/pause',
      body: '{"who":"a"}',
      headers: { 'idempotency-key': 'k-1', 'content-type': 'application/json' },
    })
  })

  test('has a name of its own, 128 bits at random', () => {
    const names = new Set(Array.from({ length: 1_000 }, newIdempotencyKey))
    expect(names.size).toBe(1_000)
    for (const name of names) expect(name).toMatch(/^[0-9a-f]{32}$/)
  })
})

test('a tab remembers who gives its commands', () => {
  expect(session.who()).toBe('')
  session.keepWho('amina')
  expect(session.who()).toBe('amina')
})

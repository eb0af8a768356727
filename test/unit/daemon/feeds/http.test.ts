import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { openHttp } from '../../../../src/daemon/feeds/open-http.ts'

const TZS = 10n ** 18n
type Answer = (request: IncomingMessage, response: ServerResponse) => void

const open: { server: Server; close: () => Promise<void> }[] = []

afterEach(async () => {
  for (const { server, close } of open.splice(0)) {
    await close()
    server.closeAllConnections()
    await new Promise((done) => server.close(done))
  }
})

/** A feed that reads what `answer` says. */
async function feedAt(answer: Answer, change: { path?: string; timePath?: string; timeoutMs?: number } = {}) {
  const server = createServer(answer)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}/v1/rates?key=topsecret`
  const reader = openHttp({
    kind: 'http',
    url: { reveal: () => url },
    path: 'rates.TZS',
    timePath: null,
    headers: { authorization: { reveal: () => 'Bearer topsecret' } },
    timeoutMs: 60_000,
    ...change,
  })
  open.push({ server, close: reader.close })
  return reader
}

const says =
  (body: string, status = 200, headers: Readonly<Record<string, string>> = {}): Answer =>
  (_request, response) =>
    response.writeHead(status, headers).end(body)

describe('a feed over HTTP', () => {
  it('takes the figure at its path and the date at its own, and sends its headers', async () => {
    const seen: (string | undefined)[] = []
    const reader = await feedAt(
      (request, response) => {
        seen.push(request.headers.authorization, request.url)
        response.end('{"rates":{"TZS":2512.5},"at":"2026-03-02T09:30:00Z"}')
      },
      { timePath: 'at' },
    )
    const datedAt = Date.parse('2026-03-02T09:30:00Z')
    expect(await reader.read()).toEqual({ ok: true, value: { mid: (25_125n * TZS) / 10n, datedAt } })
    expect(seen).toEqual(['Bearer topsecret', '/v1/rates?key=topsecret'])
  })

  it.each([
    ['HTML', '<!doctype html><p>2512.5', /^it is not JSON$/],
    ['nothing', '', /^it is not JSON$/],
    ['half of the document', '{"rates":{"TZS":25', /^it is not JSON$/],
    ['NaN', '{"rates":{"TZS":NaN}}', /^it is not JSON$/],
    ['"NaN"', '{"rates":{"TZS":"NaN"}}', /"NaN", which is not a rate/],
    ['"1e400"', '{"rates":{"TZS":"1e400"}}', /"1e400", which is not a rate/],
    ['1e400', '{"rates":{"TZS":1e400}}', /Infinity, which is not a rate/],
    ['zero', '{"rates":{"TZS":0}}', /0, which is not a rate/],
    ['a figure below zero', '{"rates":{"TZS":-2500}}', /-2500, which is not a rate/],
    ['another order of magnitude', '{"rates":{"TZS":25000000}}', /which is not a rate/],
    ['a list where the figure was', '{"rates":{"TZS":[2500]}}', /a list, which is not a rate/],
    ['null', 'null', /there is nothing at rates\.TZS/],
    ['what every object has', '{"rates":{}}', /there is nothing at rates\.TZS/],
    ['control characters', '{"rates":{"TZS":"\\u001b[2J\\u0007"}}', /^[\x20-\x7e]+$/],
  ])('that answers %s has no figure, and the reason repeats nothing dangerous', async (_name, body, why) => {
    const read = await (await feedAt(says(body))).read()
    expect(read).toMatchObject({ ok: false, error: expect.stringMatching(why) as unknown })
  })

  it('never leads out of its document by a path', async () => {
    const reader = await feedAt(says('{"rates":{"TZS":2500}}'), { path: '__proto__.constructor' })
    expect(await reader.read()).toEqual({ ok: false, error: 'there is nothing at __proto__.constructor' })
  })

  it('that sends 10 MB is cut off after 256 kB', async () => {
    let sent = 0
    const reader = await feedAt((_request, response) => {
      const chunk = Buffer.alloc(64 * 1_024, 0x20)
      const more = () => {
        while (sent < 10_000_000 && !response.destroyed) {
          sent += chunk.length
          if (!response.write(chunk)) return response.once('drain', more)
        }
        return response.end()
      }
      more()
    })
    expect(await reader.read()).toEqual({ ok: false, error: 'the answer is larger than 262144 bytes' })
    expect(sent).toBeLessThan(10_000_000)
  })

  it('that redirects to itself indefinitely is asked once, and what it leads to is never asked', async () => {
    let asked = 0
    const reader = await feedAt((request, response) => {
      asked += 1
      // The body breaks off, so that no time-out has to pass; the status is known by then.
      response.writeHead(302, { location: request.url }).write('x', () => response.destroy())
    })
    expect(await reader.read()).toEqual({
      ok: false,
      error: 'it answered 302, a redirect, which is not followed',
    })
    expect(asked).toBe(1)
  })

  it.each([
    ['that hangs before its answer', () => undefined],
    [
      'that hangs within its answer',
      (_request: IncomingMessage, response: ServerResponse) => void response.write('{'),
    ],
    [
      'that trickles a byte at a time',
      (_request: IncomingMessage, response: ServerResponse) => {
        const timer = setInterval(() => response.write(' '), 20)
        response.on('close', () => clearInterval(timer))
      },
    ],
  ])('%s is given up at its deadline', async (_name, answer) => {
    const reader = await feedAt(answer, { timeoutMs: 50 })
    expect(await reader.read()).toEqual({ ok: false, error: 'no whole answer within 50 ms' })
  })

  it('whose server is gone says a code and neither its address nor its key', async () => {
    const reader = await feedAt((request) => void request.socket.destroy())
    const read = await reader.read()
    expect(read).toMatchObject({
      ok: false,
      error: expect.stringMatching(/^no answer \(\w+\)$/) as unknown,
    })
    expect(JSON.stringify(read)).not.toContain('topsecret')
  })

  it.each([
    ['2026-03-02T09:30:00+03:00', Date.UTC(2026, 2, 2, 6, 30)],
    ['2026-03-02', Date.UTC(2026, 2, 2)],
    ['Mon, 02 Mar 2026 00:02:31 +0000', Date.UTC(2026, 2, 2, 0, 2, 31)],
    [1_772_409_600, 1_772_409_600_000],
    [1_772_409_600_000, 1_772_409_600_000],
    ['2026-03-02 09:30', null],
    ['yesterday', null],
    [-1, null],
  ])('reads the date %s, and refuses one whose zone it would have to guess', async (date, expected) => {
    const reader = await feedAt(says(JSON.stringify({ rates: { TZS: 2500 }, date })), { timePath: 'date' })
    const read = await reader.read()
    expect(read.ok ? read.value.datedAt : null).toBe(expected)
  })
})

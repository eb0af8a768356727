import { connect } from 'node:net'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { afterEach, describe, expect, onTestFinished, test } from 'vitest'
import {
  type HttpDoor,
  type HttpDoorOptions,
  openHttpDoor,
} from '../../../../src/daemon/assistant/http-door.ts'

const TOKEN = 'a-token-of-a-reader'
const open: HttpDoor[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((door) => door.close()))
})

async function door(
  createServer: (client: string) => McpServer = () => new McpServer({ name: 'test', version: '0' }),
  host = '127.0.0.1',
  limits: HttpDoorOptions['limits'] = {},
) {
  const errors: unknown[] = []
  const opened = await openHttpDoor({
    host,
    port: 0,
    token: TOKEN,
    createServer,
    reportError: (error) => void errors.push(error),
    limits,
  })
  if (!opened.ok) throw new Error(opened.error)
  open.push(opened.value)
  return { url: opened.value.url, errors }
}

const ask = (url: string, body: string, headers: Record<string, string> = {}) =>
  fetch(url, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${TOKEN}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body,
  })
const PING = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })

describe('the door over HTTP', () => {
  test('answers a request that brings the token, and none without it', async () => {
    const { url } = await door()
    expect(await (await ask(url, PING)).json()).toEqual({ jsonrpc: '2.0', id: 1, result: {} })
    const stranger = await ask(url, PING, { authorization: 'Bearer other' })
    expect([stranger.status, stranger.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
    expect((await ask(`${url}/other`, PING)).status).toBe(404)
  })

  test('refuses pages of other origins, and lets a client on the same machine name its own', async () => {
    const { url } = await door()
    const { host } = new URL(url)
    for (const origin of [
      'https://evil.example',
      'null',
      `https://${host}.evil.example`,
      'http://[',
      'http://',
    ])
      expect([origin, (await ask(url, PING, { origin })).status]).toEqual([origin, 403])
    expect((await ask(url, PING, { origin: `http://${host}` })).status).toBe(200)
  })

  test('away from loopback refuses every page, also one whose own name was pointed at this machine', async () => {
    const { url } = await door(undefined, '0.0.0.0')
    const { port } = new URL(url)
    const own = `http://127.0.0.1:${port}/mcp`
    expect((await ask(own, PING, { origin: `http://evil.example:${port}` })).status).toBe(403)
    expect((await ask(own, PING)).status).toBe(200)
    // What a page sends after its name was pointed here: Host and Origin agree, and neither is this machine's.
    expect(await answerTo(Number(port), `evil.example:${port}`)).toContain('HTTP/1.1 403')
  })

  test('a server for one request learns what the client calls itself', async () => {
    const names: string[] = []
    const { url } = await door((client) => {
      names.push(client)
      return new McpServer({ name: 'test', version: '0' })
    })
    await ask(url, PING, { 'user-agent': 'desk-assistant/2' })
    expect(names).toEqual(['desk-assistant/2'])
  })

  test('refuses what is no message and what is too large, and continues', async () => {
    const { url } = await door()
    expect((await ask(url, '{')).status).toBe(400)
    expect((await ask(url, JSON.stringify({ text: 'x'.repeat(300_000) }))).status).toBe(413)
    expect((await ask(url, PING, { 'content-type': 'text/plain' })).status).toBe(415)
    expect((await ask(url, PING)).status).toBe(200)
  })

  test('full of connections that send half a head, hold a body or never read, answers a client that brings the token', async () => {
    const { url } = await door(undefined, undefined, { most: 4 })
    const head = 'POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\n'
    for (let n = 0; n < 40; n++) {
      const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => undefined)
      onTestFinished(() => void socket.destroy())
      await new Promise((resolve) => socket.once('connect', resolve))
      socket.write(n % 2 === 0 ? head : `${head}Content-Length: 9\r\n\r\n{`)
    }
    expect((await ask(url, PING)).status).toBe(200)
  })

  test('a failure of the program is reported, and its client reads no more than that it failed', async () => {
    const { url, errors } = await door(() => {
      throw new Error('a detail')
    })
    const answer = await ask(url, PING)
    expect([answer.status, await answer.text()]).toEqual([500, expect.not.stringContaining('a detail')])
    expect(errors).toEqual(['a detail'])
  })

  test('a port that another process has is an error that names the option', async () => {
    const { url } = await door()
    const again = await openHttpDoor({
      host: '127.0.0.1',
      port: Number(new URL(url).port),
      token: TOKEN,
      createServer: () => new McpServer({ name: 'test', version: '0' }),
      reportError: () => undefined,
    })
    expect(again).toMatchObject({ ok: false, error: expect.stringContaining('--listen HOST:PORT') })
  })
})

/** The head of the answer to a POST whose Host and Origin name `host`; fetch sets Host by itself. */
function answerTo(port: number, host: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('error', reject)
    socket.once('data', (head) => {
      socket.destroy()
      resolve(head.toString('utf8'))
    })
    const lines = [
      'POST /mcp HTTP/1.1',
      `Host: ${host}`,
      `Origin: http://${host}`,
      `Authorization: Bearer ${TOKEN}`,
    ]
    socket.write(`${[...lines, 'Content-Length: 2', 'Connection: close'].join('\r\n')}\r\n\r\n{}`)
  })
}

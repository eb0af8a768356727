import { connect, type Socket } from 'node:net'
import { afterEach, describe, expect, onTestFinished, test } from 'vitest'
import {
  createAllPositions,
  type AllPositions,
} from '../../../../../src/daemon/guard/process/all-positions.ts'
import {
  type GuardServer,
  type GuardServerParts,
  serveGuard,
} from '../../../../../src/daemon/guard/process/server.ts'
import { openGuardClient } from '../../../../../src/daemon/guard/protocol/ask-guard.ts'
import { ACK_PATH } from '../../../../../src/daemon/guard/protocol/acknowledge.ts'
import { RELEASE_PATH, RENEW_PATH, STATUS_PATH } from '../../../../../src/daemon/guard/protocol/renewal.ts'
import {
  AT_HEADER,
  HEAD_HEADER,
  NONCE_HEADER,
  SIGNATURE_HEADER,
  signHead,
  signRequest,
} from '../../../../../src/daemon/guard/protocol/signature.ts'
import { recordingReport } from '../../../../support/recording-report.ts'

/** More than a loopback answer takes on any machine. */
const PATIENCE_MS = 60_000
const NOW = 1_800_000_000_000
const TOKEN = 'the token of this guard'
const SETTINGS = { host: '127.0.0.1', port: 0, tls: null, version: '0', unwatched: [] }

let server: GuardServer | null = null
afterEach(() => server?.close())

const acknowledged: unknown[] = []
const none: AllPositions = createAllPositions({
  positions: new Map(),
  kept: { save: () => ({ ok: true, value: null }) },
  report: {
    ...recordingReport().report,
    acknowledge(...asked) {
      acknowledged.push(asked)
      return [{ name: 'desk', acknowledged: ['guard-fired'], open: ['guard-fired'] }]
    },
  },
  clock: { now: () => 0, wall: () => 0 },
  hasChanged: () => false,
})

async function serve(limits: GuardServerParts['limits'] = {}): Promise<string> {
  const tokens = () => [TOKEN]
  const opened = await serveGuard({ settings: SETTINGS, positions: none, tokens, wall: () => NOW, limits })
  if (!opened.ok) throw new Error(opened.error)
  server = opened.value
  return opened.value.url
}

function client(url: string, token = TOKEN, wall = NOW) {
  return openGuardClient(url, () => token, { wall: () => wall })
}

/** A connection whose request is signed by a stranger, and waits for its body. */
function holdBody(url: string, length: number): Socket {
  const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => undefined)
  onTestFinished(() => void socket.destroy())
  const unproven = `${NONCE_HEADER}: ${'0'.repeat(32)}\r\n${SIGNATURE_HEADER}: ${'0'.repeat(64)}\r\n`
  socket.write(`POST ${RENEW_PATH} HTTP/1.1\r\nhost: a\r\n${unproven}content-length: ${length}\r\n\r\n`)
  return socket
}

/** Holds all that the bodies of strangers may have: two of four are refused. */
async function holdAllBodies(url: string): Promise<void> {
  const length = 4 * 1_024 * 1_024
  let refused = 0
  await new Promise<void>((resolve) => {
    for (let n = 0; n < 4; n++) {
      const socket = holdBody(url, length)
      socket.setEncoding('utf8').on('data', (text: string) => {
        if (text.startsWith('HTTP/1.1 413') && (refused += 1) === 2) resolve()
      })
      // Each stops one byte before its end: what was sent is held.
      socket.write(Buffer.alloc(length - 1))
    }
  })
}

describe('The server of a guard', () => {
  test('answers anyone who knows the token, and its answers prove that it does', async () => {
    const guard = client(await serve())
    const answer = await guard.ask('GET', STATUS_PATH, undefined, PATIENCE_MS)
    expect(answer).toMatchObject({ ok: true, value: { status: 200, body: { positions: [] } } })
    guard.close()
  })

  test('reveals nothing to another token, and a holder of another token rejects its answer', async () => {
    const url = await serve()
    const stranger = client(url, 'another token')
    expect(await stranger.ask('GET', STATUS_PATH, undefined, PATIENCE_MS)).toMatchObject({
      ok: false,
      error: { kind: 'stranger' },
    })
    stranger.close()
    const bare = await fetch(`${url}${STATUS_PATH}`)
    expect([bare.status, await bare.text()]).toEqual([401, expect.not.stringContaining('positions')])
  })

  test('refuses what is no renewal with the reason', async () => {
    const guard = client(await serve())
    expect(await guard.ask('POST', RENEW_PATH, { version: 9 }, PATIENCE_MS)).toMatchObject({
      value: { status: 400, body: { error: expect.stringContaining('version') } },
    })
    guard.close()
  })

  test('takes a recorded command once, and none of another hour', async () => {
    const url = await serve()
    const at = String(NOW)
    const signed = { method: 'POST', path: RELEASE_PATH, nonce: '0'.repeat(32), at, body: '{}' }
    const send = () =>
      fetch(`${url}${RELEASE_PATH}`, {
        method: 'POST',
        body: signed.body,
        headers: {
          [NONCE_HEADER]: signed.nonce,
          [AT_HEADER]: at,
          [SIGNATURE_HEADER]: signRequest(TOKEN, signed),
        },
      })
    expect([(await send()).status, (await send()).status]).toEqual([200, 409])
    const late = client(url, TOKEN, NOW - 3_600_000)
    expect(await late.ask('POST', RELEASE_PATH, {}, PATIENCE_MS)).toMatchObject({ value: { status: 409 } })
    late.close()
  })

  test('takes open alerts in hand for anyone who knows the token and names a person', async () => {
    const guard = client(await serve())
    const ack = { positions: ['desk'], code: 'guard-fired', who: 'anna', why: 'I look' }
    expect(await guard.ask('POST', ACK_PATH, ack, PATIENCE_MS)).toMatchObject({
      value: { status: 200, body: { positions: [{ name: 'desk', acknowledged: ['guard-fired'] }] } },
    })
    expect(acknowledged).toEqual([[['desk'], 'guard-fired', ack]])
    for (const wrong of [{}, { ...ack, who: '' }, { ...ack, code: 7 }, { ...ack, positions: 'desk' }])
      expect(await guard.ask('POST', ACK_PATH, wrong, PATIENCE_MS)).toMatchObject({ value: { status: 400 } })
    guard.close()
    const stranger = client(server?.url ?? '', 'another token')
    expect(await stranger.ask('POST', ACK_PATH, ack, PATIENCE_MS)).toMatchObject({ ok: false })
    stranger.close()
    expect(acknowledged).toHaveLength(1)
  })

  test('answers a renewal of a megabyte while strangers hold 8 MB of bodies and every connection', async () => {
    const url = await serve({ most: 24 })
    await holdAllBodies(url)
    const renewal = { version: 9, pad: 'x'.repeat(1_024 * 1_024) }
    const guard = client(url)
    expect(await guard.ask('POST', RENEW_PATH, renewal, PATIENCE_MS)).toMatchObject({
      value: { status: 400 },
    })
    guard.close()
    for (let n = 0; n < 40; n++) holdBody(url, 9)
    const late = client(url)
    expect(await late.ask('POST', RENEW_PATH, renewal, PATIENCE_MS)).toMatchObject({ value: { status: 400 } })
    late.close()
  })

  test('reads no body of a request without a signature, and a recorded head proves nothing a second time', async () => {
    const url = await serve()
    const length = 256 * 1_024
    const body = JSON.stringify({ pad: 'x'.repeat(length - 10) })
    const [nonce, at] = ['1'.repeat(32), String(NOW)]
    const signed = { method: 'POST', path: RELEASE_PATH, nonce, at, body }
    const known = {
      [NONCE_HEADER]: nonce,
      [AT_HEADER]: at,
      [HEAD_HEADER]: signHead(TOKEN, { ...signed, bytes: String(body.length) }),
      [SIGNATURE_HEADER]: signRequest(TOKEN, signed),
    }
    /** The bodies are never sent: an answer came without one. */
    const head = (headers: Record<string, string>) =>
      new Promise<string>((resolve) => {
        const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => undefined)
        onTestFinished(() => void socket.destroy())
        const lines = Object.entries({ host: 'guard', 'content-length': String(length), ...headers })
        socket.write(
          `POST ${RELEASE_PATH} HTTP/1.1\r\n${lines.map((line) => line.join(': ')).join('\r\n')}\r\n\r\n`,
        )
        socket.once('data', (chunk: Buffer) => resolve(chunk.toString('latin1').slice(9, 12)))
      })
    expect(await head({})).toBe('401')
    expect(await head({ [NONCE_HEADER]: nonce })).toBe('401')
    const send = (headers: Record<string, string>) =>
      fetch(`${url}${RELEASE_PATH}`, { method: 'POST', body, headers }).then(({ status }) => status)
    await holdAllBodies(url)
    // Until what the two others have sent is read.
    while ((await send({ ...known, [HEAD_HEADER]: '', [SIGNATURE_HEADER]: '0'.repeat(64) })) !== 413);
    expect(await send(known)).toBe(200)
    // Now it shares what requests without a signed head may hold together.
    expect(await send(known)).toBe(413)
  })

  test('that does not exist counts as absent, and so does one that does not answer in time', async () => {
    const url = await serve()
    await server?.close()
    const guard = client(url)
    expect(await guard.ask('GET', STATUS_PATH, undefined, PATIENCE_MS)).toMatchObject({
      ok: false,
      error: { kind: 'nobody' },
    })
    guard.close()
  })
})

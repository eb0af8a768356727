import { connect } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { createAllPositions, type AllPositions } from '../../../../src/guard/process/all-positions.ts'
import { type GuardServer, serveGuard } from '../../../../src/guard/process/server.ts'
import { openGuardClient } from '../../../../src/guard/protocol/ask-guard.ts'
import { ACK_PATH } from '../../../../src/guard/protocol/acknowledge.ts'
import { RELEASE_PATH, RENEW_PATH, STATUS_PATH } from '../../../../src/guard/protocol/renewal.ts'
import {
  AT_HEADER,
  NONCE_HEADER,
  SIGNATURE_HEADER,
  signRequest,
} from '../../../../src/guard/protocol/signature.ts'
import { recordingReport } from '../../../support/recording-report.ts'

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

async function serve(): Promise<string> {
  const tokens = () => [TOKEN]
  const opened = await serveGuard({ settings: SETTINGS, positions: none, tokens, wall: () => NOW })
  if (!opened.ok) throw new Error(opened.error)
  server = opened.value
  return opened.value.url
}

function client(url: string, token = TOKEN, wall = NOW) {
  return openGuardClient(url, () => token, { wall: () => wall })
}

describe('The server of a guard', () => {
  test('answers whoever knows the token, and its answers prove that it does', async () => {
    const guard = client(await serve())
    const answer = await guard.ask('GET', STATUS_PATH, undefined, PATIENCE_MS)
    expect(answer).toMatchObject({ ok: true, value: { status: 200, body: { positions: [] } } })
    guard.close()
  })

  test('tells nothing to another token, and its answer is none to whoever has another one', async () => {
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

  test('takes open alerts in hand for whoever knows the token and names a person', async () => {
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

  test('holds 8 MB of unproven requests beside small ones, and answers a renewal while strangers fill them', async () => {
    const url = await serve()
    const { port } = new URL(url)
    const strangers = Array.from({ length: 4 }, () => connect(Number(port), '127.0.0.1'))
    let refused = 0
    const { promise: twoRefused, resolve } = Promise.withResolvers<void>()
    for (const socket of strangers) {
      socket.on('error', () => undefined)
      socket.setEncoding('utf8').on('data', (text: string) => {
        if (text.startsWith('HTTP/1.1 413') && (refused += 1) === 2) resolve()
      })
      // Each stops one byte before its end: what was sent is held.
      const length = 4 * 1_024 * 1_024
      socket.write(`POST ${RENEW_PATH} HTTP/1.1\r\nhost: guard\r\ncontent-length: ${length}\r\n\r\n`)
      socket.write(Buffer.alloc(length - 1))
    }
    await twoRefused
    const guard = client(url)
    expect(await guard.ask('POST', RENEW_PATH, { version: 9 }, PATIENCE_MS)).toMatchObject({
      value: { status: 400 },
    })
    guard.close()
    for (const socket of strangers) socket.destroy()
  })

  test('that is none at all is nobody, and one that answers in no time is nobody as well', async () => {
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

import { connect, createServer } from 'node:net'
import { existsSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { openVenue } from '../../../../../src/daemon/runtime/effects/open-venue.ts'
import type { LoadedConfig } from '../../../../../src/daemon/config/load/loaded-config.ts'
import { serveRelay } from '../../../../../src/daemon/runtime/worker/relay.ts'
import { storeFiles } from '../../../../../src/store/store-files.ts'
import { runChecks } from '../../../../../src/research/diagnosis/check/run-checks.ts'
import type { CheckResult } from '../../../../../src/venue/check-result.ts'
import { createVenueClient } from '../../../../../src/venue/client.ts'
import { venueSettingsSchema } from '../../../../../src/venue/settings.ts'
import { load, VALID } from '../../../../unit/daemon/config/config-fixture.ts'
import { freshFolder } from '../../../../unit/store/store-fixture.ts'
import type { EngineState } from '../../../../../src/core/engine/model/state.ts'
import { valueOf } from '../../../../unit/venue/read-answer.ts'
import { scriptedServer, sendJson } from '../../../../unit/venue/scripted-server.ts'

const DAEMON_KEY = 'mm_live_of_the_daemon'
const closing: (() => unknown)[] = []

afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

/** A venue, a daemon's relay with `room` requests left, and a command's configuration of the same store. */
async function relayed(room: number, refusals: Partial<EngineState> = {}) {
  const venue = await scriptedServer((response, { url = '' }) => {
    if (url.includes('/account'))
      sendJson(response, { isActive: true, walletAddress: '0x1', key: DAEMON_KEY })
    else if (url.includes('/rate')) sendJson(response, { midRateTZS: 2500 }, 429)
    else sendJson(response, { bidBps: 1, askBps: 1, quoteBid: true, quoteAsk: true })
  })
  closing.push(() => venue.close())
  const folder = freshFolder()
  const loaded = valueOf(await load(VALID.replaceAll('http://127.0.0.1:8787', venue.url)))
  const config: LoadedConfig = { ...loaded, store: { ...loaded.store, path: folder } }
  const daemon = createVenueClient(venueSettingsSchema.parse(config.venue), { apiKey: DAEMON_KEY })
  closing.push(() => daemon.close())
  const asked: string[] = []
  let wake = () => {}
  let left = room
  const position = {
    now: () => Date.now(),
    state: () => ({ authFailure: null, authRefusals: {}, ...refusals }) as EngineState,
    admitRequest: (budget: string) => {
      asked.push(budget)
      wake()
      left -= 1
      return left >= 0
    },
  }
  const { relay: path } = storeFiles(folder)
  const failures: Error[] = []
  const relay = serveRelay(path, daemon, position, (error) => failures.push(error))
  closing.push(relay.close)
  expect(existsSync(path)).toBe(true)
  const command = openVenue(config)
  closing.push(() => command.close())
  const askedTimes = async (times: number) => {
    while (asked.length < times) await new Promise<void>((resolve) => (wake = resolve))
  }
  return {
    venue,
    folder,
    path,
    asked,
    askedTimes,
    command,
    config,
    relay,
    failures,
    refill: () => (left = 100),
  }
}

describe("a command's way to the venue while a daemon runs", () => {
  test("makes check state that the daemon's key was tested, and not that of the file", async () => {
    const { config, venue } = await relayed(100)
    const daemon = {
      isAnswering: async () => true,
      learned: async () => ({ ok: false, error: 'none' }) as const,
    }
    const findings: CheckResult[] = []
    for await (const finding of runChecks(config, daemon)) findings.push(finding)
    expect(findings.find(({ name }) => name === 'key')).toMatchObject({
      status: 'ok',
      detail: expect.stringMatching(/^accepted; .* venue\.apiKey of the file was not tested$/),
    })
    expect(venue.seen[0]).toMatchObject({ authorization: `Bearer ${DAEMON_KEY}` })
  })

  test("is the daemon's client: its key, its budget, one read after the other, and no key in the answer", async () => {
    const { venue, command, asked, path } = await relayed(100)
    const [account, limited] = await Promise.all([
      command.account(),
      command.perform({ type: 'readRate', id: 1 }, Date.now),
    ])
    expect(valueOf(account)).toMatchObject({ isActive: true, unknownFields: '{"key":"[redacted]"}' })
    expect(limited).toMatchObject({ type: 'requestFailed', failure: { kind: 'rate-limit', status: 429 } })
    expect(venue.seen.map(({ authorization }) => authorization)).toEqual([
      `Bearer ${DAEMON_KEY}`,
      `Bearer ${DAEMON_KEY}`,
    ])
    expect(asked).toEqual(['key', 'key'])
    expect(statSync(path).mode & 0o777).toBe(0o600)
  })

  test('waits while the budget has no room, and sends nothing meanwhile', async () => {
    const { venue, command, askedTimes, refill } = await relayed(0)
    const pending = command.account()
    await askedTimes(2)
    expect(venue.seen).toEqual([])
    refill()
    expect(valueOf(await pending).isActive).toBe(true)
  })

  test('does not wait while the budget is full of requests that the venue refused for the key', async () => {
    const { venue, command } = await relayed(0, {
      authFailure: 'the venue refused the key (401 on GET /fills)',
      authRefusals: { any: 1 },
    })
    expect(await command.account()).toMatchObject({
      ok: false,
      error: {
        kind: 'auth',
        status: 401,
        message: expect.stringContaining('refused the key (401 on GET /fills)'),
      },
    })
    expect(venue.seen).toEqual([])
  })

  test('carries no write: a command sends one by itself, or not at all', async () => {
    const { venue, command, asked } = await relayed(100)
    await command.spread({ bidBps: 1, askBps: 1, quoteBid: true, quoteAsk: true, quotePairs: null })
    expect(asked).toEqual([])
    expect(venue.seen.map(({ authorization }) => authorization)).not.toContain(`Bearer ${DAEMON_KEY}`)
  })

  test.each([
    ['a withdrawal', '{"path":"/api/v1/mm/withdraw","query":{},"isPublic":false}'],
    ['a path beside the API', '{"path":"/api/v1/mm/account/../withdraw","query":{},"isPublic":false}'],
    ['another host', '{"path":"@elsewhere.example/api/v1/mm/account","query":{},"isPublic":false}'],
    [
      'a query of 10 kB of text',
      `{"path":"/api/v1/mm/quote","query":{"a":"${'x'.repeat(200)}"},"isPublic":false}`,
    ],
    ['the public route with the key', '{"path":"/api/v1/swap/rate","query":{},"isPublic":false}'],
    ['no JSON', 'GET / HTTP/1.1'],
    ['nothing', 'null'],
    ['a list', '{"path":"/api/v1/mm/account","query":[],"isPublic":false}'],
  ])('is refused %s, and the venue hears nothing', async (_, line) => {
    const { venue, path } = await relayed(100)
    const socket = connect(path)
    closing.push(() => socket.destroy())
    socket.write(`${line}\n`)
    const reply = await new Promise<string>((resolve) => socket.once('data', (data) => resolve(String(data))))
    expect(JSON.parse(reply)).toEqual({ refused: expect.any(String) })
    expect(venue.seen).toEqual([])
  })

  test('is cut off without an answer when it never ends its line', async () => {
    const { venue, path } = await relayed(100)
    const socket = connect(path)
    socket.on('error', () => undefined)
    const closed = new Promise((resolve) => socket.once('close', resolve))
    socket.write('x'.repeat(10_000))
    await closed
    expect(socket.bytesRead).toBe(0)
    expect(venue.seen).toEqual([])
  })
})

describe("a command's way to the venue without a daemon", () => {
  test('is its own when the daemon ends in the middle of an answer', async () => {
    const { venue, relay, path, command } = await relayed(100)
    relay.close()
    expect(existsSync(path)).toBe(false)
    const dying = createServer((socket) => {
      socket.once('data', () => socket.end('{"ok":true,"value":{"status":200,"te'))
    })
    await new Promise<void>((resolve) => dying.listen(path, resolve))
    closing.push(() => dying.close())
    expect(valueOf(await command.account()).isActive).toBe(true)
    expect(venue.seen.map(({ authorization }) => authorization)).not.toContain(`Bearer ${DAEMON_KEY}`)
  })

  test('is its own when the socket was left behind by a daemon that was killed', async () => {
    const { venue, folder, command, relay, path } = await relayed(100)
    relay.close()
    expect(existsSync(path)).toBe(false)
    writeFileSync(path, '')
    expect(valueOf(await command.account()).isActive).toBe(true)
    expect(venue.seen.at(-1)?.authorization).not.toBe(`Bearer ${DAEMON_KEY}`)
    expect(existsSync(storeFiles(folder).requests)).toBe(true)
  })

  test('a relay socket that cannot be created is reported, and the daemon continues', async () => {
    const { failures } = await relayed(1)
    const told = Promise.withResolvers<Error>()
    const far = join(freshFolder(), 'x'.repeat(150), 'relay.sock')
    serveRelay(
      far,
      { readFor: () => Promise.resolve(null) },
      { now: Date.now, admitRequest: () => true, state: () => ({}) as EngineState },
      told.resolve,
    )
    expect(await told.promise).toBeInstanceOf(Error)
    expect(failures).toEqual([])
  })
})

import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { err, ok, type Result } from '../../../../../src/base/result.ts'
import {
  drainMs,
  type GuardProcess,
  guardUntilSignal,
} from '../../../../../src/daemon/guard/process/guard-until-signal.ts'
import type { GuardSettings } from '../../../../../src/daemon/guard/process/settings.ts'
import { openGuardClient } from '../../../../../src/daemon/guard/protocol/ask-guard.ts'
import {
  PROTOCOL_VERSION,
  RENEW_PATH,
  STATUS_PATH,
} from '../../../../../src/daemon/guard/protocol/renewal.ts'
import { receivingServer } from '../../../../support/receiving-server.ts'
import { POSITION, renewalOf } from '../guarded-position.ts'

/** More than a loopback answer takes on any machine. */
const PATIENCE_MS = 60_000
const TOKEN = 'token-of-this-guard'
let folder = ''
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'mizani-guard-'))))

/** A guard in a process that is none: what it writes, how it ends, and its signals as functions. */
async function guarding(
  more: Partial<GuardSettings> = {},
  tryStart: () => Result<null, string> = () => ok(null),
) {
  writeFileSync(join(folder, 'token'), TOKEN)
  const settings: GuardSettings = {
    version: '0',
    host: '127.0.0.1',
    port: 0,
    tls: null,
    token: { kind: 'file', where: join(folder, 'token') },
    folder: join(folder, 'kept'),
    heartbeats: [],
    program: ['node', 'mizani.ts'],
    arguments: ['guard', '--config', 'live.yaml'],
    positions: [POSITION],
    unwatched: [],
    ...more,
  }
  const signals = new Map<string, () => void>()
  const seen = {
    out: '',
    err: '',
    ended: [] as unknown[],
    drainedMs: [] as number[],
    lines: [] as string[],
    tried: [] as (readonly string[])[],
  }
  const { promise: end, resolve: markEnd } = Promise.withResolvers<unknown>()
  const { promise: drained, resolve: endDrain } = Promise.withResolvers<void>()
  const refused = Promise.withResolvers<string>()
  const own: GuardProcess = {
    on: (signal, act) => void signals.set(signal, act),
    out: (text) => void (seen.out += text),
    err: (text) => void (seen.err += text),
    exit: ended,
    become: ended,
    tryStart(program) {
      seen.tried.push(program)
      return Promise.resolve(tryStart())
    },
    sinks: {
      log: (level, _position, line) => {
        seen.lines.push(line)
        if (level === 'error') refused.resolve(line)
      },
      send: (notices) => Promise.resolve(notices.map(({ id }) => ({ id, left: [], why: null }))),
    },
    drain: (ms) => {
      seen.drainedMs.push(ms)
      return drained
    },
  }
  function ended(how: unknown): void {
    seen.ended.push(how)
    markEnd(how)
  }
  await guardUntilSignal(settings, own)
  const url = /"url":"([^"]+)"/.exec(seen.out)?.[1] ?? 'http://127.0.0.1:9'
  const client = openGuardClient(url, () => TOKEN)
  return {
    seen,
    client,
    signal: (name: string) => signals.get(name)?.(),
    refused: refused.promise,
    /** Lets the drain end, and returns how the process then ends. */
    end: () => {
      endDrain()
      return end
    },
  }
}

const renewal = (count: number) => ({
  version: PROTOCOL_VERSION,
  holder: 'a'.repeat(32),
  deadlineMs: 3_000,
  positions: [renewalOf(count)],
})

describe('The process of a guard', () => {
  test('answers for three renewals of its slowest daemon before it ends, and for no time where it watches no one', () => {
    expect(drainMs({ positions: [POSITION, { ...POSITION, renewMs: 5_000 }] })).toBe(15_000)
    expect(drainMs({ positions: [POSITION] })).toBe(3_000)
    expect(drainMs({ positions: [] })).toBe(0)
  })

  test('writes where it listens and whom it watches, and answers there', async () => {
    const { seen, client, signal, end } = await guarding()
    expect(JSON.parse(seen.out)).toEqual({
      msg: 'guarding',
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      positions: ['desk'],
    })
    expect(await client.ask('GET', STATUS_PATH, undefined, PATIENCE_MS)).toMatchObject({
      value: { body: { guard: '0', positions: [{ name: 'desk', state: 'unwatched' }] } },
    })
    client.close()
    signal('SIGINT')
    expect(await end()).toBe(0)
  })

  test('tells a daemon that it is drained before it ends, and ends once whatever comes', async () => {
    const { seen, client, signal, end } = await guarding()
    await client.ask('POST', RENEW_PATH, renewal(1), PATIENCE_MS)
    signal('SIGTERM')
    signal('SIGTERM')
    expect(await client.ask('POST', RENEW_PATH, renewal(2), PATIENCE_MS)).toMatchObject({
      value: { body: { positions: [{ fence: null, refusal: 'drained' }] } },
    })
    expect(seen.ended).toEqual([])
    expect(await end()).toBe(0)
    expect([seen.drainedMs, seen.ended]).toEqual([[3_000], [0]])
    expect(seen.lines).toContainEqual(expect.stringMatching(/^SIGTERM: .*drains/))
    expect(await client.ask('GET', STATUS_PATH, undefined, PATIENCE_MS)).toMatchObject({ ok: false })
    client.close()
  })

  test('becomes the program that it was started by on SIGHUP, which reads the configuration anew', async () => {
    const { seen, client, signal, end } = await guarding()
    signal('SIGHUP')
    expect(await end()).toEqual(['node', 'mizani.ts', 'guard', '--config', 'live.yaml'])
    expect(seen.tried).toEqual([['node', 'mizani.ts', 'guard', '--config', 'live.yaml', '--check']])
    client.close()
  })

  test('continues as it was on SIGHUP where the configuration is refused, with the reason, and takes it once it is mended', async () => {
    const reason = 'live.yaml:3:1: safeBps: much'
    const tried: { result: Result<null, string> } = { result: err(reason) }
    const { seen, client, signal, end, refused } = await guarding({}, () => tried.result)
    await client.ask('POST', RENEW_PATH, renewal(1), PATIENCE_MS)
    signal('SIGHUP')
    expect(await refused).toMatch(new RegExp(`former one: ${reason}`))
    expect(await client.ask('POST', RENEW_PATH, renewal(2), PATIENCE_MS)).toMatchObject({
      value: { body: { positions: [{ fence: 1, refusal: null }] } },
    })
    expect(seen.ended).toEqual([])
    tried.result = ok(null)
    signal('SIGHUP')
    expect(await end()).toEqual(['node', 'mizani.ts', 'guard', '--config', 'live.yaml'])
    client.close()
  })

  test.each([
    ['a folder that is a file', () => ({ folder: join(folder, 'token') }), 'cannot keep its numbers'],
    ['certificates that are not there', () => ({ tls: { cert: '/none', key: '/none' } }), 'guard.tls'],
    ['an address of another machine', () => ({ host: '192.0.2.1' }), 'guard.port names another port'],
  ])('exits with 1 and a sentence for %s', async (_, wrong, words) => {
    const { seen, client } = await guarding(wrong())
    expect(seen.ended).toEqual([1])
    expect(seen.err).toContain(words)
    client.close()
  })

  test('sends its heartbeat to a real server', async () => {
    await using service = await receivingServer()
    const { promise: pinged, resolve } = Promise.withResolvers<void>()
    service.respond = (response) => void response.end('ok', resolve)
    writeFileSync(join(folder, 'ping'), `${service.url}/ping/uuid`)
    const place = { kind: 'file', where: join(folder, 'ping') } as const
    const { client, signal, end } = await guarding({
      heartbeats: [{ place, configFile: join(folder, 'live.yaml'), everyMs: 60_000, suffixes: true }],
    })
    await pinged
    expect(service.received.map(({ path }) => path)).toEqual(['/ping/uuid/start'])
    signal('SIGTERM')
    expect(await end()).toBe(0)
    client.close()
  })

  test('takes the token that each running daemon has made, and answers no one while none has', async () => {
    const files = [join(folder, 'a'), join(folder, 'b')]
    const { client, signal, end } = await guarding({ token: { kind: 'made', files } })
    expect(await client.ask('GET', STATUS_PATH, undefined, PATIENCE_MS)).toMatchObject({
      ok: false,
      error: { kind: 'stranger' },
    })
    writeFileSync(files[1] ?? '', TOKEN)
    expect(await client.ask('GET', STATUS_PATH, undefined, PATIENCE_MS)).toMatchObject({
      value: { status: 200 },
    })
    client.close()
    signal('SIGTERM')
    expect(await end()).toBe(0)
  })
})

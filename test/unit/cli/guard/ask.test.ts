import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { dirname } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { askRunningGuard } from '../../../../src/cli/guard/ask.ts'
import { readGuardedConfig } from '../../../../src/daemon/guard/process/guarded-configs.ts'
import type { RunningGuard } from '../../../../src/daemon/guard/process/run-guard.ts'
import { tokenFileOf } from '../../../../src/daemon/runtime/operator-token.ts'
import { captured } from '../../../support/captured.ts'
import { freePort } from '../../../support/free-port.ts'
import { renewalOf } from '../../daemon/guard/guarded-position.ts'
import { configFile, guardFor, stubSecrets } from './guard-config.ts'

beforeAll(stubSecrets)
afterAll(() => void vi.unstubAllEnvs())

let guard: RunningGuard | null = null
afterEach(async () => {
  await guard?.close()
  guard = null
})

const NOW = { holder: 'a'.repeat(32), deadlineMs: 3_000 }

/** A configuration whose guard runs, and has granted a lease where `holds`. */
async function guarded(holds: boolean, change: Readonly<Record<string, string>> = {}): Promise<string> {
  const file = configFile(change, `guard: { port: ${await freePort()} }\n`)
  guard = await guardFor(file)
  if (holds) guard.positions.renew({ version: 1, ...NOW, positions: [renewalOf(1, { name: 'desk-1' })] })
  return file
}

describe('mizani guard status', () => {
  test('shows who holds the lease of each position, for people and as JSON', async () => {
    const config = await guarded(true)
    expect(await captured(() => askRunningGuard('status', { config }))).toMatchObject({
      out: expect.stringMatching(/^desk-1: lease 1 is held; last renewed \d+\.\d s ago\n$/),
      err: '',
      exitCode: 0,
    })
    const json = await captured(() => askRunningGuard('status', { config, json: true }))
    expect(JSON.parse(json.out)).toMatchObject({ positions: [{ name: 'desk-1', state: 'held', fence: 1 }] })
  })

  test('shows a position that no one has renewed, and none of another name', async () => {
    const config = await guarded(false)
    const { out, exitCode } = await captured(() => askRunningGuard('status', { config }))
    expect([out, exitCode]).toEqual([
      'desk-1: no lease; no one has renewed since the guard started, or it has ended\n',
      0,
    ])
    const other = await captured(() => askRunningGuard('status', { config, position: 'desk-2', json: true }))
    expect(JSON.parse(other.out)).toEqual({ positions: [], unwatched: [] })
  })

  test.each([
    [{ safeSinceMs: 2_000, rung: 'safe' }, 'THE GUARD ACTS: safe, confirmed safe for 2.0 s'],
    [{ safeSinceMs: null, rung: 'side-off' }, 'THE GUARD ACTS: side-off, NOT confirmed safe'],
    [{ safeSinceMs: null, rung: 'safe', actsNot: 'it is a dry run' }, 'THE GUARD ACTS: it is a dry run'],
    [
      { safeSinceMs: null, rung: 'safe', latched: 'it has fired 3 times', powerless: 'the key is refused' },
      'NOT confirmed safe; it has fired 3 times; the key is refused',
    ],
  ])('exits with 1 while the guard acts: %j', async (shown, words) => {
    const config = await guarded(false)
    const status = {
      name: 'desk-1',
      state: 'guarding',
      fence: 1,
      silentMs: null,
      latched: null,
      powerless: null,
    }
    vi.spyOn(guard?.positions as RunningGuard['positions'], 'status').mockReturnValue([
      { ...status, actsNot: null, firings: 1, ...shown } as never,
    ])
    const { out, exitCode } = await captured(() => askRunningGuard('status', { config }))
    expect(exitCode).toBe(1)
    expect(out).toContain(words)
  })
})

describe('mizani guard status of a store in PostgreSQL', () => {
  const shown = { holder: 'process 7 on one', movedMs: 400, hasStandby: false, unread: null }

  test.each([
    [shown, 'held by process 7 on one, moved 0.4 s ago'],
    [
      { ...shown, movedMs: null, hasStandby: true },
      'held by process 7 on one, not seen to move, another daemon stands by',
    ],
    [{ ...shown, holder: null }, 'no one holds it'],
    [{ ...shown, unread: 'connect ECONNREFUSED' }, 'its rows cannot be read (connect ECONNREFUSED)'],
  ])('shows the lease rows under the line of the position: %j', async (rows, words) => {
    const config = await guarded(true)
    const positions = guard?.positions as RunningGuard['positions']
    const [status] = positions.status()
    vi.spyOn(positions, 'status').mockReturnValue([{ ...status, rows } as never])
    const { out, exitCode } = await captured(() => askRunningGuard('status', { config }))
    expect(out.split('\n')[1]).toBe(`  PostgreSQL: ${words}`)
    expect(exitCode).toBe(0)
  })
})

describe('mizani guard drain and release', () => {
  test('name the positions that they were done for, one or all', async () => {
    const config = await guarded(true)
    expect(await captured(() => askRunningGuard('drain', { config, position: 'desk-1' }))).toMatchObject({
      out: 'desk-1: drained\n',
      err: '',
      exitCode: 0,
    })
    const json = await captured(() => askRunningGuard('release', { config, json: true }))
    expect(JSON.parse(json.out)).toEqual({ positions: ['desk-1'], done: 'released' })
  })

  test('exit with 2 where the guard has no such position', async () => {
    const config = await guarded(true)
    const { err, exitCode } = await captured(() => askRunningGuard('drain', { config, position: 'desk-9' }))
    expect([err, exitCode]).toEqual(['the guard has no such position\n', 2])
  })
})

describe('A command to a guard', () => {
  test('exits with 1 and names the place where no guard answers, or something else does', async () => {
    const port = await freePort()
    const config = configFile({}, `guard: { port: ${port} }\n`)
    const nobody = await captured(() => askRunningGuard('status', { config }))
    expect([nobody.err, nobody.exitCode]).toEqual([
      expect.stringMatching(`http://127.0.0.1:${port}: .*ECONNREFUSED`),
      1,
    ])
    const server = createServer((_request, response) => response.end('{}'))
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
    const stranger = await captured(() => askRunningGuard('status', { config }))
    server.closeAllConnections()
    server.close()
    expect(stranger.err).toContain('(200) is not a guard')
  })

  test('exits with 3 where the guard refuses, with its reason', async () => {
    const config = await guarded(true)
    vi.spyOn(Date, 'now').mockReturnValue(Date.now() - 3_600_000)
    const refused = captured(() => askRunningGuard('drain', { config }))
    // The guard in this process has the same clock: it is set right as soon as the request is signed.
    vi.mocked(Date.now).mockRestore()
    const { err, exitCode } = await refused
    expect([err, exitCode]).toEqual(['a command of another time: set the clocks of both machines\n', 3])
  })

  test('exits with 2 for a configuration that is none, wants no guard, or names no port', async () => {
    const none = await captured(() => askRunningGuard('status', { config: '/not/there.yaml', json: true }))
    expect(JSON.parse(none.out)).toMatchObject({
      exitCode: 2,
      error: expect.stringContaining('/not/there.yaml:1:1 (file): '),
    })
    const off = await captured(() => askRunningGuard('status', { config: configFile({}, 'guard: null\n') }))
    expect([off.err, off.exitCode]).toEqual([expect.stringContaining('wants none'), 2])
    const nowhere = await captured(() =>
      askRunningGuard('status', { config: configFile({ 'port: 9464': 'port: 0' }) }),
    )
    expect([nowhere.err, nowhere.exitCode]).toEqual([
      'http.port is 0, so guard.url or guard.port has to be named\n',
      2,
    ])
  })

  test('signs with the token that the daemon of this machine has made, and without one asks no one', async () => {
    const bare = { ', token: !env MIZANI_HTTP_TOKEN': '' }
    const config = await guarded(true, bare)
    const without = await captured(() => askRunningGuard('status', { config }))
    expect(without.err).toContain('no token')
    const read = readGuardedConfig(config, process.env)
    if (!read.ok) throw new Error(read.error)
    const file = tokenFileOf(read.value.parsed.file.store.path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, 'the token of this run')
    expect(await captured(() => askRunningGuard('status', { config }))).toMatchObject({
      exitCode: 0,
      err: '',
    })
  })
})

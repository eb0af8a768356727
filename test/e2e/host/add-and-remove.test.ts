import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { HostFailure } from '../../../src/daemon/runtime/host/hosted-positions.ts'
import { runHost, type Host } from '../../../src/daemon/runtime/host/run-host.ts'
import { loadConfig } from '../../../src/daemon/config/load/load-config.ts'
import type { LoadedConfig } from '../../../src/daemon/config/load/loaded-config.ts'
import { strategiesFolder } from '../../../src/daemon/runtime/position/strategy-registry.ts'
import { startSandbox, type SandboxServer } from '../../../src/simulator/sandbox/server/server.ts'
import { API_KEY, HTTP_TOKEN } from '../daemon/running-daemon.ts'
import {
  BUSY_VENUE,
  positionFolder,
  type ConfigPatch,
  type PositionFolder,
} from '../daemon/position-folder.ts'
import { until } from '../daemon/until.ts'

const folders: PositionFolder[] = []
const venues: SandboxServer[] = []

beforeAll(() => {
  process.env['MIZANI_API_KEY'] = API_KEY
  process.env['MIZANI_HTTP_TOKEN'] = HTTP_TOKEN
})

afterAll(async () => {
  for (const folder of folders) folder.remove()
  await Promise.all(venues.map((venue) => venue.close()))
})

/** A position at a venue of its own, which is its key's. */
async function positionAt(name: string, patch: ConfigPatch = {}) {
  const venue = await startSandbox({ ...BUSY_VENUE, isActive: true, activationDelayMs: 50 })
  const folder = positionFolder(venue.url, name)
  venues.push(venue)
  folders.push(folder)
  const config = await loaded(folder.configure({ log: { file: join(folder.path, 'log') }, ...patch }))
  const { ours } = venue.model.state
  return { venue, folder, config, ours }
}

async function loaded(file: string): Promise<LoadedConfig> {
  // As the commands do: the strategy is evaluated in a thread of its own, and this one stays as it is.
  const config = await loadConfig(file, process.env, {
    strategiesFolder: strategiesFolder(),
    probe: { timeLimitMs: 30_000, only: 'load' },
  })
  if (!config.ok) throw new Error(JSON.stringify(config.error))
  return config.value
}

function running(host: Host | HostFailure): Host {
  if ('exitCode' in host) throw new Error(host.message)
  return host
}

describe('positions that come and go while the process runs', () => {
  test('a process that may be empty starts without a position, takes two, loses both and continues until it is asked to end', async () => {
    const [one, two] = await Promise.all([positionAt('desk-1'), positionAt('desk-2')])
    const fatal: string[] = []
    const { http, log } = one.config
    const host = running(
      await runHost([], '0.0.0', (name) => void fatal.push(name), { mayBeEmpty: { http, log } }),
    )
    let hasEnded = false
    void host.ended.then(() => (hasEnded = true))
    expect(await Promise.all([host.add(one.config), host.add(two.config)])).toEqual([null, null])
    await until('both quote', () => [one, two].every(({ ours }) => ours.bidBps === 60 && ours.askBps === 70))
    expect(await namesOf(host)).toEqual(['desk-1', 'desk-2'])
    const halted = await host.command('desk-1', { name: 'halt' }, 'mizani fleet', 'a limit of the fleet')
    expect(halted?.accepted).toBe(true)
    expect(await host.summaries()).toMatchObject([
      { name: 'desk-1', mode: 'live', tradingState: 'HALTED', severity: 'critical' },
      { name: 'desk-2', mode: 'live', tradingState: 'ACTIVE', strategy: 'fixed-spread' },
    ])
    expect(await host.command('nobody', { name: 'halt' }, 'mizani fleet', 'none')).toBeNull()
    expect(await host.reload('desk-2')).toEqual([
      { accepted: true, answer: expect.stringContaining('reloaded') as string },
    ])
    expect(await host.reload()).toHaveLength(2)
    expect(await host.remove('desk-1')).toMatch(/^desk-1: /)
    expect(await host.remove('desk-1')).toContain('no position named desk-1')
    expect(await namesOf(host)).toEqual(['desk-2'])
    expect(await host.remove('desk-2')).toMatch(/^desk-2: .*safe/)
    expect(hasEnded).toBe(false)
    expect(fatal).toEqual([])
    expect(await host.shutdown()).toEqual([])
  })

  test('a position whose key is refused is shown with the reason, and one of its name takes its place', async () => {
    const [good, later] = await Promise.all([positionAt('desk-1'), positionAt('desk-2')])
    const host = running(await runHost([good.config], '0.0.0', () => undefined))
    const refused = await positionAt('desk-2')
    process.env['MIZANI_API_KEY'] = 'mm_not_a_key'
    const failure = await host.add(await loaded(refused.config.file))
    process.env['MIZANI_API_KEY'] = API_KEY
    expect(failure).toMatchObject({
      exitCode: 4,
      message: expect.stringContaining('refused the key') as string,
    })
    const health = (await (await fetch(`${host.url}/healthz`)).json()) as {
      positions: readonly { position: string; alive: boolean; why: string | null }[]
    }
    expect(health.positions).toMatchObject([
      { position: 'desk-1', alive: true },
      { position: 'desk-2', alive: false, why: failure?.message },
    ])
    expect(await host.summaries()).toMatchObject([
      { name: 'desk-1', mode: 'live' },
      { name: 'desk-2', mode: null, ready: false, severity: 'critical', why: [failure?.message] },
    ])
    expect(await host.add(good.config)).toEqual({
      exitCode: 2,
      message: 'a position named desk-1 is already running',
    })
    expect(await host.add(later.config)).toBeNull()
    expect(await namesOf(host)).toEqual(['desk-1', 'desk-2'])
    expect(await host.shutdown()).toHaveLength(2)
  })
})

async function namesOf(host: Host): Promise<readonly string[]> {
  return (await host.summaries()).map(({ name }) => name)
}

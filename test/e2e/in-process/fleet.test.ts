import { existsSync, readFileSync, renameSync } from 'node:fs'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { SandboxServer } from '../../../src/simulator/sandbox/server/server.ts'
import { endDaemons, runDaemon, type RunningDaemon } from '../daemon/running-daemon.ts'
import { runHere } from '../daemon/run-here.ts'
import { type ServedHere, serveHere } from '../daemon/serve-here.ts'
import { until } from '../daemon/until.ts'
import { freePort } from '../../support/free-port.ts'
import { fleetFolder, openVenue, type FleetFolder } from '../fleet/fleet-folder.ts'

const folders: FleetFolder[] = []
let venues: readonly [SandboxServer, SandboxServer, SandboxServer]

beforeAll(async () => {
  venues = await Promise.all([openVenue(), openVenue(), openVenue()])
})
afterEach(endDaemons)
afterAll(async () => {
  for (const folder of folders) folder.remove()
  await Promise.all(venues.map((venue) => venue.close()))
})

function newFolder(): FleetFolder {
  const folder = fleetFolder()
  folders.push(folder)
  folder.defaults()
  return folder
}

function startFleet(folder: FleetFolder): RunningDaemon {
  return runDaemon({ configs: [], command: ['fleet', folder.path] })
}

function bidAt({ model }: SandboxServer): number {
  return model.state.ours.bidBps
}

function quotes(venue: SandboxServer, bidBps: number): Promise<true> {
  return until(`a bid of ${bidBps}`, () => bidAt(venue) === bidBps, { otherwise: () => bidAt(venue) })
}

type Listed = { readonly name: string; readonly mode: string | null; readonly why: readonly string[] }

async function listOf(daemon: Pick<ServedHere, 'get'>): Promise<readonly Listed[]> {
  const { body } = await daemon.get('/api/v1/positions?sort=name')
  return (body as { positions: readonly Listed[] }).positions
}

async function namesOf(daemon: Pick<ServedHere, 'get'>): Promise<readonly string[]> {
  return (await listOf(daemon)).flatMap(({ name, mode }) => (mode === null ? [] : [name]))
}

function logOf({ log }: FleetFolder): string {
  return existsSync(log) ? readFileSync(log, 'utf8') : ''
}

function logs(folder: FleetFolder, text: string): Promise<true> {
  return until(`the log has ${text}`, () => logOf(folder).includes(text), {
    otherwise: () => logOf(folder).slice(-2_000),
  })
}

describe('a fleet', () => {
  test('takes over what comes, changes and goes, and keeps what a broken file or folder had', async () => {
    const [first, second, third] = venues
    const folder = newFolder()
    folder.position('one', first)
    folder.position('two', second)
    const daemon = serveHere(['fleet', folder.path])
    await quotes(first, 60)
    await quotes(second, 60)
    expect(await namesOf(daemon)).toEqual(['one', 'two'])

    folder.position('three', third, 'strategy: { params: { bidBps: 90 } }\n')
    await quotes(third, 90)
    folder.position('one', first, 'strategy: { params: { bidBps: 80 } }\n')
    await quotes(first, 80)

    folder.position('two', second, 'strategy: { params: { bidBps: wide } }\n')
    await logs(folder, 'two.yaml:3:31 strategy.params.bidBps')
    expect(bidAt(second)).toBe(60)
    folder.write('broken.yaml', 'name: [')
    await logs(folder, 'broken.yaml:1:8')
    folder.position('copy', first)
    await logs(folder, 'copy.yaml:2:')
    expect(logOf(folder)).toContain('in one.yaml')
    expect([...(await namesOf(daemon))].sort()).toEqual(['one', 'three', 'two'])
    const listed = await listOf(daemon)
    const whyOf = (name: string) => listed.find((one) => one.name === name)?.why[0]
    expect(whyOf('broken')).toContain('broken.yaml:1:8 (file): ')
    expect(whyOf('copy')).toContain('copy.yaml:2:')
    expect(whyOf('two')).toContain('two.yaml:3:31 strategy.params.bidBps: ')
    for (const file of ['copy.yaml', 'broken.yaml']) folder.take(file)

    // A setting that is built in at the start starts the position anew, as the same position.
    folder.position('three', third, 'strategy: { params: { bidBps: 95 } }\nstore: { keepJournalDays: 5 }\n')
    await logs(folder, 'store changed, so the position restarts')
    await quotes(third, 95)

    folder.take('three.yaml')
    await until('three has left', async () => !(await namesOf(daemon)).includes('three'))
    await quotes(third, 400)

    folder.write('defaults.yaml', 'fleet: [')
    await logs(folder, 'defaults.yaml:1:')
    renameSync(folder.path, `${folder.path}-away`)
    await logs(folder, 'cannot be read as a folder (ENOENT)')
    expect([...(await namesOf(daemon))].sort()).toEqual(['one', 'two'])
    expect([bidAt(first), bidAt(second)]).toEqual([80, 60])
    renameSync(`${folder.path}-away`, folder.path)
    folder.defaults()
    folder.position('two', second, 'strategy: { params: { bidBps: 65 } }\n')
    await quotes(second, 65)
    expect(await daemon.end()).toBe(0)
    expect(daemon.output()).toMatch(/one: .* confirmed by/)
    expect([bidAt(first), bidAt(second)]).toEqual([400, 400])
  })

  test('that is killed comes back from its journals, and one whose limit is exceeded is halted as a whole and stays so', async () => {
    const [first, second] = venues
    const folder = newFolder()
    folder.position('one', first)
    folder.position('two', second)
    const killed = startFleet(folder)
    await quotes(first, 60)
    await quotes(second, 60)
    await killed.kill('SIGKILL')
    const again = startFleet(folder)
    const isActive = async (name: string) => (await again.state(name)).tradingState === 'ACTIVE'
    await until('both trade', async () => (await isActive('one')) && (await isActive('two')))
    expect((await again.get('/metrics')).body).not.toContain('mizani_fleet_limit_usd{')

    folder.defaults('fleet: { limits: { maxDeployedUsd: 1 } }\n')
    await logs(folder, '"code":"fleet-limit"')
    await quotes(first, 400)
    await quotes(second, 400)
    const { reasons } = await again.state('one')
    expect(reasons.join()).toContain('fleet.limits.maxDeployedUsd is 1,')
    const { body } = await again.get('/metrics')
    expect(body).toContain('mizani_fleet_limit_usd{limit="maxDeployedUsd"} 1')
    await again.kill('SIGKILL')
    folder.defaults()
    const last = startFleet(folder)
    await until('it is paused still', async () => (await last.state('one')).paused)
    expect((await last.state('two')).paused).toBe(true)
  })

  test('is halted, shown and resumed as a whole by one command, with and without a daemon, a broken file included', async () => {
    const [first, second] = venues
    const folder = newFolder()
    folder.position('one', first)
    folder.position('two', second)
    // The command line and the daemon have to meet at a port that both know.
    const port = await freePort()
    folder.defaults(`fleet: {}\n`, port)
    const daemon = startFleet(folder)
    const stateOf = async (name: string) => (await daemon.state(name)).tradingState
    const both = (state: string) =>
      until(
        `both are ${state}`,
        async () => (await stateOf('one')) === state && (await stateOf('two')) === state,
      )
    await both('ACTIVE')
    folder.write('two.yaml', 'name: [')
    await logs(folder, 'two.yaml:1:8')
    const halted = await runHere(['halt', '--fleet', folder.path, '--reason', 'the whole desk', '--json'])
    expect(JSON.parse(halted.out)).toMatchObject([
      { position: 'one', via: 'daemon', exitCode: 0 },
      { position: 'two', via: 'daemon', exitCode: 0 },
    ])
    await both('HALTED')
    folder.position('two', second)
    const status = await runHere(['status', '--fleet', folder.path])
    expect(status.out).toMatch(/one .*HALTED[^]*two .*HALTED/)
    expect((await runHere(['resume', '--fleet', folder.path])).code).toBe(0)
    await both('ACTIVE')
    expect((await daemon.kill('SIGTERM')).code).toBe(0)
    const offline = await runHere(['halt', '--fleet', folder.path])
    // Journalled for the next start: the venue has confirmed nothing.
    expect(offline.code).toBe(4)
    expect(offline.out + offline.err).toMatch(/^one: .*no daemon.*\ntwo: .*no daemon/)
    const neither = await runHere(['halt'])
    expect(neither.code).toBe(2)
    expect(neither.err).toContain('--fleet')
    expect((await runHere(['resume', '--fleet', folder.path, '--book', 'deposit'])).code).toBe(2)
  })

  test('--check lists every file and starts nothing; its exit code counts what is wrong', async () => {
    const [first, second] = venues
    const folder = newFolder()
    folder.position('one', first)
    folder.position('two', second)
    const right = await runHere(['fleet', folder.path, '--check'])
    expect(right.code).toBe(0)
    expect(right.out).toMatch(/one\.yaml\s+one\s+live\s+fixed-spread\s+\S+stores\/one/)
    folder.position('two', first)
    const wrong = await runHere(['fleet', folder.path, '--check', '--json'])
    expect(wrong.code).toBe(2)
    expect(JSON.parse(wrong.out)).toMatchObject({
      files: [{ problems: [{ line: 2, path: 'venue.apiKey' }] }, { problems: [{ line: 2 }] }],
      exitCode: 2,
    })
    expect((await runHere(['fleet', folder.path])).code).toBe(2)
    folder.write('defaults.yaml', 'risk: {}\n')
    const broken = await runHere(['fleet', folder.path])
    expect(broken.code).toBe(2)
    expect(broken.err).toContain('no fleet block')
    expect(existsSync(`${folder.path}/../stores`)).toBe(false)
  })
})

import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { DrillResult } from '../../../src/simulator/drills/drill.ts'
import { receivingServer } from '../../support/receiving-server.ts'
import { type ConfigPatch, positionFolder } from '../daemon/position-folder.ts'
import { PROGRAM } from '../daemon/program.ts'
import { runHere } from '../daemon/run-here.ts'
import { TEST_ENV } from '../daemon/running-daemon.ts'
import { until } from '../daemon/until.ts'

// Nights of seconds; `mizani drill` itself plays all of them. The desk's own venue and channel are a server that has to
// hear nothing.

type Report = { readonly failed: number; readonly results: readonly DrillResult[] }

const home = await receivingServer()
const scratch = mkdtempSync(join(tmpdir(), 'mizani-drill-test-'))
const folder = positionFolder(home.url)
afterAll(async () => {
  await home.close()
  folder.remove()
})

/** A desk with limits that hold; its keys are in variables that are not set. */
function desk(risk: object, more: ConfigPatch = {}): string {
  return folder.configure({
    ...more,
    venue: { apiKey: '!env A_KEY_THAT_NOBODY_SET', requestsPerMinute: 600 },
    strategy: { use: 'inventory-skew', params: { halfSpreadBps: 60, maxSkewBps: 80, offBeyond: 0.9 } },
    risk: { priceCorridor: { min: '2300', max: '2900' }, ...risk },
    notify: { webhook: { url: '!env ANOTHER_THAT_NOBODY_SET', hmacKey: '!env NOR_THIS' }, groupMs: 500 },
    feeds: [{ name: 'board', everyMs: 1_000, http: { url: home.url, path: 'rates.TZS' } }],
    http: { port: 0, token: '!env NOT_SET_EITHER' },
    record: { path: join(folder.path, 'tape') },
  })
}

test(
  'bad nights are noticed, end safely, are notified to people and kept, and nothing of the desk is touched',
  { timeout: 240_000 },
  async () => {
    const html = join(folder.path, 'drills.html')
    const args = ['drill', '--config', desk({}), '--only', 'foreign-withdrawal,key-lost', '--gate']
    const { code, out, err } = await runHere([...args, '--json', '--html', html], { TMPDIR: scratch })
    const { failed, results } = JSON.parse(out) as Report
    expect({ code, failed, why: results.map(({ why }) => why) }).toEqual({
      code: 0,
      failed: 0,
      why: [null, null],
    })
    expect(err).toMatch(/of 2 drills/)
    for (const result of results) expectNoticed(result)
    // A person has to be told of a lost key at the highest severity.
    expect(results.find(({ name }) => name === 'key-lost')?.told.map(({ severity }) => severity)).toContain(
      'critical',
    )

    expect(home.received).toEqual([])
    expect(readdirSync(folder.store)).toEqual(['drills.json', 'drills.json.lockdb'])
    expectNothingLeft()
    const kept = JSON.parse(readFileSync(join(folder.store, 'drills.json'), 'utf8')) as {
      name: string
      passed: boolean
    }[]
    expect(kept.map(({ name, passed }) => [name, passed])).toEqual([
      ['foreign-withdrawal', true],
      ['key-lost', true],
    ])
    expect(readFileSync(html, 'utf8')).toContain('<h1>Drills of desk-1</h1>')
  },
)

test(
  'a desk whose limits do not hold fails the gate, and survives the same nights with the settings that it reads: with a guard it is safe within seconds of kill -9',
  { timeout: 180_000 },
  async () => {
    const open = {
      maxMidStepBps: null,
      maxMidMoveBpsPerHour: null,
      maxMidMoveBpsPerDay: null,
      maxReferenceDeviationBps: null,
      // What a formula does not explain is noticed as well, and so is a fill that is far from any quote.
      maxFillPriceDeviationBps: null,
    }
    // A supervisor starts a dead daemon again after ten seconds, which is too late here.
    const more = { drills: { maxSafeMs: 10_500 } }
    const config = desk(open, more)
    const nights = ['--only', 'mid-lies,daemon-killed,one-sided-rush']
    const args = [...nights, '--gate', '--json']
    const before = await runHere(['drill', '--config', config, ...args])
    const report = JSON.parse(before.out) as Report
    expect([before.code, report.failed]).toEqual([1, 3])
    expect(report.results.map(({ settings }) => settings.map(({ path }) => path))).toEqual([
      ['risk.maxMidStepBps'],
      ['guard'],
      ['risk.reviewAfter'],
    ])
    for (const { advice, settings } of report.results)
      for (const { path, value } of settings) expect(advice).toContain(`${path}: ${JSON.stringify(value)}`)

    const advised: ConfigPatch = report.results
      .flatMap(({ settings }) => settings)
      .reduce<ConfigPatch>((sum, { path, value }) => withValue(sum, path.split('.'), value), more)
    const limits = { ...open, ...(advised['risk'] as object) }
    const env = { TMPDIR: scratch }
    const after = await runHere(['drill', '--config', desk(limits, advised), ...args], env)
    const { results } = JSON.parse(after.out) as Report
    expect(results.map(({ name, why }) => [name, why])).toEqual(
      report.results.map(({ name }) => [name, null]),
    )
    expect(after.code).toBe(0)
    const of = (name: string) => results.find((one) => one.name === name)
    expectNoticed(of('mid-lies'))
    const killed = of('daemon-killed')
    // Sooner than the supervisor, which is there after ten seconds.
    expect(killed?.safeMs).toBeLessThan(10_000)
    expect(killed?.told.map(({ severity }) => severity)).toContain('critical')
    expect(killed?.noticed).toContain('has been silent')
    expectNothingLeft()
  },
)

test('a desk gets its lease back from a guard that was restarted', { timeout: 240_000 }, async () => {
  const guard = { url: 'https://guard.example:9465', token: '!env NOBODY_SET_THIS' }
  const config = desk({}, { guard })
  const learned = { protocolFeeBps: 10, toleranceBps: 5, requestsPerMinute: 600 }
  const like = folder.write('venue.json', profileWith(learned))
  const args = ['drill', '--config', config, '--only', 'guard-restarted', '--like', like, '--json']
  const { out, err } = await runHere(args, { TMPDIR: scratch })
  expect(err).toMatch(/of 1 drill/)
  const [night] = (JSON.parse(out) as Report).results
  expect([night?.name, night?.status, night?.why]).toEqual(['guard-restarted', 'passed', null])
  expect(night?.safeMs).toBeGreaterThan(10_000)
  expect(night?.noticeMs).toBeLessThan(10_000)
  expectNothingLeft()
})

test('a drill that is interrupted leaves no process and no folder', { timeout: 240_000 }, async () => {
  const args = [PROGRAM, 'drill', '--config', desk({}), '--only', 'leak']
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...TEST_ENV, TMPDIR: scratch },
    stdio: 'ignore',
  })
  const ended = new Promise((resolve) => child.once('close', resolve))
  const daemons = () => childrenOf(child.pid ?? 0)
  const [daemon] = await until('the drilled daemon runs', () => {
    const found = daemons()
    return found.length > 0 && found
  })
  child.kill('SIGTERM')
  expect(await ended).toBe(1)
  await until('the daemon has ended', () => !runs(String(daemon)))
  expect(readdirSync(scratch)).toEqual([])
})

test('a drill that there is not, and a configuration that cannot quote, are refused before anything starts', async () => {
  const unknown = await runHere(['drill', '--config', desk({}), '--only', 'earthquake'])
  expect(unknown.code).toBe(2)
  expect(unknown.err).toContain('venue-down, key-lost')
  const absent = await runHere(['drill', '--config', desk({}), '--like', join(folder.path, 'absent.json')])
  expect([absent.code, absent.err]).toEqual([2, expect.stringContaining('no profile')])
  const blind = await runHere(['drill', '--config', desk({ priceCorridor: null }), '--only', 'leak'])
  expect(blind.code).toBe(2)
  expect(blind.err).toContain('a drill quotes')
})

function withValue(data: ConfigPatch, [key = '', ...rest]: readonly string[], value: unknown): ConfigPatch {
  const inner = (data[key] ?? {}) as ConfigPatch
  return { ...data, [key]: rest.length === 0 ? value : withValue(inner, rest, value) }
}

test('a gate in which no night could be played fails, and without a configuration the example is drilled', async () => {
  const args = ['drill', '--only', 'rail-stuck', '--json']
  const example = await runHere(args)
  const { position, notes } = JSON.parse(example.out) as {
    readonly position: string
    readonly notes: string[]
  }
  expect([example.code, position]).toEqual([0, 'sandbox'])
  expect(notes).toEqual([expect.stringContaining('without --config')])
  const inDatabase = desk({}, { store: { path: folder.store, postgres: '!env NOBODY_SET_THAT' } })
  const gated = await runHere([...args, '--config', inDatabase, '--gate'])
  const report = JSON.parse(gated.out) as {
    readonly notes: string[]
    readonly peak: { readonly source: string }
  }
  expect(gated.code).toBe(1)
  expect(report.notes).toEqual([expect.stringContaining('not drilled'), expect.stringContaining('no night')])
  expect(report.peak.source).toContain('--read-store')
})

function expectNoticed(result: DrillResult | undefined): void {
  expect(result?.status).toBe('passed')
  expect(result?.noticeMs).toBeLessThan(20_000)
  expect(result?.safeMs).toBeLessThan(30_000)
  expect(result?.told.length).toBeGreaterThan(0)
}

/** No folder of a night that was played in `scratch`, and no process that was about one. */
function expectNothingLeft(): void {
  expect(readdirSync(scratch)).toEqual([])
  expect(readdirSync('/proc').filter((pid) => commandOf(pid).includes(scratch))).toEqual([])
}

/** The command line of a process; empty where none exists any longer. */
function commandOf(pid: string): string {
  const file = `/proc/${pid}/cmdline`
  return /^\d+$/.test(pid) && existsSync(file) ? readFileSync(file, 'utf8') : ''
}

function profileWith(learned: object): string {
  const unknown = { bidFormula: null, feeFrom: null, venue: null, publicRequestsPerMinute: null }
  const about = { version: 1, position: 'desk-1', from: null, to: null, events: 0, traits: [] }
  return JSON.stringify({ ...about, sandbox: { ...unknown, ...learned } })
}

/** The processes that this one has started. */
function childrenOf(pid: number): readonly string[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean)
}

/** A process that has ended and that no one has asked about yet still has its entry. */
function runs(pid: string): boolean {
  return existsSync(`/proc/${pid}/stat`) && !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
}

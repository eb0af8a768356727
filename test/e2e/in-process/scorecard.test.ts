import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { DAY_MS, MINUTE_MS } from '../../../src/base/time.ts'
import type { runApart as RunApart } from '../../../src/cli/apart/run-apart.ts'
import { buildProgram } from '../../../src/cli/program.ts'
import { loadConfig } from '../../../src/daemon/config/load/load-config.ts'
import { createResultReader } from '../../../src/daemon/runtime/position/result-files.ts'
import { openStore } from '../../../src/store/journal/open-store.ts'
import { coreConfig } from '../../support/core-config.ts'
import { coreHarness } from '../../support/core-harness.ts'
import { receivingServer } from '../../support/receiving-server.ts'
import { worldStrategy } from '../../support/world-strategies.ts'

const folder = mkdtempSync(join(tmpdir(), 'mizani-scorecard-'))
const CONFIG = new URL('../../../config/backtest.yaml', import.meta.url).pathname
const START = Date.UTC(2026, 8, 7)

vi.stubEnv('MIZANI_API_KEY', 'a-key-that-reaches-no-venue')
vi.stubEnv('HOOK_KEY', 'a-secret-of-the-hook-long-enough')

const thread = vi.hoisted(() => ({ isItsOwn: false }))

// A thread of its own, which loads everything anew, only where a test asks for it.
vi.mock('../../../src/cli/apart/run-apart.ts', async (original) => {
  const { runCommand } = await import('../../../src/cli/apart-commands.ts')
  const { UNWATCHED } = await import('../../../src/research/jobs/apart/watch-strategy.ts')
  const real = await original<{ readonly runApart: typeof RunApart }>()
  const runApart: typeof RunApart = (command, options) =>
    thread.isItsOwn ? real.runApart(command, options) : runCommand(command, options, UNWATCHED)
  // A test repeats it by calling it again.
  return { runApart, repeatApart: runApart }
})

afterAll(() => {
  process.exitCode = 0
  vi.unstubAllEnvs()
})

async function mizani(...args: readonly string[]): Promise<{ out: string; err: string; exitCode: number }> {
  let [out, err] = ['', '']
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => Boolean((out += String(text))))
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => Boolean((err += String(text))))
  process.exitCode = 0
  await (await buildProgram(args[0])).parseAsync([...args], { from: 'user' })
  const { exitCode } = process as { exitCode: number }
  process.exitCode = 0
  vi.restoreAllMocks()
  return { out, err, exitCode }
}

/** The store of a position that quoted 60 bps for two hours and met no taker. */
async function quietStore(): Promise<string> {
  const strategy = worldStrategy({ use: 'fixed-spread', params: { bidBps: 60, askBps: 60 } })
  const { use, params, sourceHash } = strategy
  const config = coreConfig({ strategy: { use, params, sourceHash } })
  const venue = { rateUpdatedAt: START - DAY_MS / 2 }
  const harness = coreHarness({ config, strategy, start: START, venue })
  harness.run(120 * MINUTE_MS)
  const path = join(folder, 'store')
  const store = await openStore(path)
  if (!store.ok) throw new Error(store.error.message)
  // The harness has parts of a millisecond; a daemon has none.
  harness.journal.forEach((event, index) =>
    store.value.append(index + 1, { ...event, t: Math.round(event.t) }),
  )
  await store.value.close()
  return path
}

const store = await quietStore()

/** A calibration by which `perDay` takers come a day and side at 60 bps. */
function configWith(name: string, perDay: number | null, more = ''): string {
  const exactly = (value: number) => ({ value, low: value * 0.95, high: value * 1.05 })
  const both = {
    a: exactly((perDay ?? 0) * Math.E),
    k: exactly(1 / 60),
    fills: 900,
    exposureDays: 60,
    method: 'likelihood',
    overdispersion: 1,
  }
  const made = { version: 1, from: START - 40 * DAY_MS, to: START - DAY_MS, fills: 900, prints: 30 }
  const none = { bid: null, ask: null, sigma: null, markouts: [], sizesUsd: [], warnings: [] }
  writeFileSync(join(folder, `${name}.json`), JSON.stringify({ ...made, both, ...none }))
  const text = readFileSync(CONFIG, 'utf8').replace(/^ {2}tape: .*\n/m, '')
  const file = join(folder, `${name}.yaml`)
  const calibration = perDay === null ? '' : `calibration: ${name}.json\n`
  writeFileSync(file, `${text}store: { path: ${store} }\n${calibration}${more}`)
  return file
}

/** What a daemon of this configuration shows. */
async function shownBy(file: string) {
  const config = await loadConfig(file, process.env, { strategiesFolder: '', skipStrategy: true })
  if (!config.ok) throw new Error(JSON.stringify(config.error))
  return createResultReader()(config.value, Date.now()).scorecard
}

describe('mizani scorecard', () => {
  test('of two hours in which a taker an hour was expected and none came has nothing outside', async () => {
    const config = configWith('quiet', 12)
    const { out, exitCode } = await mizani('scorecard', '--config', config, '--json')
    const card = JSON.parse(out)
    expect([exitCode, card.exitCode, card.outside]).toEqual([0, 0, []])
    const [fills, edge] = card.both.measures
    expect(fills).toMatchObject({ name: 'fills', realised: 0, verdict: 'within', expected: { low: 0 } })
    // Both sides for a little less than two hours.
    expect(fills.expected.value).toBeGreaterThan(1.8)
    expect(fills.expected.value).toBeLessThan(2.05)
    expect(edge).toMatchObject({ name: 'edge', realised: null, verdict: null })
    expect(edge.expected.value).toBeCloseTo(60, 6)
    thread.isItsOwn = true
    const text = await mizani('scorecard', '--config', config)
    thread.isItsOwn = false
    expect(text.out).toMatch(/^result {3}none .* 3 measures/m)
    expect(text.out).not.toMatch(/ALARM/)
  })

  test('with --every is kept for the daemon to show, and sends the alarm once, and once that it is over', async () => {
    await using hook = await receivingServer()
    vi.stubEnv('HOOK_URL', `${hook.url}/hook`)
    const notify =
      'notify: { webhook: { url: !env HOOK_URL, hmacKey: !env HOOK_KEY, minSeverity: warning } }\n'
    const every = (file: string, ...more: string[]) =>
      mizani('scorecard', '--config', file, '--every', '1h', '--notify', ...more)
    const busy = configWith('kept-busy', 600, notify)
    for (const _run of [1, 2]) expect((await every(busy)).exitCode).toBe(1)
    expect(hook.received.map(({ body }) => JSON.parse(body))).toMatchObject([
      { code: 'scorecard', kind: 'raised' },
    ])
    const shown = await shownBy(busy)
    expect(shown).toMatchObject({ problem: null, card: { judged: 3, outside: expect.any(Array) } })
    expect(shown?.outsideSince).toBeGreaterThan(0)
    // A time without a journal keeps the card and the alarm, and is shown with its reason.
    await every(busy, '--from', '2027-01-01')
    expect(await shownBy(busy)).toMatchObject({
      ...shown,
      at: expect.any(Number),
      problem: expect.stringContaining('nothing to compare'),
    })
    const calm = configWith('kept-calm', 12, notify)
    await every(calm)
    expect(JSON.parse(hook.received[1]?.body ?? '{}')).toMatchObject({ kind: 'lifted' })
    expect(await shownBy(calm)).toMatchObject({ outsideSince: null, card: { outside: [] } })
  })

  test('raises an alarm with its advice and exit code 1 where a hundred were expected', async () => {
    const { out, exitCode } = await mizani('scorecard', '--config', configWith('busy', 600))
    expect(exitCode).toBe(1)
    expect(out).toMatch(/^ALARM {4}.* 3 of 3 measures/m)
    expect(out).toMatch(/^advice {3}`mizani scorecard` /m)
    expect(out).toMatch(/fills .* 0 {2}BELOW/)
  })

  test('sends the alarm with --notify, with the place in the runbook, and what is no alarm to no channel without summaries', async () => {
    await using hook = await receivingServer()
    vi.stubEnv('HOOK_URL', `${hook.url}/hook`)
    const notify = (summary: boolean) =>
      `notify: { webhook: { url: !env HOOK_URL, hmacKey: !env HOOK_KEY, minSeverity: warning, summary: ${summary} } }\n`
    const alarm = await mizani('scorecard', '--config', configWith('alarm', 600, notify(false)), '--notify')
    expect([alarm.exitCode, alarm.out]).toEqual([1, expect.stringContaining('webhook   sent')])
    expect(JSON.parse(hook.received[0]?.body ?? '{}')).toMatchObject({
      code: 'scorecard',
      kind: 'raised',
      severity: 'warning',
      runbook: '`mizani runbook scorecard`',
    })
    await mizani('scorecard', '--config', configWith('calm', 12, notify(false)), '--notify')
    expect(hook.received).toHaveLength(1)
    const weekly = configWith('weekly', 12, notify(true))
    const told = await mizani('scorecard', '--config', weekly, '--notify', '--json')
    expect(JSON.parse(told.out).notified).toEqual([{ channel: 'webhook', outcome: 'sent', why: null }])
    expect(JSON.parse(hook.received[1]?.body ?? '{}')).toMatchObject({ kind: 'summary', severity: 'info' })
    hook.respond = (response) => void response.writeHead(500).end()
    const unsent = await mizani('scorecard', '--config', weekly, '--notify')
    expect([unsent.exitCode, unsent.out]).toEqual([1, expect.stringContaining('webhook   not sent')])
  })

  test('without a calibration, without channels for --notify, and for a time beyond the journal says what to do', async () => {
    const bare = await mizani('scorecard', '--config', configWith('bare', null))
    expect([bare.exitCode, bare.err]).toEqual([2, expect.stringContaining('mizani calibrate')])
    const mute = await mizani('scorecard', '--config', configWith('mute', 12), '--notify')
    expect([mute.exitCode, mute.err]).toEqual([2, expect.stringContaining('names no channel')])
    for (const window of [
      ['--from', '2027-01-01'],
      ['--to', '2026-01-01'],
      ['--from', '2026-09-07T01:00:00Z', '--to', '2026-09-07T01:00:00Z'],
    ]) {
      const beyond = await mizani('scorecard', '--config', configWith('beyond', 12), ...window)
      expect([beyond.exitCode, beyond.err]).toEqual([
        1,
        expect.stringContaining('is from 2026-09-07 00:00:00 UTC'),
      ])
    }
  })
})

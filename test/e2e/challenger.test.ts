import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { encodeJson } from '../../src/base/codec.ts'
import { runChallenger } from '../../src/research/jobs/challenger/run-challenger.ts'
import { loadConfig } from '../../src/daemon/config/load/load-config.ts'
import type { StrategyReference } from '../../src/daemon/config/strategy/load-strategy.ts'
import { createResultReader } from '../../src/daemon/runtime/position/result-files.ts'
import { halfHourJournal } from '../support/written-store.ts'
import { PROGRAM } from './daemon/program.ts'
import { until } from './daemon/until.ts'

// What hostile code of a challenger does to the command that lets it trade, and that nothing else is changed by it.

const folder = mkdtempSync(join(tmpdir(), 'mizani-challenger-'))

const CONFIG = new URL('../../config/backtest.yaml', import.meta.url).pathname
const WEEK = new URL('../../examples/week', import.meta.url).pathname
const STRATEGIES = new URL('../../strategies', import.meta.url).pathname
const WINDOW = { from: Date.UTC(2026, 8, 8), to: Date.UTC(2026, 8, 10) }

async function loaded(changes: Readonly<Record<string, unknown>> = {}) {
  const options = { strategiesFolder: STRATEGIES, offline: true, changes }
  const config = await loadConfig(CONFIG, {}, { ...options, probe: { timeLimitMs: 20_000, only: 'load' } })
  if (!config.ok) throw new Error(config.error.map(({ message }) => message).join('\n'))
  return config.value
}

const plain = await loaded()
const { core } = plain
/** The recording of the position, and its strategies beside its file. */
const config = { ...plain, file: join(folder, 'desk.yaml'), record: { ...plain.record, path: folder } }
symlinkSync(WEEK, join(folder, core.name))

/** A run at the end of the window, of a challenger that began at its start. */
async function run(challenger: StrategyReference, { from, to } = WINDOW) {
  return runChallenger(config, challenger, await runChallenger(config, challenger, null, from), to)
}

async function compared(challenger: StrategyReference) {
  const { compared: both, suspended, problem } = await run(challenger)
  if (both === null || problem !== null) throw new Error(JSON.stringify({ suspended, problem }))
  return { compared: both, suspended }
}

/** A strategy whose hundredth quote does what is written here. */
function hostile(name: string, body: string, top = ''): StrategyReference {
  writeFileSync(
    join(folder, `${name}.ts`),
    `import { defineStrategy, z } from '#kit'
    ${top}
    export default defineStrategy({
      name: '${name}',
      params: z.strictObject({}),
      init: () => ({ asked: 0 }),
      quote({ now }, state) {
        state.asked += 1
        if (state.asked > 100) { ${body} }
        return { bidBps: 60, askBps: 60, reasons: [] }
      },
    })`,
  )
  return { use: `./${name}.ts`, params: {} }
}

const champion = { use: core.strategy.use, params: core.strategy.params as Readonly<Record<string, unknown>> }

describe('a challenger', { timeout: 300_000 }, async () => {
  const itself = await compared(champion)

  test('that is the champion itself trades exactly as it does: no day differs, and neither does the digest', () => {
    const { challenger, champion: ours, difference, days } = itself.compared
    expect(challenger).toEqual(ours)
    expect(difference).toEqual({ days: 2, meanUsd: 0, seUsd: 0, p: 1 })
    expect(days).toHaveLength(2)
    expect(ours.fills).toBeGreaterThan(500)
  })

  test('gives the same result when it runs again, as after a restart', async () => {
    const other = { use: 'fixed-spread', params: { bidBps: 80, askBps: 45 } }
    const first = await compared(other)
    expect(await compared(other)).toEqual(first)
    const { difference, challenger, champion: ours } = first.compared
    expect(difference?.seUsd).toBeGreaterThan(0)
    expect(challenger.quote).toMatchObject({ bidBps: 80, askBps: 45 })
    expect(challenger.quoteUpdates).toBeLessThan(ours.quoteUpdates)
    expect(ours).toEqual(itself.compared.champion)
  })

  test.each([
    ['throws', "throw new Error('no more')", /no more/],
    ['wants NaN', 'return { bidBps: NaN, askBps: 60, reasons: [] }', /NaN|number/],
    ['answers with nothing', 'return undefined', /./],
  ])(
    'that %s is suspended by its own core with the reason, and changes nothing of the champion',
    async (name, body, why) => {
      const { suspended, compared: both } = await compared(hostile(name.replaceAll(' ', '-'), body))
      expect(suspended?.why).toMatch(why)
      expect(suspended?.since).toBeGreaterThan(WINDOW.from)
      expect(encodeJson(both.champion)).toBe(encodeJson(itself.compared.champion))
      // The safe quote that stands from then on is not its own.
      expect(both.days.every(({ to }) => to <= (suspended?.since ?? 0))).toBe(true)
    },
  )

  test('that sells at both bounds earns less in the shadow, and changes nothing of the champion', async () => {
    const { suspended, compared: both } = await compared(
      hostile('narrow', 'return { bidBps: 10, askBps: 10, reasons: [] }'),
    )
    expect(suspended).toBeNull()
    expect(both.difference?.meanUsd).toBeLessThan(-100)
    expect(both.challenger.syntheticFills).toBeGreaterThan(both.champion.syntheticFills)
    expect(encodeJson(both.champion)).toBe(encodeJson(itself.compared.champion))
  })

  test('that loops, fills memory or cannot be loaded is suspended with the reason', async () => {
    const hogs = 'const kept = []; for (;;) kept.push(new Array(1e6).fill(now))'
    const answers = [
      [hostile('loops', 'while (now > 0);'), /did not answer within 1000 ms/],
      [hostile('hogs', hogs), /memory|did not answer/],
      [hostile('top', '', "throw new Error('at the top')"), /at the top/],
      [{ use: 'fixed-spread', params: { bidBps: 'wide' } }, /bidBps/],
      [{ use: './gone.ts', params: {} }, /does not exist/],
    ] as const
    for (const [challenger, why] of answers) {
      const first = await run(challenger)
      expect(first.suspended?.why).toMatch(why)
      // It stays so, and is shown with the time of the last look.
      expect(await runChallenger(config, challenger, first, WINDOW.to + 1)).toEqual({
        ...first,
        at: WINDOW.to + 1,
      })
    }
    // The next one runs as if nothing had been.
    expect(await compared(champion)).toEqual(itself)
  })

  test('of a time without a recording is a problem and no suspension; one that begins now is loaded', async () => {
    const begun = await runChallenger(config, champion, null, WINDOW.from)
    expect(begun).toMatchObject({ since: WINDOW.from, compared: null, suspended: null, problem: null })
    expect(await run(champion, { from: 0, to: 1 })).toMatchObject({
      suspended: null,
      problem: 'nothing is recorded of this time yet',
    })
    const other = await runChallenger(
      config,
      { ...champion, params: { ...champion.params, halfSpreadBps: 61 } },
      begun,
      WINDOW.to,
    )
    expect(other).toMatchObject({ since: WINDOW.to, compared: null })
  })

  test('is nothing that the core of the position knows of: what it decides and sends is byte-equal with and without', async () => {
    const challenger = hostile('beside', 'while (now > 0);')
    const beside = await loaded({ 'record.path': folder, challenger })
    expect(beside.challenger).toEqual(challenger)
    expect(encodeJson(beside.core)).toBe(encodeJson(core))
    const alone = encodeJson(halfHourJournal(champion))
    const looping = run(challenger)
    expect(encodeJson(halfHourJournal(champion))).toBe(alone)
    expect((await looping).suspended?.why).toContain('did not answer')
  })
})

describe('mizani challenger', { timeout: 120_000 }, () => {
  const store = join(folder, 'store')
  const file = join(folder, 'command.yaml')
  const result = join(store, 'challenger.json')

  function configured(challenger: string): void {
    const text = readFileSync(CONFIG, 'utf8').replace(/^ {2}tape: .*\n/m, '')
    writeFileSync(
      file,
      `${text}store: { path: ${store} }\nrecord: { path: ${folder} }\nchallenger: ${challenger}\n`,
    )
  }

  test('with --every replaces a pipe in the place of its result, repeats after a failure and ends with 0 at SIGTERM', async () => {
    mkdirSync(store)
    configured('{ use: fixed-spread, params: { bidBps: 80, askBps: 45 } }')
    execFileSync('mkfifo', [result])
    const here = { ...config, store: { ...config.store, path: store }, challenger: champion }
    expect(createResultReader()(here, Date.now()).challenger?.problem).toContain('not a regular file')
    const child = spawn(
      process.execPath,
      [PROGRAM, 'challenger', '--config', file, '--every', '1s', '--json'],
      {
        env: { PATH: process.env.PATH },
      },
    )
    let [out, err] = ['', '']
    child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text))
    const exited = new Promise<number | null>((done) => child.once('exit', done))
    await until('it ran twice', () => out.split('\n').length > 2, { otherwise: () => err })
    child.kill('SIGTERM')
    expect(await exited).toBe(0)
    const [first, second] = out.split('\n').map((line) => (line === '' ? null : JSON.parse(line)))
    expect(first).toMatchObject({ position: core.name, exitCode: 0, problem: null, compared: null })
    // The recording ends before the challenger began.
    expect(second).toMatchObject({
      since: first.since,
      exitCode: 1,
      problem: expect.stringContaining('recorded'),
    })
    expect(JSON.parse(readFileSync(result, 'utf8'))).toMatchObject({
      use: 'fixed-spread',
      position: core.name,
    })
  })
})

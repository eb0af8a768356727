import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { ApartCommand, ApartOptions } from '../../../src/cli/apart-commands.ts'
import { hangWatch } from '../../../src/research/jobs/apart/hang.ts'
import { inThread, runApart } from '../../../src/cli/apart/run-apart.ts'
import { backtest } from '../../../src/cli/research/backtest/backtest.ts'
import { sweep } from '../../../src/cli/research/sweep/sweep.ts'
import { tournament } from '../../../src/cli/research/tournament/tournament.ts'
import { captured } from '../../support/captured.ts'
import { halfHourJournal, writtenStore } from '../../support/written-store.ts'

// Commands of research in the threads that they run in: what a loop does there, and that nothing else is changed by them.

const folder = mkdtempSync(join(tmpdir(), 'mizani-loop-'))

const CONFIG = new URL('../../../config/backtest.yaml', import.meta.url).pathname
const WEEK = new URL('../../../examples/week', import.meta.url).pathname
const DAY = { from: Date.UTC(2026, 8, 8), to: Date.UTC(2026, 8, 9) }
const BACKTEST = { config: CONFIG, ...DAY, variants: 1, replicates: 0, json: true }

const LOOP = join(folder, 'loop.ts')
writeFileSync(
  LOOP,
  `import { defineStrategy, z } from '#kit'
  export default defineStrategy({
    name: 'loop',
    params: z.strictObject({}),
    init: () => ({ asked: 0 }),
    quote({ now }, state) {
      state.asked += 1
      while (state.asked > 3 && now > 0);
      return { bidBps: 60, askBps: 60, reasons: [] }
    },
  })`,
)

const GROWS = join(folder, 'grows.ts')
writeFileSync(
  GROWS,
  readFileSync(LOOP, 'utf8')
    .replace('export default', 'const seen: unknown[] = []\nexport default')
    .replace('while (state.asked > 3 && now > 0);', 'seen.push(Array(100_000).fill(now))'),
)

/** Ten seconds in earnest: here a call that lasts for one of them loops. */
const SOON = hangWatch(1_000)
const WHY = 'the strategy did not come back within 1 s after it was asked for a quote'

const apart = <Name extends ApartCommand>(command: Name, options: ApartOptions[Name]) =>
  captured(() => runApart(command, options, SOON))

/** The shipped configuration with the strategy that loops, on a store. */
function loopingConfig(store: string): string {
  const path = join(folder, 'looping.yaml')
  const text = readFileSync(CONFIG, 'utf8')
    .replace(/strategy: .*/, `strategy: { use: ${LOOP}, params: {} }`)
    .replace('!env MIZANI_API_KEY', `!file ${join(folder, 'key')}`)
    .replace(/^ {2}tape: .*/m, `  tape: ${WEEK}`)
  writeFileSync(join(folder, 'key'), `lp_test_${'0'.repeat(32)}`, { mode: 0o600 })
  writeFileSync(path, `${text}store: { path: ${store} }\n`)
  return path
}

test(
  'a strategy that fills the memory of its thread ends the command with where to look',
  { timeout: 60_000 },
  async () => {
    const { exitCode, failure } = await inThread({
      command: 'backtest',
      options: { ...BACKTEST, strategy: GROWS },
      terminals: { stdout: {}, stderr: {} },
      hangs: hangWatch(10_000),
      read: () => [],
      limits: { resourceLimits: { maxOldGenerationSizeMb: 100 } },
    })
    expect([exitCode, failure]).toEqual([
      1,
      expect.stringContaining('a list or map that grows with every call'),
    ])
  },
)

describe('a strategy that loops', { timeout: 60_000 }, async () => {
  const journal = halfHourJournal({ use: LOOP, params: {} })
  const store = await writtenStore(join(folder, 'store'), journal)
  const config = loopingConfig(store)

  test.each([
    ['a backtest', () => apart('backtest', { ...BACKTEST, strategy: LOOP })],
    ['a what-if', () => apart('whatif', { store, config, json: true })],
    ['a parity check', () => apart('parity', { store, config, json: true })],
    ['a replay', () => apart('replay', { config, json: true })],
  ])('ends %s with exit code 1 and in words', async (_what, run) => {
    const { out, err, exitCode } = await run()
    expect([exitCode, err]).toEqual([1, ''])
    expect(JSON.parse(out)).toMatchObject({ error: expect.stringContaining(WHY), exitCode: 1 })
  })

  test('ends a sweep with exit code 1, the variant and the same words', async () => {
    const grid = JSON.stringify({ 'strategy.use': [LOOP] })
    const out = join(folder, 'looping')
    const options = { config: CONFIG, ...DAY, grid, out, splits: 4, heatmap: [], leaseSeconds: 20 }
    const swept = await captured(() => sweep({ ...options, workers: 1, json: true }, [], SOON))
    expect(swept.exitCode).toBe(1)
    const { error } = JSON.parse(swept.out)
    expect(error).toContain(WHY)
    expect(error).toContain('variant 1 (strategy.use=')
  })

  test('ends a tournament with exit code 1, who it was, where, and the same words', async () => {
    const options = { strategies: [LOOP], scenarios: ['calm'], seeds: 2, days: 14, firstSeed: 7 }
    const out = join(folder, 'tournament')
    const played = await captured(() =>
      tournament({ ...options, out, workers: 1, leaseSeconds: 20, json: true }, SOON),
    )
    expect(played.exitCode).toBe(1)
    const { error } = JSON.parse(played.out)
    expect(error).toContain(`thread was ended: ${WHY}`)
    expect(error).toContain('0 results')
  })
})

/** A result without what differs from run to run: how long it took. */
function untimed(json: string): unknown {
  return { ...JSON.parse(json), elapsedMs: 0, eventsPerSecond: 0, readMs: 0 }
}

describe('a thread of its own', () => {
  test('writes what the command writes in this thread, and sets the same exit code', async () => {
    const there = await captured(() => runApart('backtest', BACKTEST))
    const here = await captured(() => backtest(BACKTEST))
    expect([there.exitCode, there.err]).toEqual([0, ''])
    expect(untimed(there.out)).toEqual(untimed(here.out))
    const refused = await captured(() => runApart('backtest', { ...BACKTEST, params: '{' }))
    expect([refused.exitCode, JSON.parse(refused.out).error]).toEqual([
      2,
      expect.stringContaining('--params is not JSON'),
    ])
  })
})

import { existsSync, readFileSync, renameSync, truncateSync, writeFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { err } from '../../../src/base/result.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sweep, type SweepOptions } from '../../../src/cli/research/sweep/sweep.ts'
import { checkVariants } from '../../../src/research/jobs/sweep/check-variants.ts'
import { createVariantRunner } from '../../../src/research/jobs/sweep/variant-runner.ts'
import type { SweepResult } from '../../../src/research/sweep/results/sweep-result.ts'
import type { VariantJob } from '../../../src/research/sweep/variant-job.ts'
import type { VariantChanges } from '../../../src/research/sweep/variant.ts'
import { captured } from '../../support/captured.ts'
import { emptyFolder } from '../../unit/research/sweep/fake-sweep.ts'
import { runHere } from '../daemon/run-here.ts'
import { smallTape } from '../sweep/small-tape.ts'

// The same work from inside this process, so that every answer can be looked at.

const folder = emptyFolder()
let paths = { tape: '', config: '' }

beforeAll(() => {
  paths = smallTape(folder.path, 10)
})

afterAll(() => folder.remove())

async function job(changes: VariantChanges = {}, parts: Partial<VariantJob> = {}): Promise<VariantJob> {
  const [variant, place] = [
    { index: 1, label: 'one', changes },
    { tapePath: paths.tape, window: {} },
  ]
  const configs = await checkVariants(paths.config, [variant])
  const [config = ''] = configs.ok ? configs.value : []
  return { configFile: paths.config, ...place, fills: 'recorded', seed: 1, variant, config, ...parts }
}

function swept({ tape = paths.tape, ...options }: Partial<SweepOptions> & { readonly tape?: string }) {
  const defaults = { config: paths.config, splits: 4, heatmap: [], leaseSeconds: 20, workers: 1 }
  return captured(() => sweep({ ...defaults, out: join(folder.path, 'out'), ...options }, [tape]))
}

describe('one variant', () => {
  test('is refused where its configuration is no longer the one with which the sweep began', async () => {
    const before = await job()
    const text = readFileSync(paths.config, 'utf8')
    writeFileSync(paths.config, text.replace('halfSpreadBps: 60', 'halfSpreadBps: 61'))
    const changed = await createVariantRunner()(before)
    writeFileSync(paths.config, text)
    expect(changed).toEqual(err(expect.stringMatching(/changed while the sweep ran; restore it/)))
    expect(await createVariantRunner()(before)).toMatchObject({ ok: true })
  })

  test('is the same backtest whether its tape was read before or not, and after others', async () => {
    const fresh = createVariantRunner()
    const used = createVariantRunner()
    const wide = { 'strategy.params.halfSpreadBps': 80 }
    await used(await job())
    await used(await job({}, { window: { to: Date.parse('2026-11-05T00:00:00Z') } }))
    const [a, b] = [await fresh(await job(wide)), await used(await job(wide))]
    if (!a.ok || !b.ok) throw new Error(JSON.stringify([a, b]))
    expect({ ...b.value, elapsedMs: 0 }).toEqual({ ...a.value, elapsedMs: 0 })
    expect(a.value.daily.day).toHaveLength(11)
    const sum = a.value.daily.pnlUsd.reduce((total, pnl) => total + pnl, 0)
    expect(sum).toBeCloseTo(Number(a.value.pnlUsd), 6)
  })

  test.each(['thinned', 'simulated'] as const)(
    'with %s fills has the calibration of its own settings, also after variants with others',
    async (fills) => {
      const used = createVariantRunner()
      const tried: readonly VariantChanges[] = [
        {},
        { 'strategy.params.halfSpreadBps': 80 },
        { 'venue.toleranceBps': 20 },
        { 'venue.protocolFeeBps': 30 },
        { 'strategy.params.halfSpreadBps': 45 },
      ]
      for (const changes of tried) {
        const [a, b] = [
          await createVariantRunner()(await job(changes, { fills })),
          await used(await job(changes, { fills })),
        ]
        if (!a.ok || !b.ok) throw new Error(JSON.stringify([a, b]))
        expect({ ...b.value, elapsedMs: 0 }).toEqual({ ...a.value, elapsedMs: 0 })
      }
    },
  )

  test('over a part of the tape has only its days', async () => {
    const window = { from: Date.parse('2026-11-04T00:00:00Z'), to: Date.parse('2026-11-06T00:00:00Z') }
    const opening = { 'backtest.opening': { NTZS: '1000000', USDC: '1000' } }
    const result = await createVariantRunner()(await job(opening, { window }))
    expect(result.ok ? result.value.daily.day : result).toEqual([window.from, window.from + 86_400_000])
  })

  test('that is no configuration, or has no tape, is an error in words', async () => {
    const run = createVariantRunner()
    expect(await run(await job({ 'strategy.params.halfSpreadBps': 5 }))).toMatchObject({
      ok: false,
      error: expect.stringContaining('halfSpreadBps: too small'),
    })
    expect(await run(await job({}, { tapePath: join(folder.path, 'none.jsonl') }))).toMatchObject({
      ok: false,
      error: expect.stringContaining('none.jsonl'),
    })
  })

  test('tells what is wrong with its tape without saying where the tape lies', async () => {
    const damaged = smallTape(folder.path, 3).tape
    const moved = join(folder.path, 'damaged.jsonl')
    renameSync(damaged, moved)
    paths = smallTape(folder.path, 10)
    truncateSync(moved, statSync(moved).size - 20)
    const result = await createVariantRunner()(await job({}, { tapePath: moved }))
    const warnings = result.ok ? result.value.warnings : []
    expect(warnings.join('\n')).toMatch(/tape, line \d+/)
    expect(warnings.join('\n')).not.toContain(folder.path)
  })
})

describe('the command', () => {
  test('says its result as text or as one document, and keeps both equal', async () => {
    const grid = '{"halfSpreadBps":[50,60]}'
    const text = await swept({ grid })
    expect(text).toMatchObject({ exitCode: 0, out: expect.stringMatching(/^tried +2 variants/m) })
    const { out } = await swept({ grid, json: true })
    const result = JSON.parse(out) as SweepResult
    expect(result.ranking.variants.map(({ label }) => label).sort()).toEqual([
      'halfSpreadBps=50',
      'unchanged (halfSpreadBps=60)',
    ])
  })

  test('shows why a variant has no Sharpe ratio', async () => {
    const grid = '{"strategy.use":["fixed-spread"],"strategy.params":[{"bidBps":500,"askBps":500}]}'
    const { out, exitCode } = await swept({ grid, out: join(folder.path, 'wide') })
    expect(exitCode).toBe(0)
    expect(out).toMatch(/^Sharpe -: /m)
  })

  test('refuses a tape of which too many rows are skipped, and accepts it with --allow-skipped', async () => {
    const tape = join(folder.path, 'skipped.jsonl')
    const rows = readFileSync(paths.tape, 'utf8').split('\n')
    writeFileSync(tape, rows.flatMap((row, i) => (i % 20 === 19 ? ['no row', row] : [row])).join('\n'))
    const asked = { grid: '{"halfSpreadBps":[50]}', tape, out: join(folder.path, 'skipped') }
    const refused = await swept(asked)
    expect([refused.exitCode, refused.err]).toEqual([1, expect.stringContaining('--allow-skipped')])
    const accepted = await swept({ ...asked, allowSkipped: true })
    expect([accepted.exitCode, accepted.out]).toEqual([0, expect.stringContaining('were skipped')])
  })

  test('refuses what it cannot do, each with its exit code', async () => {
    expect((await swept({})).err).toContain('nothing to try')
    expect(await swept({ grid: '{"halfSpreadBps":[55]}' })).toMatchObject({
      exitCode: 1,
      err: expect.stringContaining('holds another sweep'),
    })
    expect(await swept({ join: true })).toMatchObject({ exitCode: 2 })
    const queue = 'postgres://nobody@127.0.0.1:1/none'
    expect(await swept({ join: true, queue, json: true })).toMatchObject({
      exitCode: 1,
      out: expect.stringContaining('ECONNREFUSED'),
    })
    expect((await swept({ random: 3, space: '{"halfSpreadBps":[5,6]}' })).err).toMatch(/only 2 different/)
    expect((await swept({ config: join(folder.path, 'none.yaml') })).exitCode).toBe(2)
    const tape = join(folder.path, 'none')
    expect((await swept({ grid: '{"halfSpreadBps":[50]}', tape })).exitCode).toBe(2)
  })

  test('reports before anything runs what is wrong with a command line, and what is expected', async () => {
    const GRID = '{"halfSpreadBps":[40,60,80],"maxSkewBps":[0,40]}'
    const wrong: readonly (readonly [readonly string[], RegExp])[] = [
      [
        ['--grid', '{"halfSpredBps":[40]}'],
        /halfSpredBps: unknown key; did you mean halfSpreadBps\? \(in half/,
      ],
      [['--grid', '{"quote.requotThresholdBps":[4]}'], /did you mean requoteThresholdBps/],
      [
        ['--grid', '{"halfSpreadBps":[5,40,60]}'],
        /1 of 4 variants are invalid.*\nhalfSpreadBps: too small; expected at least 10/,
      ],
      [['--grid', '{"strategy.use":["inventry-skew"]}'], /did you mean inventory-skew/],
      [['--grid', GRID, '--random', '5'], /exclude each other/],
      [[], /nothing to try: give --grid/],
      [['--grid', GRID, '--heatmap', 'offBeyond'], /--heatmap offBeyond: expected one or two keys that vary/],
      [['--grid', GRID, '--workers', '0'], /--workers 0 needs --queue/],
      [['--grid', GRID, '--space', '{"halfSpreadBps":[40,60]}'], /--space needs --random N or --search/],
      [['--grid', GRID, '--objective', 'max pnlUsd'], /--objective needs --search/],
      [['--search', '--heatmap', 'halfSpreadBps'], /--heatmap excludes --search/],
      [['--grid', '{"constructor":[1]}'], /constructor: unknown key/],
      [['--join'], /--join needs --queue URL/],
      [['--random', '0'], /from 1/],
    ]
    const out = join(folder.path, 'nothing')
    const asked = ['sweep', '--config', paths.config, '--out', out]
    for (const [words, right] of wrong) {
      const { code, err } = await runHere([...asked, '--tape', paths.tape, ...words])
      expect(err).toMatch(right)
      expect(code).toBe(2)
    }
    expect(existsSync(out)).toBe(false)
    const away = await runHere([...asked, '--tape', join(folder.path, 'no-tape'), '--grid', GRID])
    expect(away).toMatchObject({ code: 2, err: expect.stringContaining('no-tape') })
  })
})

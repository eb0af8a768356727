import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SweepResult } from '../../../src/research/sweep/results/sweep-result.ts'
import { needs } from '../../support/needs.ts'
import { postgresSurroundings, startPostgres } from '../../support/postgres.ts'
import { emptyFolder } from '../../unit/research/sweep/fake-sweep.ts'
import { PROGRAM } from '../daemon/program.ts'
import { runMizani } from '../daemon/run-mizani.ts'
import { until } from '../daemon/until.ts'
import { smallTape } from './small-tape.ts'

// The command as people type it, over real backtests of a month.

const GRID = '{"halfSpreadBps":[40,60,80],"maxSkewBps":[0,40]}'
const folder = emptyFolder()
let tape = ''
let config = ''
let digest = ''

beforeAll(() => {
  ;({ tape, config } = smallTape(folder.path))
})

afterAll(() => folder.remove())

const at = (...names: readonly string[]) => join(folder.path, ...names)
/** In one thread, which is cheaper than two, unless the words have it otherwise. */
const sweep = (out: string, ...words: readonly string[]) =>
  runMizani(['sweep', '--config', config, '--tape', tape, '--out', at(out), '--workers', '1', ...words])
const resultIn = (out: string) =>
  JSON.parse(readFileSync(join(at(out), 'result.json'), 'utf8')) as SweepResult

describe('mizani sweep', () => {
  test('prints warnings, ranking, heatmap and walk-forward; variant 0 is what mizani backtest says', async () => {
    const [swept, backtest] = await Promise.all([
      sweep('first', '--grid', GRID),
      runMizani(['backtest', '--config', config, '--tape', tape, '--json']),
    ])
    expect(swept).toMatchObject({ code: 0, err: expect.stringMatching(/of 6 variants/) as string })
    expect(swept.out).toMatch(/^warning .* warnings of/m)
    expect(swept.out).toMatch(/^ +1 .*halfSpreadBps=60 maxSkewBps=0$/m)
    expect(swept.out).toMatch(/^q05 .*: halfSpreadBps down, maxSkewBps across$/m)
    expect(swept.out).toMatch(/^2026-11-08 to 2026-11-14 .* of 6 /m)
    ;({ digest } = resultIn('first'))
    const unchanged = resultIn('first').ranking.variants.find(({ variant }) => variant === 0)
    const said = JSON.parse(backtest.out) as {
      digest: string
      pnl: { usd: { total: string } }
      pnlLessHoldingUsd: string
      fills: number
      sharpe: { perDay: number; se: number }
    }
    expect(unchanged).toMatchObject({ digest: said.digest, pnlUsd: said.pnl.usd.total, fills: said.fills })
    // Ranking and Sharpe ratio are of the PnL less holding: the spread of this tape is earned surely, whatever its mid does to the position.
    expect(unchanged?.sharpe?.perDay).toBeCloseTo(said.sharpe.perDay, 9)
    expect(unchanged?.sharpe?.se).toBeCloseTo(said.sharpe.se, 9)
    const daily = unchanged?.daily.meanUsd ?? 0
    expect(daily * resultIn('first').ranking.days).toBeCloseTo(Number(said.pnlLessHoldingUsd), 6)
  })

  test('gives the same from two threads, and runs nothing that is there', async () => {
    const two = await sweep('second', '--grid', GRID, '--workers', '2', '--json')
    const said = JSON.parse(two.out) as SweepResult
    expect(said.digest).toBe(digest)
    expect(readFileSync(join(at('second'), 'report.html'), 'utf8')).toContain('halfSpreadBps by maxSkewBps')
    const again = await sweep('second', '--grid', GRID, '--json', '--splits', '2', '--heatmap', 'maxSkewBps')
    expect(again.err).toContain('6 of 6 variants')
    const other = JSON.parse(again.out) as SweepResult
    expect(other.walkForward?.splits).toHaveLength(2)
    expect(other.heatmap?.rows?.path).toBe('strategy.params.maxSkewBps')
  })

  test('refuses another grid in the same folder, and takes it with --add, other strategies among it', async () => {
    const other = ['--grid', '{"strategy.use":["fixed-spread"],"bidBps":[50],"askBps":[50,70]}']
    const refused = await sweep('first', ...other)
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('--add') as string })
    const added = await sweep('first', ...other, '--add', '--json')
    const { ranking } = JSON.parse(added.out) as SweepResult
    // Of the six before, one is here again: the unchanged one.
    expect(ranking.trials).toMatchObject({ here: 3, earlier: 5, count: 8 })
    expect(ranking.variants.map(({ label }) => label).sort()).toEqual([
      'strategy.use=fixed-spread bidBps=50 askBps=50',
      'strategy.use=fixed-spread bidBps=50 askBps=70',
      'unchanged',
    ])
  })

  test('draws at random around what the configuration has, the same for the same seed', async () => {
    const drawn = await sweep('drawn', '--random', '4', '--seed', '3', '--json')
    const { ranking, seed } = JSON.parse(drawn.out) as SweepResult
    expect(seed).toBe(3)
    expect(ranking.variants).toHaveLength(5)
    for (const { changes } of ranking.variants.filter(({ variant }) => variant !== 0)) {
      const spread = Number(changes['strategy.params.halfSpreadBps'])
      expect(Number.isInteger(spread) && spread >= 30 && spread <= 120).toBe(true)
      expect(Number(changes['strategy.params.offBeyond'])).toBeLessThanOrEqual(1)
    }
  })

  test('stops at Ctrl-C, reports what was done and how to continue, and continues', async () => {
    const spreads = JSON.stringify({ halfSpreadBps: Array.from({ length: 30 }, (_, i) => 30 + i) })
    const words = ['--config', config, '--tape', tape, '--out', at('left'), '--grid', spreads]
    const child = spawn(process.execPath, [PROGRAM, 'sweep', ...words, '--workers', '1'], {
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let said = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text
    })
    await until('it runs', () => said.includes('0 of 31 variants'))
    child.kill('SIGINT')
    const [code] = (await once(child, 'close')) as [number]
    expect(code).toBe(1)
    expect(said).toMatch(/interrupted .* \d+ of 31 /)
    const again = await sweep('left', '--grid', spreads, '--json')
    expect((JSON.parse(again.out) as SweepResult).ranking.variants).toHaveLength(31)
  })

  test.skipIf(needs('initdb', postgresSurroundings()))(
    'is shared with another machine that has the same tape and configuration elsewhere, with an equal result',
    async () => {
      const server = await startPostgres()
      try {
        const elsewhere = at('elsewhere')
        mkdirSync(elsewhere)
        cpSync(tape, join(elsewhere, 'copy.jsonl'))
        // The same to a backtest: comments, places and secrets are not what decides.
        const text = readFileSync(config, 'utf8').replace('!env MIZANI_API_KEY', '!env ANOTHER_KEY')
        writeFileSync(join(elsewhere, 'other.yaml'), `# a copy\n${text}`)
        // The grid sets both parameters in every variant, so only another setting makes a difference.
        writeFileSync(join(elsewhere, 'differs.yaml'), text.replace('target: 0.5', 'target: 0.4'))
        const joined = (file: string) =>
          runMizani(
            ['sweep', '--config', join(elsewhere, file), '--tape', join(elsewhere, 'copy.jsonl')].concat([
              '--queue',
              server.url,
              '--join',
              '--workers',
              '1',
              '--json',
            ]),
          )
        const shared = sweep('shared', '--grid', GRID, '--queue', server.url, '--workers', '0', '--json')
        await until('the sweep is open', () => isOpen(server.url))
        const refused = await joined('differs.yaml')
        expect(refused.code).toBe(1)
        expect(refused.out).toContain('not the same')
        const helped = await joined('other.yaml')
        expect(helped).toMatchObject({
          code: 0,
          out: expect.stringContaining('"ended":"complete"') as string,
        })
        const result = JSON.parse((await shared).out) as SweepResult
        expect(result.digest).toBe(digest)
      } finally {
        server.stop()
      }
    },
  )
})

async function isOpen(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<{ known: string | null }>(
      "select to_regclass('mizani_sweep.sweep') as known",
    )
    if (rows[0]?.known === null) return false
    return (await client.query('select 1 from mizani_sweep.sweep')).rows.length > 0
  } finally {
    await client.end()
  }
}

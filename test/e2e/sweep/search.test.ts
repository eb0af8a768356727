import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseDocument } from 'yaml'
import type { SearchOptions } from '../../../src/cli/research/sweep/search.ts'
import { search } from '../../../src/cli/research/sweep/search.ts'
import type { SweepResult } from '../../../src/research/sweep/results/sweep-result.ts'
import type { Front } from '../../../src/research/sweep/search/front.ts'
import { captured } from '../../support/captured.ts'
import { emptyFolder } from '../../unit/research/sweep/fake-sweep.ts'
import { PROGRAM } from '../daemon/program.ts'
import { runMizani } from '../daemon/run-mizani.ts'
import { until } from '../daemon/until.ts'
import { smallTape } from './small-tape.ts'

const folder = emptyFolder()
let paths = { tape: '', config: '' }

beforeAll(() => {
  paths = smallTape(folder.path, 5)
})

afterAll(() => folder.remove())

const SPACE = '{"halfSpreadBps":[20,120],"maxSkewBps":[0,80],"quote.requoteThresholdBps":[2,5]}'
const SIZE = ['--population', '6', '--generations', '3'] as const

function searched(options: Partial<SearchOptions>) {
  const plain = { config: paths.config, splits: 4, heatmap: [], leaseSeconds: 20, workers: 1, space: SPACE }
  const asked = { tapes: [paths.tape], objective: [], constraint: [], combine: 'mean' }
  const size = { population: 6, generations: 3, out: join(folder.path, 'out') }
  return captured(() => search({ ...plain, ...asked, ...size, ...options }))
}

const partsIn = (out: string): number =>
  existsSync(out)
    ? readdirSync(out, { recursive: true }).filter((name) => /part-.*\.parquet$/.test(String(name))).length
    : 0
const frontIn = (out: string) => JSON.parse(readFileSync(join(out, 'front.json'), 'utf8')) as Front

describe('mizani sweep --search', () => {
  test('writes the front, its page with files to save, and the reports of a sweep over all that it tried', async () => {
    const out = join(folder.path, 'out')
    expect(await searched({ constraint: ['fillsADay>=1'] })).toMatchObject({
      exitCode: 0,
      out: expect.stringMatching(/front: \d+ variants/),
      err: expect.stringContaining('of 19 variants'),
    })
    const front = frontIn(out)
    expect(front.objectives.map(({ metric }) => metric)).toEqual([
      'q05LessHoldingUsd',
      'maxDrawdownUsd',
      'timeOneSided',
    ])
    const result = JSON.parse(readFileSync(join(out, 'result.json'), 'utf8')) as SweepResult
    expect(result.variantsTried).toBe(front.tried)
    const page = readFileSync(join(out, 'front.html'), 'utf8')
    const [best] = front.front
    const [, encoded = ''] =
      new RegExp(`variant-${best!.variant}.yaml" href="data:application/yaml;base64,([^"]+)"`).exec(page) ??
      []
    const saved = parseDocument(Buffer.from(encoded, 'base64').toString())
    expect(saved.getIn(['strategy', 'params', 'halfSpreadBps'])).toBe(
      best!.changes['strategy.params.halfSpreadBps'],
    )
    expect(saved.toString()).toContain('!env')
  })

  test('that is killed with -9 ends, started again, with the front of one that was left in peace', async () => {
    const [peaceful, killed] = [join(folder.path, 'peaceful'), join(folder.path, 'killed')]
    await searched({ out: peaceful })
    const words = ['sweep', '--config', paths.config, '--tape', paths.tape, '--search', '--space', SPACE]
    const command = [...words, ...SIZE, '--workers', '1', '--out', killed]
    const first = spawn(process.execPath, [PROGRAM, ...command], {
      env: { ...process.env, MIZANI_API_KEY: 'none' },
    })
    await until('it has kept a generation', () => partsIn(killed) >= 2, { withinMs: 60_000 })
    first.kill('SIGKILL')
    await once(first, 'exit')
    expect(() => frontIn(killed)).toThrow('ENOENT')
    expect(await runMizani(command)).toMatchObject({ code: 0 })
    expect(frontIn(killed)).toEqual(frontIn(peaceful))
  })

  test('over several tapes measures each of them, and judges by the worst', async () => {
    const june = join(folder.path, 'june.jsonl')
    copyFileSync(smallTape(mkdtempSync(join(folder.path, 'other-')), 4).tape, june)
    const out = join(folder.path, 'two')
    const tapes = [paths.tape, june]
    expect(await searched({ tapes, combine: 'worst', out, generations: 1 })).toMatchObject({ exitCode: 0 })
    const { unchanged, grounds } = frontIn(out)
    const drawdowns = grounds.map((name) => unchanged.byGround[name]!.maxDrawdownUsd!)
    expect(grounds).toEqual(['tape', 'june'])
    expect(unchanged.metrics.maxDrawdownUsd).toBe(Math.max(...drawdowns))
    expect(unchanged.byGround.june!.q05LessHoldingUsd).not.toBe(unchanged.byGround.tape!.q05LessHoldingUsd)
    expect(existsSync(join(out, 'june', 'ranking.parquet'))).toBe(true)
    expect((await searched({ tapes: [june, june] })).err).toContain('have the name june')
  })

  test.each([
    [{ grid: '{"halfSpreadBps":[40]}' }, '--search excludes --grid and --random'],
    [{ objective: ['best pnl'] }, "'min maxDrawdownUsd'"],
    [{ objective: ['pnl.usd.totl'], out: 'none' }, 'expected one of'],
    [{ constraint: ['fillsADay'] }, "'fillsADay>=1'"],
    [{ combine: 'best' }, 'expected mean, worst, or one of tape'],
    [
      { space: '{"halfSpreadBps":[5,6]}', out: 'invalid' },
      'none of the first combinations is a valid configuration',
    ],
    [{ tapes: ['/nowhere'] }, 'there is no such file or folder'],
    [{ workers: 0 }, '--workers 0 needs --queue'],
    [{ join: true }, '--join needs --queue URL'],
  ])('refuses %j in a sentence that names what is expected', async (options, sentence) => {
    const out = join(folder.path, 'out' in options ? options.out : 'refused')
    const { exitCode, err } = await searched({ ...options, out })
    expect(exitCode).toBeGreaterThan(0)
    expect(err).toContain(sentence)
  })
})

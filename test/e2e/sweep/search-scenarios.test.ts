import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Front } from '../../../src/research/sweep/search/front.ts'
import { emptyFolder } from '../../unit/research/sweep/fake-sweep.ts'
import { runMizani } from '../daemon/run-mizani.ts'
import { smallTape } from './small-tape.ts'

const folder = emptyFolder()
let paths = { tape: '', config: '' }
beforeAll(() => {
  paths = smallTape(folder.path, 5)
})
afterAll(() => folder.remove())

const SPACE = '{"halfSpreadBps":[20,120],"maxSkewBps":[0,80]}'
const SIZE = ['--population', '4', '--generations', '2', '--workers', '2']
const WORLDS = ['--scenarios', 'normal,toxic-taker', '--seeds', '2', '--days', '14']
const searched = (name: string, ...words: readonly string[]) => {
  const out = join(folder.path, name)
  const asked = ['--config', paths.config, '--search', '--space', SPACE, '--out', out]
  return runMizani(['sweep', ...asked, ...SIZE, ...words])
}
const frontIn = (name: string) =>
  JSON.parse(readFileSync(join(folder.path, name, 'front.json'), 'utf8')) as Front

describe('mizani sweep --search in simulated markets', () => {
  test('finds a front in the worlds of the scenarios alone, and after a kill plays only what is missing', async () => {
    const first = await searched(
      'alone',
      ...WORLDS,
      '--combine',
      'worst',
      '--objective',
      'pnlUsd',
      '--objective',
      'timeOneSided',
    )
    expect([first.code, first.out]).toEqual([0, expect.stringContaining('seeds 1 to 2, 14 days')])
    const front = frontIn('alone')
    expect(front.grounds).toEqual(['normal', 'toxic-taker'])
    const { unchanged } = front
    const pnl = front.grounds.map((name) => unchanged.byGround[name]!.pnlUsd!)
    expect(unchanged.metrics.pnlUsd).toBe(Math.min(...pnl))
    expect(existsSync(join(folder.path, 'alone', 'ranking.parquet'))).toBe(false)
    // What a kill leaves: some worlds, and half a line.
    const file = join(folder.path, 'alone', 'results.jsonl')
    const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1)
    expect(lines).toHaveLength(front.tried * 4)
    writeFileSync(file, `${lines.slice(0, -5).join('\n')}\n{"key":"half a li`)
    const again = await searched(
      'alone',
      ...WORLDS,
      '--combine',
      'worst',
      '--objective',
      'pnlUsd',
      '--objective',
      'timeOneSided',
    )
    expect(again.code).toBe(0)
    expect(frontIn('alone')).toEqual(front)
    expect(readFileSync(file, 'utf8').split('\n').toSorted()).toEqual([...lines, ''].toSorted())
  })

  test('measures a tape and a scenario beside each other, with the feed that was asked for', async () => {
    const words = [
      '--tape',
      paths.tape,
      '--scenarios',
      'normal',
      '--seeds',
      '1',
      '--days',
      '14',
      '--feed-tau',
      '30',
    ]
    expect(await searched('both', ...words)).toMatchObject({ code: 0 })
    const { grounds, unchanged, worlds } = frontIn('both')
    expect(grounds).toEqual(['tape', 'normal'])
    expect(worlds).toEqual({ scenarios: ['normal'], seeds: 1, days: 14, feedTauBps: 30 })
    const [tape, normal] = grounds.map((name) => unchanged.byGround[name]!.maxDrawdownUsd!)
    expect(unchanged.metrics.maxDrawdownUsd).toBeCloseTo((tape! + normal!) / 2, 9)
    expect(existsSync(join(folder.path, 'both', 'tape', 'ranking.parquet'))).toBe(true)
  })

  test.each([
    [
      ['--scenarios', 'normal', '--space', '{"quote.requoteThresholdBps":[2,5]}'],
      'quote.requoteThresholdBps',
    ],
    [['--scenarios', 'norma'], 'did you mean normal'],
    [['--scenarios', 'normal,normal'], 'normal is given twice'],
    [['--scenarios', 'normal', '--queue', 'postgres://desk@db/sweeps'], '--scenarios excludes --queue'],
    [['--scenarios', 'normal', '--from', '2026-01-01'], '--from, --to and --fills apply to a tape'],
    [['--scenarios', 'normal', '--combine', 'calm'], 'expected mean, worst, or one of normal'],
    [
      ['--scenarios', 'normal', '--space', '{"halfSpreadBps":[20,120],"maxSkwBps":[0,200]}'],
      'maxSkwBps: unknown key; did you mean maxSkewBps',
    ],
    [['--seeds', '3'], 'give --scenarios NAMES too'],
    [
      ['--scenarios', 'normal', '--objective', 'edgeBps.mean', '--seeds', '1', '--days', '14'],
      'nothing measures edgeBps.mean',
    ],
  ])('refuses %j in a sentence that names what is expected', async (words, sentence) => {
    const { code, err } = await searched('refused', ...words)
    expect(code).toBeGreaterThan(0)
    expect(err).toContain(sentence)
  })

  test('refuses scenarios without --search, and names the command that plays grids', async () => {
    const words = [
      'sweep',
      '--config',
      paths.config,
      '--grid',
      '{"halfSpreadBps":[40]}',
      '--scenarios',
      'normal',
    ]
    const { code, err } = await runMizani(words)
    expect(code).toBe(2)
    expect(err).toContain('mizani tournament')
  })
})

import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { tournament, type TournamentOptions } from '../../../src/cli/research/tournament/tournament.ts'
import type { TournamentResult } from '../../../src/research/tournament/summarise.ts'
import { captured } from '../../support/captured.ts'

const folder = mkdtempSync(join(tmpdir(), 'mizani-tournament-'))

const CONFIG = join(folder, 'tournament.yaml')
const optimal = (exact: string) => `{ name: optimal, use: optimal, feedTauBps: 25, exact: ${exact} }`
const played = (exact: string, options: Partial<TournamentOptions> = {}) => {
  writeFileSync(
    CONFIG,
    `strategies:\n  - { name: constant, use: fixed-spread, params: { bidBps: 60, askBps: 60 } }\n  - ${optimal(exact)}\nscenarios: [calm]\ndays: 14\nseeds: 2\n`,
  )
  const asked = { config: CONFIG, out: join(folder, 'out'), workers: 1, leaseSeconds: 20, json: true }
  return captured(() => tournament({ ...asked, ...options }))
}

describe('a tournament with exact parameters', { timeout: 90_000 }, () => {
  test('reports in JSON and on its page how far the rounded spreads were from them, and plays as without', async () => {
    const { out, exitCode } = await played('{ rounding: 0 }')
    expect(exitCode).toBe(0)
    const standings = (text: string) => (JSON.parse(text) as TournamentResult).scenarios[0]!.standings
    const [constant, compared] = standings(out)
    expect(constant?.policy).toBeNull()
    expect(compared?.policy?.compared).toBeGreaterThan(50)
    expect(compared?.policy?.meanBps).toBeGreaterThan(0)
    expect(compared?.policy?.meanBps).toBeLessThan(3)
    expect(compared?.policy?.switchedShare).toBeLessThan(0.2)
    const page = readFileSync(join(folder, 'out', 'report.html'), 'utf8')
    expect(page).toContain('seed 1000001')
    const plain = await played('null', { out: join(folder, 'plain') })
    expect(standings(plain.out)[1]).toEqual({ ...compared, policy: null })
  })

  test('refuses exact parameters that the strategy does not have, and names them', async () => {
    const { out, exitCode } = await played('{ rounding: -1 }', { out: join(folder, 'refused') })
    expect([exitCode, JSON.parse(out).error]).toEqual([
      2,
      expect.stringMatching(/optimal, exact: .*rounding/),
    ])
  })
})

describe('a tournament in markets of its own with --adverse', { timeout: 90_000 }, () => {
  test('writes the regret as table, JSON and CSV, in two parts, and an equal one when it runs again', async () => {
    const market = (name: string, text: string) => {
      writeFileSync(join(folder, name), text)
      return join(folder, name)
    }
    const scenarios = [
      market('hidden.yaml', 'feed: { biasBps: 100 }\n'),
      market('known.yaml', 'development: true\nrivals: { followBps: [], staticBps: [] }\n'),
    ]
    const config = join(folder, 'adverse.yaml')
    const grid = '{ halfSpreadBps: [30, 45] }'
    const skew = `{ name: skew, use: inventory-skew, params: { maxSkewBps: 40 }, grid: ${grid} }`
    const shift = '{ name: shift, use: fair-value-skew, params: { halfSpreadBps: 30 }, feedTauBps: 25 }'
    const seeds = 'seeds: 2\nmostSeeds: 4\ntrainingSeeds: 2'
    writeFileSync(
      config,
      `strategies:\n  - ${skew}\n  - ${shift}\nbaselines: [skew]\nreference: skew\ndays: 14\n${seeds}\n`,
    )
    const out = join(folder, 'adverse')
    const options = { config, out, scenarios, adverse: 'all', workers: 1, leaseSeconds: 20 } as const
    const first = await captured(() => tournament(options))
    expect(first.exitCode).toBe(0)
    expect(first.out).toMatch(/markets for development: shift passes in [01] of 1\n[^]*other markets: /)
    const cells = readFileSync(join(out, 'regret.csv'), 'utf8').trim().split('\r\n')
    expect(cells).toHaveLength(1 + 2 * 2)
    const { firstSeed } = (JSON.parse(readFileSync(join(out, 'result.json'), 'utf8')) as TournamentResult)
      .settings
    expect(firstSeed).toBe(1_000_001)
    expect((await captured(() => tournament(options))).out).toBe(first.out)
  })
})

import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { planTournament } from '../../../../src/research/jobs/tournament/plan-tournament.ts'

test('a tournament lists the problems of options, scenarios and parameters at once', async () => {
  const config = join(mkdtempSync(join(tmpdir(), 'plan-')), 'tournament.yaml')
  const params = { halfSpreadBps: -1, halfSpred: 5 }
  const strategies = [
    { name: 'a', use: 'fixed-spread', params },
    { name: 'b', use: 'fixed-spread', grid: { halfSpreadBps: [-1, 40, -1] } },
  ]
  writeFileSync(config, JSON.stringify({ strategies }))
  const planned = await planTournament({ config, days: 3, trainingSeeds: 1, scenarios: ['norml'] })
  expect(planned.ok ? [] : planned.error.split('\n')).toEqual([
    expect.stringMatching(/^--days: .*14/),
    expect.stringMatching(/^--training-seeds: .*2/),
    expect.stringMatching(/^scenarios: .*mean normal/),
    expect.stringMatching(/^a: .*halfSpreadBps.*halfSpred/),
    expect.stringMatching(/^b \(halfSpreadBps -1\): .*halfSpreadBps/),
  ])
})

test('a number that is not a number is a problem of its option', async () => {
  const planned = await planTournament({ strategies: ['constant'], days: Number.NaN })
  expect(planned.ok ? '' : planned.error).toMatch(/^--days: .*a number was expected/)
})

test('an ablation of the shipped file plays optimal and the same without each ingredient', async () => {
  const request = { scenarios: ['normal'], days: 14 }
  const planned = await planTournament({ ...request, ablate: 'optimal', without: ['feed', 'inventory'] })
  expect(planned.ok && planned.value.entrants.map(({ name }) => name)).toEqual([
    'optimal-25',
    'without-feed',
    'without-inventory',
  ])
  const wrong = await planTournament({ ...request, ablate: 'optimum', scenarios: ['norml'] })
  expect(wrong.ok ? [] : wrong.error.split('\n')).toEqual([
    expect.stringMatching(/^--ablate: .*optimum.*optimal-25, optimal$/),
    expect.stringMatching(/^scenarios: /),
  ])
})

test('an adverse tournament has the marked markets, the base of the reference, and seeds of the given commit', async () => {
  const strategies = ['constant', 'skew', 'optimal-25']
  const request = { strategies, days: 14, adverse: 'development', final: '452903bf9' } as const
  const planned = await planTournament(request)
  const { scenarios = [], base, commit, file } = planned.ok ? planned.value : {}
  expect(scenarios).toHaveLength(10)
  expect(scenarios.every(({ scenario }) => scenario.development === true)).toBe(true)
  expect([base?.scenario.name, commit, file?.firstSeed]).toEqual(['normal', '452903bf9', 2 ** 30 + 0x452903b])
  const wrong = await planTournament({ ...request, strategies: ['optimal-25'], final: 'head', firstSeed: 5 })
  expect(wrong.ok ? [] : wrong.error.split('\n')).toEqual([expect.stringMatching(/^--final: head/)])
  const clash = await planTournament({ ...request, strategies: ['constant'], firstSeed: 5 })
  expect(clash.ok ? [] : clash.error.split('\n')).toEqual([
    expect.stringMatching(/--final and --first-seed/),
    expect.stringMatching(/--adverse: `reference`/),
    expect.stringMatching(/--adverse: every strategy is a baseline/),
  ])
})

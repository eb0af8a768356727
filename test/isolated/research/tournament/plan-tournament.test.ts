import { spawnSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { err } from '../../../../src/base/result.ts'
import { UNWATCHED } from '../../../../src/research/jobs/apart/watch-strategy.ts'
import { createParticipantMaker } from '../../../../src/research/jobs/tournament/participants.ts'
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

const commit = spawnSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' }).stdout.trim()

test('an adverse tournament has the marked markets, the base of the reference, and seeds of the given commit', async () => {
  const strategies = ['constant', 'skew', 'optimal-25']
  const request = { strategies, days: 14, adverse: 'development', final: commit } as const
  const planned = await planTournament(request)
  const { scenarios = [], base, final, file } = planned.ok ? planned.value : {}
  expect(scenarios).toHaveLength(10)
  expect(scenarios.every(({ scenario }) => scenario.development === true)).toBe(true)
  expect([base?.scenario.name, final, file?.firstSeed]).toEqual([
    'normal',
    { commit, caveats: [] },
    2 ** 30 + Number.parseInt(commit.slice(0, 7), 16),
  ])
  const wrong = await planTournament({ ...request, strategies: ['optimal-25'], final: 'head', firstSeed: 5 })
  expect(wrong.ok ? [] : wrong.error.split('\n')).toEqual([expect.stringMatching(/^--final: head/)])
  const clash = await planTournament({ ...request, strategies: ['constant'], firstSeed: 5 })
  expect(clash.ok ? [] : clash.error.split('\n')).toEqual([
    expect.stringMatching(/--final and --first-seed/),
    expect.stringMatching(/--adverse: `reference`/),
    expect.stringMatching(/--adverse: every strategy is a baseline/),
  ])
})

const fileOf = (name: string, text: string) => {
  const file = join(mkdtempSync(join(tmpdir(), 'plan-')), name)
  writeFileSync(file, text)
  return file
}

const OWN = `import { defineStrategy, z } from '#kit'
export default defineStrategy({
  name: 'mine',
  params: z.strictObject({}),
  init: () => ({}),
  quote: () => ({ bidBps: 60, askBps: 60, reasons: [] }),
})
`

test('a strategy whose file is edited while a tournament runs is not played under the key of the planned code', async () => {
  const file = fileOf('my own strategy.ts', OWN)
  const planned = await planTournament({ strategies: [file, 'constant'], scenarios: ['normal'], days: 14 })
  const { entrants = [], configFile = '', scenarios: [market] = [] } = planned.ok ? planned.value : {}
  const [entrant] = entrants
  const variant = entrant?.variants[0]
  if (market === undefined || entrant === undefined || variant === undefined)
    throw new Error(planned.ok ? 'nothing is planned' : planned.error)
  const { name, sourceHash } = entrant
  expect(name).toBe('my-own-strategy')
  const make = () => createParticipantMaker(UNWATCHED)({ variant, sourceHash }, configFile, market.scenario)
  expect(await make()).toMatchObject({ ok: true })
  writeFileSync(file, OWN.replace('bidBps: 60', 'bidBps: 160'))
  expect(await make()).toEqual(err(expect.stringMatching(/its file changed meanwhile/)))
})

test('a strategy without a name is refused', async () => {
  const planned = await planTournament({ strategies: [''], days: 14 })
  expect(planned).toEqual(err(expect.stringMatching(/^--strategies: the name or path/)))
})

test('a baseline and a reference that no strategy of the file has are refused with the nearest name, and one that is not played is not', async () => {
  const strategies = ['constant', 'skew'].map((name) => ({ name, use: 'glft' }))
  const planOf = (baselines: readonly string[], reference: string, played: readonly string[]) => {
    const config = fileOf('own.yaml', JSON.stringify({ strategies, baselines, reference, days: 14 }))
    return planTournament({ config, scenarios: ['normal'], strategies: played })
  }
  const wrong = await planOf(['constnt'], 'skewed', ['skew'])
  expect(wrong.ok ? [] : wrong.error.split('\n')).toEqual([
    expect.stringMatching(/constnt; did you mean constant\?; expected one of constant, skew$/),
    expect.stringMatching(/skewed; did you mean skew\?/),
  ])
  const part = await planOf(['constant', 'skew'], 'constant', ['skew'])
  expect(part.ok && part.value.file.baselines).toEqual(['skew'])
})

test('a scenario file that states a parameter of no played strategy is refused, and final seeds name the files they do not depend on', async () => {
  const config = fileOf('mine.yaml', 'strategies: [{ name: a, use: optimal }, { name: b, use: glft }]\n')
  const market = (text: string) => fileOf('market.yaml', `stated: { params: { ${text} } }\n`)
  const planOf = (scenario: string) =>
    planTournament({ config, scenarios: [scenario], days: 14, final: commit })
  const wrong = await planOf(market('reservatonBps: 5'))
  expect(!wrong.ok && wrong.error).toMatch(/^market: .*reservatonBps; did you mean reservationBps\?/)
  const plan = await planOf(market('reservationBps: 5'))
  expect(plan.ok && plan.value.final).toEqual({
    commit,
    caveats: ['the seeds do not depend on your mine.yaml, market.yaml'],
  })
  const late = await planOf(fileOf('late.yaml', 'regime: { sigmaFactor: 2 }\n'))
  expect(!late.ok && late.error).toMatch(/regime\.fromDay: no effect after the last of 14 days/)
})

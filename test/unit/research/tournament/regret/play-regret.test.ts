import { describe, expect, test } from 'vitest'
import { ok } from '../../../../../src/base/result.ts'
import { seededRandom } from '../../../../../src/base/random.ts'
import { tournamentSchema, variantsOf } from '../../../../../src/research/tournament/entrant.ts'
import type { PlayedWorld, TournamentJob } from '../../../../../src/research/tournament/job.ts'
import type { TournamentPlan } from '../../../../../src/research/tournament/plan.ts'
import { playRegret, regretProblems } from '../../../../../src/research/tournament/regret/play-regret.ts'
import { shippedScenario } from '../../../../support/shipped-scenario.ts'

const file = tournamentSchema.parse({
  strategies: [
    { name: 'constant', use: 'fixed-spread', grid: { bps: [1, 2] } },
    { name: 'skew', use: 'inventory-skew', grid: { bps: [1, 2] } },
    { name: 'mine', use: 'optimal' },
  ],
  baselines: ['constant', 'skew'],
  reference: 'skew',
  seeds: 10,
  mostSeeds: 40,
  trainingSeeds: 4,
})

const prepared = (name: string) => ({
  scenario: { ...shippedScenario('normal'), name },
  days: 90,
  gapBps: 20,
})

const plan: TournamentPlan = {
  file,
  product: '1.2.3',
  configFile: 'tournament.yaml',
  scenarios: [prepared('quiet'), prepared('noisy')],
  entrants: file.strategies.map((entrant) => {
    const variants = variantsOf(entrant)
    return { name: entrant.name, sourceHash: entrant.name, variants: variants.ok ? variants.value : [] }
  }),
  base: prepared('base'),
}

/** PnL of a play: a constant earns 1,000 and a skew 900, 100 more with its best parameter, which is 2 in the base alone. */
function usdOf({ prepared: { scenario }, seed }: TournamentJob, entrant: string, bps: unknown): number {
  const good = scenario.name === 'base' ? 2 : 1
  const noise = scenario.name === 'noisy' ? 400 * (seededRandom(seed, entrant)() - 0.5) : 0
  const usd = { constant: 1_000, skew: 900, mine: 1_050 }[entrant] ?? Number.NaN
  return usd + (bps === good ? 100 : 0) + noise + (seed % 7)
}

function playing(isInterruptedIn: number | null = null) {
  const results = new Map<string, PlayedWorld>()
  const rounds: (readonly TournamentJob[])[] = []
  const kept = {
    get: (key: string) => results.get(key),
    add: () => {},
    count: () => results.size,
    close: () => {},
  }
  const done = playRegret(plan, prepared('base'), kept, (jobs) => {
    rounds.push(jobs)
    for (const job of jobs)
      for (const { key, variant } of job.plays) {
        const pnlUsd = usdOf(job, variant.entrant, variant.params['bps'])
        results.set(key, { pnlUsd, fills: { retail: 900, informed: 0 } } as PlayedWorld)
      }
    return Promise.resolve(ok(rounds.length - 1 !== isInterruptedIn))
  })
  return { done, rounds }
}

describe('a tournament with regret', () => {
  test('compares with the best baseline tuned in each market, and with the reference tuned in the base', async () => {
    const result = await playing().done
    const cells = result.ok ? (result.value?.cells ?? []) : []
    const quiet = cells.filter(({ market }) => market === 'quiet')
    expect(quiet).toMatchObject([
      { strategy: 'mine', baseline: 'constant', params: 'bps 1', tunedIn: 'quiet', passes: true, seeds: 10 },
      { strategy: 'mine', baseline: 'skew', params: 'bps 2', tunedIn: 'base', passes: true, seeds: 10 },
    ])
    expect(quiet.map(({ mean }) => mean)).toEqual([-50, 150])
    expect(quiet[0]?.allowedUsd).toBe(75)
  })

  test('adds seeds in a noisy market alone, up to the limit, and plays none twice', async () => {
    const { done, rounds } = playing()
    const result = await done
    const seeds = (market: string) =>
      result.ok && result.value?.cells.find((cell) => cell.market === market)?.seeds
    expect([seeds('quiet'), seeds('noisy')]).toEqual([10, 40])
    const keys = rounds.flat().flatMap(({ plays }) => plays.map(({ key }) => key))
    expect(new Set(keys).size).toBe(keys.length)
    const tested = rounds.slice(2).flat()
    expect(tested.every(({ prepared: { scenario } }) => scenario.name === 'noisy')).toBe(true)
  })

  test('ends without a result at an interruption, in training or in a round', async () => {
    expect(await playing(0).done).toEqual(ok(null))
    expect(await playing(1).done).toEqual(ok(null))
  })

  test('needs tuned baselines, a reference among them, and a strategy to compare', () => {
    expect(regretProblems(file)).toEqual([])
    const [constant, skew, mine] = file.strategies
    expect(regretProblems({ ...file, strategies: [{ ...constant!, grid: {} }, skew!, mine!] })).toEqual([
      expect.stringMatching(/constant needs a grid/),
    ])
    expect(regretProblems({ ...file, baselines: ['constant'] })).toEqual([expect.stringMatching(/reference/)])
    expect(regretProblems({ ...file, strategies: [constant!, skew!] })).toEqual([
      expect.stringMatching(/every strategy is a baseline/),
    ])
  })
})

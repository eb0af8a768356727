import { describe, expect, test } from 'vitest'
import type { WorldResult } from '../../../../src/research/scenarios/play/participant.ts'
import { tournamentSchema, variantsOf } from '../../../../src/research/tournament/entrant.ts'
import {
  keyOf,
  testJobs,
  testSeeds,
  trainingSeeds,
  type TournamentPlan,
} from '../../../../src/research/tournament/plan.ts'
import { summarise } from '../../../../src/research/tournament/summarise.ts'
import { chooseVariants, trainingJobs } from '../../../../src/research/tournament/tuning.ts'
import { shippedScenario } from '../../../support/shipped-scenario.ts'

const file = tournamentSchema.parse({
  strategies: [
    { name: 'tuned', use: 'fixed-spread', grid: { bps: [20, 40, 250] } },
    { name: 'plain', use: 'glft' },
  ],
  days: 20,
  seeds: 4,
  trainingSeeds: 3,
})
const plan: TournamentPlan = {
  file,
  product: 'test',
  configFile: 'tournament.yaml',
  scenarios: ['normal', 'calm'].map((name) => ({ scenario: shippedScenario(name), days: 20, gapBps: 20 })),
  entrants: file.strategies.map((entrant) => {
    const variants = variantsOf(entrant)
    if (!variants.ok) throw new Error(variants.error)
    return { name: entrant.name, sourceHash: entrant.use, variants: variants.value }
  }),
}

function result(pnlUsd: number, fills: number): WorldResult {
  return {
    pnlUsd,
    retailUsd: pnlUsd + 3,
    informedUsd: -1,
    restockingUsd: -1,
    carryUsd: -1,
    dailyUsd: Array.from({ length: 20 }, () => pnlUsd / 20),
    drawdownUsd: 5,
    emptyShare: 0,
    inventoryUsd: 0,
    fills: { retail: fills, informed: 0 },
    tradedUsd: 0,
    restockings: 0,
  }
}

/** 250 bps earn most and hardly trade; 40 is best in normal, 20 in calm. On test seeds all is different. */
function outcome(scenario: string, bps: unknown, seed: number): WorldResult {
  if (testSeeds(plan).includes(seed)) return result(bps === 250 ? 10_000 : -50 + (seed % 4), 100)
  if (bps === 250) return result(5_000, 2)
  return result((bps === 40) === (scenario === 'normal') ? 100 + seed : 10, 100)
}

const kept = new Map<string, WorldResult>()
for (const prepared of plan.scenarios)
  for (const entrant of plan.entrants)
    for (const variant of entrant.variants)
      for (const seed of [...trainingSeeds(plan), ...testSeeds(plan)])
        kept.set(
          keyOf(plan, prepared, seed, entrant, variant),
          outcome(prepared.scenario.name, variant.params['bps'], seed),
        )

describe('the plan of a tournament', () => {
  const choices = chooseVariants(plan, (key) => kept.get(key))

  test('trains what has a grid alone, on training seeds alone', () => {
    const jobs = trainingJobs(plan, () => undefined, 0)
    expect(jobs).toHaveLength(2 * 3)
    expect(new Set(jobs.map(({ seed }) => seed))).toEqual(new Set([1, 2, 3]))
    expect(jobs.every(({ plays }) => plays.every(({ variant }) => variant.entrant === 'tuned'))).toBe(true)
  })

  test('chooses per scenario by the training seeds, whatever the test seeds would say, and no one who does not trade', () => {
    expect(choices.map(({ scenario, variant, trades }) => [scenario, variant.label, trades])).toEqual([
      ['normal', 'bps 40', true],
      ['calm', 'bps 20', true],
    ])
    expect(choices[0]?.trainingUsd).toEqual([101, 102, 103])
  })

  test('takes the variant that trades most, and says so, where none trades enough', () => {
    const idle = chooseVariants(plan, (key) => {
      const one = kept.get(key)
      return one === undefined
        ? undefined
        : { ...one, fills: { retail: one.fills.retail / 100, informed: 0 } }
    })
    expect(idle.every(({ trades }) => !trades)).toBe(true)
    expect(idle.some(({ variant }) => variant.label === 'bps 250')).toBe(false)
  })

  test('plays every test seed once with the chosen variants', () => {
    const jobs = testJobs(plan, choices)
    expect(jobs).toHaveLength(2 * 4)
    const calm = jobs.filter(({ prepared }) => prepared.scenario.name === 'calm')
    expect(calm.map(({ plays }) => plays.map(({ variant }) => variant.label))).toEqual(
      Array.from({ length: 4 }, () => ['bps 20', '']),
    )
  })

  test('is summarised with training beside test, the luck of the best, and everybody against the first', () => {
    const { scenarios, settings } = summarise(plan, choices, (key) => kept.get(key))
    expect(settings.baselines).toEqual(['tuned'])
    const [tuned, plain] = scenarios[0]?.standings ?? []
    expect(tuned?.pnl.mean).toBeCloseTo(-48.5, 9)
    expect(tuned?.losing.share).toBe(1)
    expect(tuned?.tuning).toMatchObject({ chosen: 'bps 40', variants: 3, trainingUsd: 102, trades: true })
    // The mean of the largest of three standard normals is 3 / (2 sqrt(pi)); the sd of 101, 102, 103 is 1.
    expect(tuned?.tuning?.luckUsd).toBeCloseTo(3 / (2 * Math.sqrt(Math.PI)) / Math.sqrt(3), 6)
    expect(tuned?.against).toEqual([])
    expect(plain?.tuning).toBeNull()
    expect(plain?.against).toMatchObject([
      { baseline: 'tuned', mean: 0, t: null, p: 1, holm: 1, stepDown: 1 },
    ])
    expect(plain?.against[0]?.worstDays).toMatchObject({ mean: 0, t: null })
    const { retailUsd, informedUsd, restockingUsd, carryUsd } = tuned!.parts
    expect(retailUsd + informedUsd + restockingUsd + carryUsd).toBeCloseTo(tuned!.pnl.mean, 9)
  })

  test('compares the worst day of each seed with that of the baseline, + where it loses less', () => {
    // The worst days of `tuned` are -40 in each of the four seeds, of `plain` -40 + 10, 20, 30, 40.
    const worst = new Map<string, number>()
    for (const prepared of plan.scenarios)
      for (const [index, seed] of testSeeds(plan).entries())
        for (const [place, entrant] of plan.entrants.entries())
          for (const variant of entrant.variants)
            worst.set(keyOf(plan, prepared, seed, entrant, variant), -40 + place * 10 * (index + 1))
    const { scenarios } = summarise(plan, choices, (key) => {
      const dailyUsd = [5, worst.get(key) ?? 0, ...Array.from({ length: 18 }, () => 3)]
      return { ...result(20, 100), dailyUsd }
    })
    const { mean, sdPaired, se } = scenarios[1]?.standings[1]?.against[0]?.worstDays ?? {}
    expect(mean).toBeCloseTo(25, 9)
    expect(sdPaired).toBeCloseTo(Math.sqrt(500 / 3), 9)
    expect(se).toBeCloseTo(Math.sqrt(500 / 3) / 2, 9)
  })
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { drawNormal, seededRandom } from '../../../../src/base/random.ts'
import { ok } from '../../../../src/base/result.ts'
import { tournamentSchema, variantsOf } from '../../../../src/research/tournament/entrant.ts'
import type { PlayedWorld, TournamentJob } from '../../../../src/research/tournament/job.ts'
import { keyOf, trainingSeeds, type TournamentPlan } from '../../../../src/research/tournament/plan.ts'
import { chooseVariants, playsOf, playTraining } from '../../../../src/research/tournament/tuning.ts'
import { shippedScenario } from '../../../support/shipped-scenario.ts'

/** PnL in a world, and fills a day. */
type Outcome = { readonly usd: number; readonly fills: number }
type Market = (bps: number, seed: number) => Outcome

const DAYS = 90
const SEEDS = 30

function planOf(bps: readonly number[], seeds = SEEDS): TournamentPlan {
  const file = tournamentSchema.parse({
    strategies: [{ name: 'tuned', use: 'fixed-spread', grid: { bps } }],
    days: DAYS,
    trainingSeeds: seeds,
  })
  const entrants = file.strategies.map((entrant) => {
    const variants = variantsOf(entrant)
    return { name: entrant.name, sourceHash: '', variants: variants.ok ? variants.value : [] }
  })
  const scenarios = [{ scenario: shippedScenario('normal'), days: DAYS, gapBps: 20 }]
  return { file, product: 'test', configFile: 'tournament.yaml', scenarios, entrants }
}

const bpsOf = ({ params }: { readonly params: Readonly<Record<string, unknown>> }) => Number(params['bps'])

const worldOf = ({ usd, fills }: Outcome) =>
  ({ pnlUsd: usd, fills: { retail: fills * DAYS, informed: 0 } }) as PlayedWorld

/** Tunes a grid; `known` are results of an earlier run. */
async function tune(plan: TournamentPlan, market: Market, known = new Map<string, PlayedWorld>()) {
  const rounds: { readonly jobs: readonly TournamentJob[]; readonly later: number }[] = []
  const results = new Map(known)
  await playTraining(
    [plan],
    (key) => results.get(key),
    (jobs, later = 0) => {
      rounds.push({ jobs, later })
      for (const { plays, seed } of jobs)
        for (const { key, variant } of plays) results.set(key, worldOf(market(bpsOf(variant), seed)))
      return Promise.resolve(ok(true))
    },
  )
  const [choice] = chooseVariants(plan, (key) => results.get(key))
  if (choice === undefined) throw new Error('no choice')
  const left = rounds.map(
    ({ jobs }) => new Set(jobs.flatMap(({ plays }) => plays.map(({ variant }) => bpsOf(variant)))),
  )
  return { chosen: bpsOf(choice.variant), choice, rounds, left, results }
}

/** Returns the variant with the highest mean PnL on the first training seeds. */
function bestOn(seeds: number, bps: readonly number[], market: Market): number {
  const sumOf = (one: number) =>
    Array.from({ length: seeds }, (_, index) => market(one, index + 1).usd).reduce((sum, usd) => sum + usd, 0)
  return bps.toSorted((a, b) => sumOf(b) - sumOf(a))[0] ?? Number.NaN
}

/** PnL with noise that all variants share, and some of each one's own; every variant trades 20 times a day. */
const noisy =
  (usdOf: (bps: number) => number, ownSd: number, salt = 0): Market =>
  (bps, seed) => {
    const shared = 300 * drawNormal(seededRandom(seed, `shared-${salt}`))
    const own = ownSd * drawNormal(seededRandom(seed, `own-${salt}-${bps}`))
    return { usd: usdOf(bps) + shared + own, fills: 20 }
  }

describe('the race of the variants of a grid', () => {
  const GRID = [20, 40, 60, 80]

  test('plays clearly worse variants on 10 seeds, and the chosen one on all', async () => {
    const market = noisy((bps) => 10 * bps, 20)
    const { chosen, choice, rounds, left } = await tune(planOf(GRID), market)
    expect(chosen).toBe(80)
    expect(choice.trainingUsd).toEqual(Array.from({ length: SEEDS }, (_, index) => market(80, index + 1).usd))
    expect(rounds.map(({ jobs }) => jobs.length)).toEqual([10, 10, 10])
    expect(left).toEqual([new Set(GRID), new Set([80]), new Set([80])])
    expect(rounds.map(({ jobs, later }) => [playsOf(jobs), later])).toEqual([
      [40, 80],
      [10, 10],
      [10, 0],
    ])
  })

  test('keeps level variants: those within 5 USD, and within four standard errors more', async () => {
    const steady = await tune(planOf(GRID), (bps) => ({ usd: bps === 80 ? 100 : bps / 10 + 90, fills: 20 }))
    expect(steady.left[2]).toEqual(new Set([60, 80]))
    const level = await tune(
      planOf(GRID),
      noisy((bps) => bps, 300),
    )
    expect(level.left[2]).toEqual(new Set(GRID))
  })

  test('drops no variant on the PnL of one that hardly trades, and then chooses the most active', async () => {
    const idle: Market = (bps) => ({ usd: 10 * bps, fills: 20 / bps })
    const { chosen, left } = await tune(planOf(GRID), idle)
    expect([chosen, left[2]]).toEqual([20, new Set(GRID)])
    const none = await tune(planOf(GRID), (bps) => ({ usd: 10 * bps, fills: 2 / bps }))
    expect([none.chosen, none.choice.trades, none.left[2]]).toEqual([20, false, new Set(GRID)])
  })

  test('has a leader that surely trades: one that falls below a fill a day costs no other its place', async () => {
    const fading: Market = (bps, seed) => ({
      usd: 10 * bps,
      fills: bps === 80 ? (seed > 10 ? 0.5 : seed % 2 === 0 ? 0.5 : 2) : 20,
    })
    const { chosen, left } = await tune(planOf(GRID), fading)
    expect([chosen, left[2]]).toEqual([60, new Set([60, 80])])
  })

  test('makes the same cuts where an earlier run kept results of a variant that drops out', async () => {
    const plan = planOf([20, 40])
    const [prepared] = plan.scenarios
    const [entrant] = plan.entrants
    // 20 bps earn more over all seeds, and surely less over the first ten.
    const late: Market = (bps, seed) => ({ usd: seed > 10 ? 20 - bps : bps, fills: 20 })
    const known = new Map(
      entrant!.variants.flatMap((variant) =>
        trainingSeeds(plan).map((seed) => [
          keyOf(plan, prepared!, seed, entrant!, variant),
          worldOf(late(bpsOf(variant), seed)),
        ]),
      ),
    )
    const [fresh, again] = [await tune(plan, late), await tune(plan, late, known)]
    expect([again.chosen, again.left]).toEqual([40, fresh.left])
    expect(again.rounds).toEqual(fresh.rounds)
  })

  test('does not start with 10 training seeds or fewer', async () => {
    const { rounds } = await tune(
      planOf(GRID, 10),
      noisy((bps) => 10 * bps, 20),
    )
    expect(rounds.map(({ jobs }) => playsOf(jobs))).toEqual([40])
  })

  const grids = fc.uniqueArray(fc.integer({ min: 1, max: 400 }), { minLength: 2, maxLength: 6 })

  test('chooses what full tuning chooses if the differences are clear', async () => {
    const cases = fc.asyncProperty(grids, fc.nat(40), fc.nat(1_000), async (bps, ownSd, salt) => {
      const market = noisy((one) => 50 * one, ownSd, salt)
      expect((await tune(planOf(bps), market)).chosen).toBe(bestOn(SEEDS, bps, market))
    })
    await fc.assert(cases, { numRuns: 20 })
  })

  test('never drops the leader, whatever the noise', async () => {
    const cases = fc.asyncProperty(
      grids,
      fc.constantFrom(0, 50, 500),
      fc.nat(1_000),
      async (bps, ownSd, salt) => {
        const market = noisy((one) => one, ownSd, salt)
        const { left } = await tune(planOf(bps), market)
        for (const round of [1, 2])
          expect(left[round]).toContain(bestOn(10 * round, [...(left[round - 1] ?? [])], market))
      },
    )
    await fc.assert(cases, { numRuns: 20 })
  })
})

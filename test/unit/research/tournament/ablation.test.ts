import { describe, expect, test } from 'vitest'
import { ablationCsv } from '../../../../src/cli/research/tournament/render.ts'
import { ablate, contributionsOf } from '../../../../src/research/tournament/ablation.ts'
import { tournamentSchema, variantsOf } from '../../../../src/research/tournament/entrant.ts'

const file = tournamentSchema.parse({
  strategies: [
    { name: 'plain', use: 'glft' },
    {
      name: 'best',
      use: 'optimal',
      params: { limitLots: 9 },
      feedTauBps: 25,
      calibration: { from: 'firstWeek' },
      exact: { rounding: 0 },
      ingredients: {
        feed: { withhold: ['feed'] },
        looks: { params: { lookEveryMinutes: null } },
        both: { withhold: ['inventory', 'calibration'] },
      },
    },
  ],
  baselines: ['plain'],
})

describe('an ablation', () => {
  test('plays the strategy, by name or by use, and the same without each ingredient, and nothing else', () => {
    const { file: ablated, ablation, problems } = ablate(file, { ablate: 'optimal' })
    expect(problems).toEqual([])
    expect(ablation).toEqual({ of: 'best', ingredients: ['feed', 'looks', 'both'] })
    expect(ablated.baselines).toEqual(['best'])
    const variants = ablated.strategies.map((entrant) => {
      const all = variantsOf(entrant)
      return all.ok ? all.value[0] : undefined
    })
    const learns = { from: 'firstWeek', ditherBps: 0 }
    const whole = { use: 'optimal', params: { limitLots: 9 }, feedTauBps: 25, refills: null, label: '' }
    expect(variants).toEqual([
      { ...whole, entrant: 'best', calibration: learns },
      { ...whole, entrant: 'without-feed', calibration: learns, feedTauBps: null },
      {
        ...whole,
        entrant: 'without-looks',
        calibration: learns,
        params: { limitLots: 9, lookEveryMinutes: null },
      },
      { ...whole, entrant: 'without-both', calibration: null, hidden: ['inventory'] },
    ])
    expect(ablate(file, { ablate: 'best', without: ['looks'] }).ablation?.ingredients).toEqual(['looks'])
  })

  test('lists every wrong name with the valid ones, and options that do not fit together', () => {
    const { problems } = ablate(file, {
      ablate: 'best',
      without: ['fed', 'looks', 'lok'],
      strategies: ['plain'],
    })
    expect(problems).toEqual([
      expect.stringMatching(/--strategies/),
      expect.stringMatching(/fed; .*feed, looks, both/),
      expect.stringMatching(/lok; .*feed, looks, both/),
    ])
    expect(ablate(file, { ablate: 'plain' }).problems).toEqual([
      expect.stringMatching(/plain .*best, optimal/),
    ])
    expect(ablate(file, { without: ['feed'] }).problems).toEqual([expect.stringMatching(/needs --ablate/)])
    expect(ablate(file, {})).toEqual({ file, ablation: null, problems: [] })
  })

  test('an ingredient that takes nothing away is refused', () => {
    const strategies = [{ name: 'a', use: 'x', ingredients: { nothing: {} } }]
    expect(tournamentSchema.safeParse({ strategies }).success).toBe(false)
  })

  test('counts per 90 days and seed by seed, and helps beyond doubt only by Holm over the whole table', () => {
    const results = (...usd: number[]) => ({ results: usd.map((pnlUsd) => ({ pnlUsd })) })
    const row = (name: string, ...played: ReturnType<typeof results>[]) => ({
      prepared: { scenario: { name }, days: 45 },
      played,
    })
    const rows = [
      row('first', results(100, 200, 300), results(50, 149, 251), results(100, 201, 299)),
      row('second', results(10, 20, 30), results(20, 31, 39), results(9, 21, 31)),
    ]
    const ablation = contributionsOf({ of: 'best', ingredients: ['feed', 'looks'] }, rows)
    const [feed, looks] = ablation.contributions
    // Differences of 50, 51, 49 and -10, -11, -9 in 45 days; of their means over the scenarios 20 at every seed.
    expect(feed?.scenarios.map(({ name, mean, se }) => [name, mean, se])).toEqual([
      ['first', 100, expect.closeTo(2 / Math.sqrt(3), 9)],
      ['second', -20, expect.closeTo(2 / Math.sqrt(3), 9)],
    ])
    expect(feed?.overall).toMatchObject({ mean: 40, se: 0 })
    expect(feed).toMatchObject({ helpsIn: 1, surelyHelpsIn: 1, surelyHurtsIn: 1 })
    expect(looks).toMatchObject({ helpsIn: 0, surelyHelpsIn: 0, surelyHurtsIn: 0 })
    const lines = ablationCsv(ablation).split('\r\n')
    expect(lines).toHaveLength(1 + 2 * 3 + 1)
    expect(lines[0]).toBe('ingredient,scenario,usd_per_90_days,se,t,p_holm')
    expect(lines[1]).toBe('feed,all,40,0,,')
    expect(lines[2]).toMatch(/^feed,first,100,1\.15\d+,86\.6\d+,0\.000\d+$/)
  })
})

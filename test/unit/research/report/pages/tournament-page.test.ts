import { describe, expect, test } from 'vitest'
import { renderTournament } from '../../../../../src/cli/research/tournament/render.ts'
import { tournamentPage } from '../../../../../src/research/report/pages/tournament-page.ts'
import type { Standing, TournamentResult } from '../../../../../src/research/tournament/summarise.ts'

const estimate = (mean: number) => ({ mean, se: 100, sd: 700 })

function standing(strategy: string, mean: number, change: Partial<Standing> = {}): Standing {
  return {
    strategy,
    params: {},
    feedTauBps: null,
    refills: null,
    calibration: null,
    tuning: null,
    pnl: estimate(mean),
    parts: { retailUsd: mean + 30, informedUsd: -10, restockingUsd: -10, carryUsd: -10 },
    losing: { share: 0.25, se: 0.06 },
    worstDaysUsd: -123,
    drawdown: { meanUsd: 40, worstUsd: 90 },
    inventoryUsd: 1_000,
    emptyShare: 0.1,
    fillsADay: 12.3,
    policy: null,
    against: [],
    ...change,
  }
}

const against = (mean: number, t: number | null, holm: number): Standing['against'] => [
  {
    baseline: 'constant',
    mean,
    se: 50,
    t,
    p: holm,
    holm,
    stepDown: holm,
    sdPaired: 1,
    sdUnpaired: 2,
    worstDays: { mean: 77, se: 8, t: 9.6, p: 0.001, sdPaired: 3, sdUnpaired: 4 },
  },
]

function resultOf(standings: readonly Standing[], scenario = 'normal'): TournamentResult {
  return {
    version: 1,
    product: '1.2.3',
    settings: {
      baselines: ['constant'],
      reference: null,
      scenarios: 'all',
      days: 90,
      seeds: 50,
      mostSeeds: 300,
      firstSeed: 1_000_001,
      trainingSeeds: 30,
      firstTrainingSeed: 1,
      leastFillsADay: 1,
    },
    scenarios: [{ name: scenario, gapBps: 29, standings }],
  }
}

const text = (html: string) =>
  html
    .slice(html.indexOf('<body>'))
    .replaceAll(/<script[^]*?<\/script>/g, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')

describe('the page of a tournament', () => {
  const tuning = { chosen: 'bidBps=60', variants: 6, trainingUsd: 900, luckUsd: 120, trades: false }
  const result = resultOf([
    standing('constant', -250),
    standing('skew', 1_000, { against: against(1_250, 9.5, 0.0004), tuning }),
  ])
  const html = tournamentPage(result)

  test('frames the best of the scenario, colours by the PnL, and names the strategy that is best most often', () => {
    expect(html).toMatch(/<td class="lose-1"><b>-250<\/b>/)
    expect(html).toMatch(/<td class="earn-4 best"><b>1,000<\/b><small>± 100, loses in 25 %<\/small>/)
    expect(text(html)).toContain('skew highest mean ')
  })

  test('shows the paired difference with t and its adjusted p, framed where it is more than luck', () => {
    expect(html).toMatch(/<td class="earn-8 best"><b>1,250<\/b><small>± 50, t 9\.5, p 0\.0004<\/small>/)
  })

  test('shows what the worst days of a seed gain on those of the baseline', () => {
    expect(text(html)).toMatch(/normal skew 1,250 50 9\.5 0\.0004 0\.0004 1 2 77 8/)
  })

  test('has for each scenario a chart with intervals, and the split of the PnL with what was tuned', () => {
    expect(html).toContain('data-chart="scenario-0"')
    expect(text(html)).toContain('Best: skew with 1,000 USD.')
    expect(text(html)).toMatch(/skew 1,000 1,030 -10 -10 -10 40 -123 1,000 10 % 12\.3 bidBps=60 900 120/)
  })

  test('warns of a strategy whose variants trade too little', () => {
    expect(text(html)).toContain('often as leastFillsADay')
  })

  test('is whole in itself, without a style attribute, and escapes names', () => {
    const hostile = '"><img src=x onerror=alert(1)>'
    const page = tournamentPage(resultOf([standing(hostile, 1, { against: against(0, null, 1) })], hostile))
    expect(page).not.toContain('<img')
    expect(page).not.toMatch(/<[a-z][^>]*\sstyle=/)
    expect(page).toContain('Content-Security-Policy')
    expect(text(page)).not.toMatch(/NaN|undefined|Infinity/)
  })

  test('of no scenario is a page that has nothing to show', () => {
    expect(text(tournamentPage({ ...result, scenarios: [] }))).toContain('Nothing to show.')
  })
})

test('the table of a tournament warns that p of few seeds is rough', () => {
  const result = resultOf([standing('skew', 1_000, { against: against(1_250, 9.5, 0.0004) })])
  expect(renderTournament(result, 'out')).not.toContain('is rough')
  const few = { ...result, settings: { ...result.settings, seeds: 5 } }
  expect(renderTournament(few, 'out')).toContain('p of 5 seeds is rough')
})

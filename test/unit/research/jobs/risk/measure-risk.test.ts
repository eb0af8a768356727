import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { normalDensity, normalQuantile } from '../../../../../src/core/models/distributions.ts'
import { measureRisk } from '../../../../../src/research/jobs/risk/measure-risk.ts'
import { modelMarket, worstFirst } from '../../../../../src/research/jobs/risk/risk-report.ts'
import type { RiskTail } from '../../../../../src/daemon/view/results/risk-view.ts'
import type { RiskPosition } from '../../../../../src/research/jobs/risk/risk-position.ts'
import { prepareScenario } from '../../../../../src/research/scenarios/draw/world.ts'
import type { ScenarioChanges } from '../../../../../src/research/scenarios/scenario.ts'
import { shippedScenario } from '../../../../support/shipped-scenario.ts'
import { exampleRiskPosition } from './example-risk-position.ts'

const SIGMA = 30
const WALK: ScenarioChanges = {
  rate: { sigmaBps: SIGMA, driftBpsPerDay: 0, driftSdBpsPerDay: 0 },
  retail: { bidPerDay: 0, askPerDay: 0 },
  informed: { looksPerDay: 0 },
}

const BOTH = ['held', 'quoted'] as const

function tailsOf(
  position: RiskPosition,
  changes: ScenarioChanges,
  worlds: number,
  kinds: readonly RiskTail['of'][] = BOTH,
  name = 'normal',
) {
  const market = prepareScenario(shippedScenario(name, changes), 90)
  return measureRisk(position, market, kinds, { worlds, seed: 3 }, () => undefined)
}

describe('the tails of a position', () => {
  test('in a random walk without trades are z sigma sqrt(t) of what is held, and the shortfall its closed form', async () => {
    const position = exampleRiskPosition({ ntzs: 50_000_000, usd: 10_000, bidBps: null, askBps: null })
    const tails = await tailsOf(position, WALK, 200, ['held'])
    expect(tails.map(({ of, days }) => `${of} ${days}`)).toEqual(['held 1', 'held 7'])
    for (const { days, usd, tzs, paths } of tails) {
      expect(paths).toBe(200 * (days === 1 ? 55 : 11))
      const sd = (SIGMA / 1e4) * Math.sqrt(days === 1 ? 1 : 5)
      for (const [level, quantile, shortfall] of [
        [0.95, 'var95', 'es95'],
        [0.99, 'var99', 'es99'],
      ] as const) {
        const z = normalQuantile(level)
        const expected = normalDensity(z) / (1 - level)
        for (const [figures, amount] of [
          [usd, 20_000],
          [tzs, 25_000_000],
        ] as const) {
          // Half a percent for the curvature of the logarithm.
          const within = (se: number, value: number) => 4 * se + 0.005 * value
          const atRisk = z * sd * amount
          expect(Math.abs(figures[quantile].value - atRisk)).toBeLessThan(
            within(figures[quantile].se, atRisk),
          )
          const short = expected * sd * amount
          expect(Math.abs(figures[shortfall].value - short)).toBeLessThan(
            within(figures[shortfall].se, short),
          )
        }
      }
    }
  })

  test('are those without trades where neither side is quoted', async () => {
    const tails = await tailsOf(exampleRiskPosition({ bidBps: null, askBps: null }), {}, 3)
    const [held, quoted] = BOTH.map((kind) => tails.filter(({ of }) => of === kind))
    expect(quoted).toEqual(held?.map((tail) => ({ ...tail, of: 'quoted' })))
  })

  test('grow with the volatility and with the holdings, on equal draws', async () => {
    const base = await tailsOf(exampleRiskPosition(), WALK, 10)
    const wilder = await tailsOf(exampleRiskPosition(), { ...WALK, rate: { ...WALK.rate, sigmaBps: 60 } }, 10)
    const double = await tailsOf(exampleRiskPosition({ ntzs: 100_000_000, usd: 20_000 }), WALK, 10)
    for (const [index, { of, usd, tzs }] of base.entries()) {
      if (of !== 'held') continue
      expect(wilder[index]?.usd.es99.value).toBeGreaterThan(usd.es99.value)
      expect(double[index]?.usd.es99.value).toBeCloseTo(2 * usd.es99.value, 6)
      expect(double[index]?.tzs.var95.value).toBeCloseTo(2 * tzs.var95.value, 3)
    }
  })

  test('are smaller with a wider quote where informed takers trade, and equal for equal seeds', async () => {
    const shock: ScenarioChanges = { retail: { bidPerDay: 0, askPerDay: 0 } }
    const tight = await tailsOf(
      exampleRiskPosition({ bidBps: 20, askBps: 20 }),
      shock,
      12,
      BOTH,
      'stale-jump',
    )
    const wide = await tailsOf(
      exampleRiskPosition({ bidBps: 400, askBps: 400 }),
      shock,
      12,
      BOTH,
      'stale-jump',
    )
    const day = (tails: typeof tight) =>
      tails.find(({ of, days }) => of === 'quoted' && days === 1)?.usd.es99.value
    expect(day(tight)).toBeGreaterThan(day(wide) ?? Infinity)
    expect(
      await tailsOf(exampleRiskPosition({ bidBps: 20, askBps: 20 }), shock, 12, BOTH, 'stale-jump'),
    ).toEqual(tight)
  })
})

describe('the market of the model', () => {
  const normal = shippedScenario('normal')
  const fairValue = {
    sigmaBps: 33,
    driftSdBpsPerDay: 4,
    driftHalfLifeDays: 9,
    followShare: 0.5,
    publicationNoiseBps: 6,
    weekendMovement: 0,
    feeds: {},
  }
  const estimate = (value: number) => ({ value, low: value / 2, high: value * 2 })
  const intensity = { a: estimate(80), k: estimate(0.02), fills: 100, exposureDays: 7, overdispersion: 1 }
  const calibrated = (k: number) => {
    const both = { ...intensity, k: estimate(k), method: 'likelihood' as const }
    const learned = { version: 1 as const, from: 0, to: 1, fills: 100, prints: 9, both, bid: null, ask: both }
    return { sourceHash: '', learned: { ...learned, sigma: null, markouts: [], sizesUsd: [], warnings: [] } }
  }

  test('has the rate of the filter, and without a calibration the takers of normal', () => {
    const market = modelMarket({ fairValue, calibration: null, risk: {} as never }, normal, 45)
    expect(market).toMatchObject({
      name: 'model',
      rate: { sigmaBps: 33, driftSdBpsPerDay: 4, movesAtWeekends: false, runs: 0 },
      publication: { kappa: 0.5, noiseBps: 6 },
      retail: normal.retail,
    })
  })

  test('has the calibrated takers beside the best other provider, whatever their figures', () => {
    const market = modelMarket({ fairValue, calibration: calibrated(0.02), risk: {} as never }, normal, 45)
    expect(market.retail).toMatchObject({ bidPerDay: 80, askPerDay: 80, reservationBps: 50 })
    expect(market.rivals).toMatchObject({ followBps: [], staticBps: [45] })
    fc.assert(
      fc.property(fc.double({ min: 1e-9, max: 10, noNaN: true }), (k) => {
        const { retail } = modelMarket(
          { fairValue, calibration: calibrated(k), risk: {} as never },
          normal,
          null,
        )
        expect(retail.reservationBps).toBeGreaterThanOrEqual(1)
      }),
    )
  })
})

test('the worst market is another one in shillings than in dollars where it is', () => {
  const figures = (es99: number) => ({ es99: { value: es99, se: 0 } })
  const tail = (market: string, usd: number, tzs: number) =>
    ({ market, days: 7, usd: figures(usd), tzs: figures(tzs) }) as unknown as RiskTail
  const tails = [tail('weekend', 659, 804_892), tail('appreciation', 191, 1_906_557)]
  const first = (currency: 'usd' | 'tzs') => worstFirst(tails, currency)[0]?.market
  expect([first('usd'), first('tzs')]).toEqual(['weekend', 'appreciation'])
})

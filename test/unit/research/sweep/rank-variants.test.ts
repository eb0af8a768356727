import { yieldBpsOf } from '../../../../src/research/backtest/result.ts'
import { describe, expect, test } from 'vitest'
import { DAY_MS } from '../../../../src/base/time.ts'
import { moments } from '../../../../src/core/models/sample-statistics.ts'
import { deflatedSharpe, sharpeRatio } from '../../../../src/research/models/sharpe.ts'
import { contestOf, rankVariants } from '../../../../src/research/sweep/ranking/rank-variants.ts'
import { walkForward } from '../../../../src/research/sweep/ranking/walk-forward.ts'
import { noise, ranked, triedVariant } from './tried-variant.ts'

describe('the ranking', () => {
  test('prefers what earns surely to what earned more on a few lucky days', () => {
    const sure = noise('sure', 60, 5, 1)
    const lucky = sure.map((_, day) => (day === 10 ? 400 : 0))
    const { variants } = ranked([noise('unchanged', 60, 0, 1), lucky, sure])
    expect(variants.map(({ variant }) => variant)).toEqual([2, 1, 0])
    expect(variants[1]?.daily.meanUsd).toBeGreaterThan(variants[0]?.daily.meanUsd ?? Infinity)
  })

  test('puts equal variants in the order of their numbers', () => {
    const same = noise('same', 30, 1, 1)
    expect(ranked([same, same, same]).variants.map(({ variant }) => variant)).toEqual([0, 1, 2])
  })

  test('compares on the same blocks of days: what is common to two variants is no uncertainty of their difference', () => {
    const market = noise('market', 60, 0, 50)
    const better = market.map((pnl) => pnl + 1)
    const best = ranked([market, better]).variants[0]
    expect(best?.variant).toBe(1)
    const [low, high] = best?.daily.ci90 ?? [0, 0]
    expect(high - low).toBeGreaterThan(5)
    expect(best?.againstUnchanged.meanUsd).toBeCloseTo(1, 9)
    expect(best?.againstUnchanged.ci90?.[0]).toBeCloseTo(1, 9)
    expect(best?.againstUnchanged.ci90?.[1]).toBeCloseTo(1, 9)
    expect(best?.againstBest).toEqual({ meanUsd: 0, ci90: [0, 0] })
  })

  test('deflates by all that was tried, also before', () => {
    const series = [noise('a', 60, 1, 5), noise('b', 60, 2, 5)]
    const alone = ranked(series)
    const after = ranked(
      series,
      Array.from({ length: 50 }, (_, i) => noise(`earlier ${i}`, 60, 0, 5)),
    )
    expect(after.trials).toMatchObject({ count: 52, here: 2, earlier: 50 })
    expect(after.trials.expectedMaximumSharpe).toBeGreaterThan(alone.trials.expectedMaximumSharpe)
    const best = after.variants[0]
    expect(best?.sharpe?.deflated).toBeLessThan(alone.variants[0]?.sharpe?.deflated ?? 0)
    const sample = sharpeRatio(series[best?.variant ?? 0] ?? [])
    const trials = { count: 52, varianceOfSharpe: after.trials.varianceOfSharpe }
    expect(best?.sharpe?.deflated).toBe(sample === null ? null : deflatedSharpe(sample, trials))
  })

  test('takes Sharpe ratios, and the luck of all trials, from the PnL less holding, as it ranks', () => {
    const market = noise('market', 60, 0, 50)
    const [less, worse] = [noise('less', 60, 2, 5), noise('worse', 60, 1, 5)]
    const withMarket = (own: readonly number[]) => own.map((usd, day) => usd + market[day]!)
    const tried = [worse, less].map((own, i) => triedVariant(i, withMarket(own), 0, {}, own))
    const before = { pnlUsd: market, lessHoldingUsd: noise('before', 60, 0, 5) }
    const { sharpeOf, variants, trials } = rankVariants(
      contestOf(tried),
      { earlier: [before], twins: new Set() },
      7,
    )
    expect(sharpeOf).toBe('pnlLessHolding')
    const [best] = variants
    expect(best?.variant).toBe(1)
    expect(best?.daily.meanUsd).toBeCloseTo(less.reduce((sum, usd) => sum + usd, 0) / 60, 9)
    expect(best?.sharpe?.perDay).toBe(sharpeRatio(less)?.perDay)
    const ratios = [worse, less, before.lessHoldingUsd].map((own) => sharpeRatio(own)!.perDay)
    expect(trials.varianceOfSharpe).toBeCloseTo(moments(ratios).sd ** 2, 12)
  })

  test('ranks by the PnL less holding: a variant that only sheds the gain of the opening position earns nothing', () => {
    const market = noise('market', 60, 0, 50)
    const earns = noise('earns', 60, 1, 2)
    const tried = [market.map((usd) => -usd), earns].map((own, i) =>
      triedVariant(
        i,
        own.map((usd, day) => usd + market[day]!),
        0,
        {},
        own,
      ),
    )
    const contest = contestOf(tried)
    const { rankedBy, variants } = rankVariants(contest, { earlier: [], twins: new Set() }, 7)
    expect(rankedBy).toBe('pnlLessHolding')
    expect(variants.map(({ variant }) => variant)).toEqual([1, 0])
    expect(walkForward(contest, 2, 7)?.splits.map(({ choice }) => choice.variant)).toEqual([1, 1])
  })

  test('takes all of them from the PnL where one result, here or earlier, is of a version that did not keep the other', () => {
    const [pnl, less] = [noise('pnl', 60, 2, 30), noise('less', 60, 2, 5)]
    const whole = triedVariant(0, pnl, 0, {}, less)
    const mixed = rankVariants(contestOf([whole, triedVariant(1, pnl)]), { earlier: [], twins: new Set() }, 7)
    const added = rankVariants(contestOf([whole]), { earlier: [{ pnlUsd: less }], twins: new Set() }, 7)
    for (const { sharpeOf, variants } of [mixed, added]) {
      expect(sharpeOf).toBe('pnl')
      expect(variants[0]?.sharpe?.perDay).toBe(sharpeRatio(pnl)?.perDay)
    }
  })

  test('counts a configuration once, however often it takes part', () => {
    const series = [noise('a', 60, 1, 5), noise('b', 60, 2, 5), noise('a', 60, 1, 5)]
    const twice = ranked(series, [], [2])
    expect(twice.variants).toHaveLength(3)
    expect(twice.trials).toEqual(ranked(series.slice(0, 2)).trials)
  })

  test('lays the days of every variant over those of the first: a day that is missing brought nothing', () => {
    const whole = triedVariant(0, [1, 2, 3])
    const late = triedVariant(1, [5, 6], DAY_MS)
    expect(contestOf([whole, late]).entries.map(({ pnl }) => [...pnl])).toEqual([
      [1, 2, 3],
      [0, 5, 6],
    ])
  })

  test('makes no day of a first or last one of less than half a day', () => {
    const { variant, result } = triedVariant(0, [1, 2, 3, 4])
    const daysOf = (from: number, to: number) => {
      const { days, entries } = contestOf([{ variant, result: { ...result, from, to } }])
      return [days.map((day) => day / DAY_MS), [...(entries[0]?.pnl ?? [])]]
    }
    expect(daysOf(0.4 * DAY_MS, 3.6 * DAY_MS)).toEqual([
      [0, 1, 2, 3],
      [1, 2, 3, 4],
    ])
    expect(daysOf(0.6 * DAY_MS, 3.6 * DAY_MS)).toEqual([
      [0, 2, 3],
      [3, 3, 4],
    ])
    expect(daysOf(0.6 * DAY_MS, 3.4 * DAY_MS)).toEqual([
      [0, 2],
      [3, 7],
    ])
    const short = triedVariant(0, [1, 2])
    const both = { ...short, result: { ...short.result, from: 0.9 * DAY_MS, to: 1.1 * DAY_MS } }
    expect([...(contestOf([both]).entries[0]?.pnl ?? [])]).toEqual([3])
  })

  test.each([[[]], [[5]], [[5, 5]]])('has no NaN after the days %j', (pnl) => {
    const { variants } = ranked([pnl, pnl])
    expect(JSON.stringify(variants)).not.toContain('NaN')
    for (const { daily, sharpe, yieldBps } of variants) {
      expect(Number.isFinite(daily.meanUsd)).toBe(true)
      expect(sharpe).toBeNull()
      expect(yieldBps).toBeNull()
      if (pnl.length < 2) expect(daily.ci90).toBeNull()
    }
  })
})

test('the PnL has no ratio to a turnover below 100 USD', () => {
  expect([yieldBpsOf(16, 99.99), yieldBpsOf(16, 100), yieldBpsOf(0, 0)]).toEqual([null, 1600, null])
})

import { describe, expect, test } from 'vitest'
import {
  bestReply,
  undercutThreshold,
  undercutWorth,
} from '../../../src/core/models/competition/best-reply.ts'
import { conditionGap } from '../../../src/research/models/fair-value/fair-value.ts'
import { publishedStepMoments } from '../../../src/research/models/fair-value/published-steps.ts'

describe('rotation within a tolerance', () => {
  const side = { cost: 20, k: 1 / 60, tolerance: 5 }

  test.each([
    [1, 13.8435],
    [2, 10.2248],
  ])(
    'against %d rivals undercutting pays from %d bps above the cost (market.md 4.4)',
    (rivals, threshold) => {
      expect(undercutThreshold({ ...side, rivals })).toBeCloseTo(threshold, 4)
    },
  )

  test.each([
    [1, 66, 60],
    [2, 66, 60],
    [1, 33, 38],
    [2, 33, 27],
    [1, 31, 36],
  ])('against %d rivals at %d the best reply is %d (market.md 4.4)', (rivals, best, bps) => {
    expect(bestReply({ ...side, rivals, best })).toBe(bps)
  })

  test('two who only look at the present fall from 66 by 6 to 30 and then circle between 28 and 38 (market.md 4.4)', () => {
    const path = [66]
    while (path.length < 200) path.push(bestReply({ ...side, rivals: 1, best: path.at(-1)! })!)
    expect(path.slice(0, 7)).toEqual([66, 60, 54, 48, 42, 36, 30])
    expect([Math.min(...path.slice(7)), Math.max(...path.slice(7))]).toEqual([28, 38])
  })

  test.each([
    [1 / 96, 119],
    [10, 211],
    [30, 323],
  ])(
    'staying at 66 is worth 230, undercutting a rival who answers in %d days %d (market.md 4.4)',
    (answerDays, worth) => {
      const { stay, undercut } = undercutWorth({ ...side, best: 66, discountPerDay: 1 / 30, answerDays })
      expect([Math.round(stay), Math.round(undercut)]).toEqual([230, worth])
    },
  )
})

describe('a fair value from several sources', () => {
  const board = { t: 1 / 4, value: 40, sd: 30 }
  const feed = { t: 1 / 2, value: 62, sd: 20 }
  const start = { sigma: 24, prior: { mean: 0, variance: 15 ** 2 } }

  test('after a board of 40 +- 30 is 1640/141 with a variance of 261.7021 (market.md 4.6)', () => {
    const { mean, variance } = conditionGap({ ...start, at: 1 / 4 }, [board])
    expect(mean).toBeCloseTo(1640 / 141, 12)
    expect(variance).toBeCloseTo(261.7021, 4)
  })

  test('after a feed of 62 +- 20 besides is 36.993838 with a variance of 201.4154 (market.md 4.6)', () => {
    const { mean, variance } = conditionGap({ ...start, at: 1 / 2 }, [board, feed])
    expect(mean).toBeCloseTo(36.993838, 6)
    expect(variance).toBeCloseTo(201.4154, 4)
  })

  test('is as good as 22.1227 bps at the end of the day, in whatever order the readings came (market.md 4.6)', () => {
    const inOrder = conditionGap({ ...start, at: 1 }, [board, feed])
    expect(inOrder.mean).toBeCloseTo(36.993838, 6)
    expect(Math.sqrt(inOrder.variance)).toBeCloseTo(22.1227, 4)
    expect(conditionGap({ ...start, at: 1 }, [feed, board])).toEqual(inOrder)
  })

  test.each([
    [21.3, 0.65, 7, 16.4047, 0.1592],
    [30, 0.35, 17, 27.3246, -0.2156],
  ])(
    'a rate of sigma %d, kappa %d, noise %d is published in steps of sd %d, autocorrelation %d (market.md 4.6)',
    (sigma, kappa, noise, sd, autocorrelation) => {
      const moments = publishedStepMoments({ sigma, kappa, noise })
      expect(moments.sd).toBeCloseTo(sd, 4)
      expect(moments.autocorrelation).toBeCloseTo(autocorrelation, 4)
    },
  )
})

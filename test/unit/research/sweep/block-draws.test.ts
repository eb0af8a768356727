import fc from 'fast-check'
import { expect, test } from 'vitest'
import { seededRandom } from '../../../../src/base/random.ts'
import { bootstrapInterval } from '../../../../src/core/models/intervals.ts'
import { quantile } from '../../../../src/core/models/sample-statistics.ts'
import { blockDraws, resampledMeans } from '../../../../src/research/sweep/ranking/block-draws.ts'

const mean = (values: Float64Array) => values.reduce((sum, value) => sum + value, 0) / values.length

test('the means are those of the bootstrap that everything else uses, drawn with the same numbers', () => {
  const days = fc.array(fc.double({ min: -1_000, max: 1_000, noNaN: true }), { minLength: 2, maxLength: 80 })
  fc.assert(
    fc.property(days, fc.nat(), (values, seed) => {
      const means = resampledMeans(values, blockDraws(values.length, seed)).sort()
      const interval = bootstrapInterval(values, mean, {
        random: seededRandom(seed, 'sweep blocks'),
        replicates: 2_000,
      })
      expect(means).toHaveLength(2_000)
      expect(quantile(means, 0.05)).toBeCloseTo(interval?.low ?? Number.NaN, 6)
      expect(quantile(means, 0.95)).toBeCloseTo(interval?.high ?? Number.NaN, 6)
    }),
    { numRuns: 20 },
  )
})

test('every replicate has as many days as there are, none of them beyond the last', () => {
  for (const days of [2, 3, 30, 365]) {
    const wrong = blockDraws(days, 4).replicates.filter((blocks) => {
      let drawn = 0
      let fits = true
      for (let i = 0; i < blocks.length; i += 2) {
        const [from = -1, length = 0] = [blocks[i], blocks[i + 1]]
        fits &&= from >= 0 && length > 0 && from + length <= days
        drawn += length
      }
      return !fits || drawn !== days
    })
    expect(wrong).toEqual([])
  }
})

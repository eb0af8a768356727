import { describe, expect, test } from 'vitest'
import { seededRandom } from '../../../../src/base/random.ts'
import { sweepResult } from '../../../../src/research/sweep/results/sweep-result.ts'
import { fakeManifest } from './fake-sweep.ts'
import { triedVariant } from './tried-variant.ts'

const manifest = fakeManifest()
const random = seededRandom(5, 'worthless')
const worthless = manifest.variants.map(() => Array.from({ length: 60 }, () => random() - 0.5))
const warningsOf = (keepsHolding: boolean): string => {
  const results = worthless.map(
    (less, index) => triedVariant(index, less, 0, {}, keepsHolding ? less : undefined).result,
  )
  return sweepResult(manifest, results, [], { splits: 4, heatmap: [] }).warnings.join('\n')
}

describe('the warnings of a sweep', () => {
  test('name the deflated Sharpe of the best variant where it is not clearly better than luck', () => {
    expect(warningsOf(true)).toMatch(/not clearly better than luck: .*deflated Sharpe is 0\.\d{3}/)
    expect(warningsOf(true)).not.toContain('older version')
  })

  test('state that the Sharpe ratios and the ranking are of the daily PnL where results of an older version lack the other', () => {
    expect(warningsOf(false)).toContain('Sharpe ratios and the ranking are of the daily PnL')
  })

  test('count the variants that were suspended before their first fill, first', () => {
    const results = worthless.map((less, index) => triedVariant(index, less, 0, {}, less).result)
    const suspended = results.map((result, index) => ({
      ...result,
      metrics: { 'suspension.fillsBefore': index === 0 ? 3 : 0 },
    }))
    const count = `${results.length - 1} of ${results.length} variants were suspended`
    expect(sweepResult(manifest, suspended, [], { splits: 4, heatmap: [] }).warnings[0]).toContain(count)
  })
})

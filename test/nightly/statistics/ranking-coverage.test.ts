import { describe, expect, test } from 'vitest'
import { noise, ranked } from '../../unit/research/sweep/tried-variant.ts'

describe('the ranking', () => {
  test('says an interval that holds the true mean in about nine of ten samples', () => {
    let covered = 0
    for (let sample = 0; sample < 200; sample++) {
      const [low, high] = ranked([noise(`sample ${sample}`, 60, 3, 10)]).variants[0]?.daily.ci90 ?? [0, 0]
      if (low <= 3 && 3 <= high) covered += 1
    }
    expect(covered).toBeGreaterThan(164)
    expect(covered).toBeLessThan(196)
  })

  test('among worthless variants rarely finds one that stands the deflation', () => {
    let found = 0
    for (let sweep = 0; sweep < 40; sweep++) {
      const { variants } = ranked(Array.from({ length: 20 }, (_, i) => noise(`${sweep} ${i}`, 90, 0, 10)))
      if (variants.some(({ sharpe }) => (sharpe?.deflated ?? 0) > 0.95)) found += 1
    }
    // Without deflation four in five such sweeps have a variant that looks sure.
    expect(found).toBeLessThan(8)
  })
})

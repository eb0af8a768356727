import { expect, test } from 'vitest'
import { fitPublishedRate } from '../../../src/research/models/fair-value/published-steps.ts'
import { drawSteps, NORMAL } from '../../support/published-rate.ts'

test('the fit of a published rate has 90 % intervals that hold the truth in 80 to 100 % of years', () => {
  const names = ['sigma', 'kappa', 'noise'] as const
  const held = names.map(() => 0)
  for (let seed = 0; seed < 40; seed++) {
    const fit = fitPublishedRate(drawSteps(NORMAL, 250, seed))
    for (const [i, name] of names.entries()) {
      const { low, high } = fit![name]
      if (low <= NORMAL[name] && NORMAL[name] <= high) held[i] = held[i]! + 1
    }
  }
  expect(Math.min(...held)).toBeGreaterThanOrEqual(32)
})

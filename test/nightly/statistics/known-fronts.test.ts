import { describe, expect, it } from 'vitest'
import { distancesToFront, PROBLEMS } from '../../support/known-fronts.ts'

describe('the known fronts of Zitzler, Deb and Thiele 2000', () => {
  it.each(Object.keys(PROBLEMS))(
    '%s: found within .01 of every point of it, with 100 of 250 generations',
    (name) => {
      const { mean, most } = distancesToFront(name, { genes: 30, size: 100, generations: 250 })
      expect(mean).toBeLessThan(0.01)
      expect(most).toBeLessThan(0.05)
    },
  )
})

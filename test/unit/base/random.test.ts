import { describe, expect, it } from 'vitest'
import { seededRandom } from '../../../src/base/random.ts'

const draw = (seed: number, label: string, count = 1_000) => {
  const random = seededRandom(seed, label)
  return Array.from({ length: count }, () => random())
}

describe('seeded randomness', () => {
  it('the same seed and label draw the same stream', () => {
    expect(draw(7, 'takers')).toEqual(draw(7, 'takers'))
  })

  it('another label or another seed draws an unrelated one', () => {
    expect(draw(7, 'takers').slice(0, 5)).not.toEqual(draw(7, 'makers').slice(0, 5))
    expect(draw(7, 'takers').slice(0, 5)).not.toEqual(draw(8, 'takers').slice(0, 5))
  })

  it('every number is at least 0 and under 1, and they are spread evenly', () => {
    const numbers = draw(42, 'evenly', 20_000)
    expect(Math.min(...numbers)).toBeGreaterThanOrEqual(0)
    expect(Math.max(...numbers)).toBeLessThan(1)
    const tenths = Array.from({ length: 10 }, () => 0)
    for (const number of numbers) tenths[Math.floor(number * 10)]! += 1
    for (const count of tenths) expect(Math.abs(count - 2_000)).toBeLessThan(200)
  })
})

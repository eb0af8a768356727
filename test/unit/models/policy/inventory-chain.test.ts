import { describe, expect, it } from 'vitest'
import { evaluateChain } from '../../../../src/models/policy/inventory-chain.ts'

const chain = (up: readonly number[], down: readonly number[], rewards: readonly number[]) =>
  evaluateChain({
    up: Float64Array.from(up),
    down: Float64Array.from(down),
    rewards: Float64Array.from(rewards),
  })

describe('the value of a fixed policy', () => {
  it('is the mean of the rewards where every state is as frequent', () => {
    expect(chain([1, 1, 0], [0, 1, 1], [0, 3, 6]).gain).toBeCloseTo(3, 12)
  })

  it('has steps that solve its equation in every state', () => {
    const [up, down, rewards] = [
      [4, 3, 2, 1, 0],
      [0, 1, 5, 2, 7],
      [-4, 1, 3, 2, -9],
    ]
    const { gain, steps } = chain(up!, down!, rewards!)
    for (let i = 0; i < 5; i++) {
      const moves = (up![i]! && up![i]! * steps[i]!) - (down![i]! && down![i]! * steps[i - 1]!)
      expect(rewards![i]! + moves).toBeCloseTo(gain, 10)
    }
  })

  it('is that of the state which no taker leaves', () => {
    const { gain, steps } = chain([2, 0, 0], [0, 0, 3], [-5, 1, -6])
    expect(gain).toBeCloseTo(1, 12)
    // From below one lot costs (1 - -5) / 2 of waiting, from above (1 - -6) / 3.
    expect(Array.from(steps)).toEqual([expect.closeTo(3, 9), expect.closeTo(-7 / 3, 9)])
  })

  it('is a number where rates differ by 300 orders of magnitude', () => {
    const { gain, steps } = chain([1e150, 1e-150, 0], [0, 1e-150, 1e150], [1, 2, 3])
    expect([gain, ...steps].every(Number.isFinite)).toBe(true)
  })
})

import { describe, expect, it } from 'vitest'
import { evaluateChain } from '../../../../../src/research/models/policy/inventory-chain.ts'

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
    const states = [
      { up: 4, down: 0, reward: -4 },
      { up: 3, down: 1, reward: 1 },
      { up: 2, down: 5, reward: 3 },
      { up: 1, down: 2, reward: 2 },
      { up: 0, down: 7, reward: -9 },
    ]
    const { gain, steps } = chain(
      states.map(({ up }) => up),
      states.map(({ down }) => down),
      states.map(({ reward }) => reward),
    )
    for (const [i, { up, down, reward }] of states.entries())
      expect(reward + up * (steps[i] ?? 0) - down * (steps[i - 1] ?? 0)).toBeCloseTo(gain, 10)
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

import { describe, expect, test } from 'vitest'
import { refillSettings } from '../../../../../src/research/jobs/backtest/refills.ts'

describe('the options about refills', () => {
  test('simulate nothing unless one is given, and have defaults for the others', () => {
    expect(refillSettings({}, 1)).toBe(null)
    expect(refillSettings({ refillDelay: 6.5 }, 7)).toEqual({
      delayMs: 6.5 * 3_600_000,
      costBps: 10,
      failure: 0,
      belowBps: 2_000,
      seed: 7,
    })
    expect(refillSettings({ refillBelow: 0 }, 1)).toMatchObject({ belowBps: 0 })
  })
})

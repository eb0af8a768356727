import { describe, expect, test } from 'vitest'
import {
  type RefillResult,
  refillSettings,
  refillsText,
} from '../../../../../src/commands/research/backtest/refills.ts'

const RESULT: RefillResult = {
  delayHours: 6,
  costBps: 20,
  failure: 0.05,
  below: 0.5,
  arrived: 3,
  failed: 1,
  underWay: 0,
  brought: { NTZS: '1000000', USDC: '13173.885661' },
  fills: 1_156,
  rejected: { without: 40, with: 2 },
  pnlUsd: { without: '2878.799', with: '2995.021' },
  costUsd: '30.4',
  worthUsd: '-0.129',
}

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

  test('show what refills brought, whom they let pay, and what they were worth after their cost', () => {
    const text = refillsText(RESULT)
    expect(text).toContain(
      '3 arrived, 1 failed, 0 under way at the end; below 50 % of the opening, after 6 h, 20 bps',
    )
    expect(text).toContain('1000000 NTZS, 13173.885661 USDC')
    expect(text).toContain('takers that the pool could not pay: 2 instead of 40')
    expect(text).toContain('2995.02 USD, without 2878.79 USD')
    expect(text).toContain('-0.12 USD after 30.40 USD of cost')
    expect(refillsText({ ...RESULT, brought: {} })).toContain('nothing')
  })
})

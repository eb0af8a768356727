import { expect, test } from 'vitest'
import type { RefillResult } from '../../../../../src/research/backtest/refill-worth.ts'
import { refillRows } from '../../../../../src/research/report/backtest/refill-rows.ts'

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

test('the rows of refills show what refills brought, whom they let pay, and what they were worth after their cost', () => {
  expect(refillRows(RESULT).map((row) => row.join(': '))).toEqual([
    'refills: 3 arrived, 1 failed, 0 under way at the end; below 50 % of the opening, after 6 h, 20 bps',
    'brought: 1000000 NTZS, 13173.885661 USDC',
    'fills with refills: 1156; takers that the pool could not pay: 2 instead of 40',
    'PnL with refills: 2995.02 USD, without 2878.79 USD',
    'worth of refills: -0.12 USD after 30.40 USD of cost',
  ])
  expect(refillRows({ ...RESULT, brought: {} }).flat()).toContain('nothing')
})

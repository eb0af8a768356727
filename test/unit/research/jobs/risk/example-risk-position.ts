import type { RiskPosition } from '../../../../../src/research/jobs/risk/risk-position.ts'

export function exampleRiskPosition(changes: Partial<RiskPosition> = {}): RiskPosition {
  return {
    source: 'plan',
    at: 0,
    ntzs: 50_000_000,
    usd: 10_000,
    tzsPerUsd: 2_500,
    mid: 2_500,
    bidBps: 60,
    askBps: 60,
    payable: { bid: 10_000, ask: 20_000 },
    limited: { bid: 10_000, ask: 20_000 },
    otherBps: null,
    hasLiveFeed: true,
    pnlTzs: 0,
    ...changes,
  }
}

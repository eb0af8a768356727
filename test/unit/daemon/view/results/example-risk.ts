import type { RiskTail, RiskView } from '../../../../../src/daemon/view/results/risk-view.ts'

const simulated = (value: number) => ({ value, se: value / 20 })
const figures = (es99: number) => ({
  var95: simulated(es99 / 2),
  es95: simulated(es99 / 1.5),
  var99: simulated(es99 / 1.2),
  es99: simulated(es99),
})
const tail = (of: RiskTail['of'], market: string, days: number, usd: number): RiskTail => {
  return { of, market, days, paths: 11_000, usd: figures(usd), tzs: figures(usd * 2_600) }
}

/** The risk of a calibrated position, half an hour old. */
export function exampleRisk(now: number): RiskView {
  return {
    at: now - 1_800_000,
    problem: null,
    measured: {
      position: {
        source: 'daemon',
        at: now - 1_830_000,
        ntzs: 37_500_000,
        usd: 15_000,
        tzsPerUsd: 2_600,
        bidBps: 60,
        askBps: null,
      },
      isCalibrated: true,
      worlds: 200,
      seed: 1,
      tails: [
        tail('held', 'model', 1, 86),
        tail('quoted', 'model', 1, 89),
        tail('held', 'model', 7, 192),
        tail('quoted', 'model', 7, 287),
        tail('quoted', 'stale-jump', 1, 765),
        tail('quoted', 'fat-finger-mid', 7, 1_416),
      ],
      stress: [
        {
          name: 'devaluation of 5 %, the mid held',
          held: { usd: 714, tzs: -1_875_000 },
          taken: { usd: 1_343, tzs: -225_000 },
          limited: { usd: 714, tzs: -1_875_000 },
          limits: ['reference-deviation closes the losing side: 476 bps, limit 300 bps'],
        },
      ],
      notes: ['held: the quote 60/off bps from the mid; no one restocks, requotes or halts'],
    },
  }
}

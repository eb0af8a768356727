import type { PolicyMarket } from '../../src/research/models/policy/venue-policy.ts'

/** V1 of quant.md section 2.4: 40 takers a day and side, 1/k = 60 bps, sigma 25, gamma .002, 20 lots. */
export const V1: PolicyMarket = {
  aBuy: 40,
  aSell: 40,
  k: 1 / 60,
  kShape: null,
  sigmaBps: 25,
  riskAversion: 0.002,
  limitLots: 20,
  fairShiftBps: 0,
  driftBpsPerDay: 0,
  adverseBps: 0,
  informed: { perDay: 0, tauBps: 0 },
  rivals: { ask: [], bid: [], toleranceBps: 5 },
}

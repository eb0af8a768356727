import { seededRandom } from '../base/random.ts'
import type { StrategyContext } from '../strategy/context.ts'

/** 2026-01-05 09:00 UTC, a Monday morning. */
const A_MONDAY_MS = 1_767_603_600_000

/** A calm market on target, for trying a strategy out: nothing in it is extreme, nothing is missing. */
export function neutralContext(): StrategyContext {
  return {
    now: A_MONDAY_MS,
    cause: 'start',
    mid: 2_500,
    midAgeMs: 60_000,
    fairValue: { tzsPerUsd: 2_500, errorBps: 0 },
    inventory: {
      ntzs: 12_500_000,
      usd: 5_000,
      usdShare: 0.5,
      target: 0.5,
      deviation: 0,
      totalTzs: 25_000_000,
    },
    recentFills: [],
    competition: { bid: null, ask: null },
    standing: { bidBps: null, askBps: null },
    protocolFeeBps: 10,
    promisable: { ntzs: 12_500_000, stables: { USDC: 5_000 } },
    calibration: null,
    inWindow: () => false,
    random: (label) => seededRandom(1, label),
  }
}

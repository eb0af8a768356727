import { LATER_LIMITS_OFF } from '../../src/core/risk/risk-settings.ts'
import { DEFAULT_GAP_SETTINGS } from '../../src/core/models/fair-value/gap-filter.ts'
import type { CoreConfig } from '../../src/core/engine/model/config.ts'

/** Polls so rare that a simulated day costs little. */
export const RARE_POLLS: CoreConfig['pacing'] = {
  requestsPerMinute: 60,
  reservePerMinute: 10,
  publicRequestsPerMinute: 1,
  fillsIntervalMs: 60_000,
  rateIntervalMs: 60_000,
  balancesIntervalMs: 60_000,
  accountIntervalMs: 60_000,
  quoteCheckIntervalMs: 600_000,
  requestTimeoutMs: 5_000,
}

/** A whole core configuration with plain defaults; tests change what they are about. */
export function coreConfig(change: Partial<CoreConfig> = {}): CoreConfig {
  return {
    name: 'desk-1',
    mode: 'live',
    strategy: { use: 'test', params: {}, sourceHash: 'test' },
    pacing: {
      requestsPerMinute: 60,
      reservePerMinute: 10,
      publicRequestsPerMinute: 30,
      fillsIntervalMs: 2_000,
      rateIntervalMs: 6_000,
      balancesIntervalMs: 15_000,
      accountIntervalMs: 60_000,
      quoteCheckIntervalMs: 300_000,
      requestTimeoutMs: 5_000,
    },
    fees: { protocolFeeBps: 10, bidFormula: 'divide' },
    inventory: { target: 0.5, limits: {} },
    risk: {
      ...LATER_LIMITS_OFF,
      maxMidAgeMs: 345_600_000,
      maxMidStepBps: 150,
      maxLossTzs: null,
      maxDrawdownTzs: null,
      maxFillsPerMinute: null,
      maxVolumePerDayUsd: null,
      errorCyclesThreshold: 5,
      unexplainedGraceMs: 30_000,
      dustUnits: { NTZS: 10n ** 15n, USDC: 10n ** 15n, USDT: 10n ** 15n, 'USDT.bnb': 10n ** 15n },
      onHalt: 'deactivate',
    },
    quote: {
      requoteThresholdBps: 2,
      minRequoteIntervalMs: 2_000,
      safeBps: 500,
      whenBothOff: 'safe',
      onExit: 'widen',
      drainMs: null,
      pairs: null,
      ditherBps: 0,
      ditherPeriodMs: 3_600_000,
    },
    activation: 'auto',
    withdraw: { enabled: false, destinations: [], maxPerDay: {} },
    calibration: null,
    rfq: null,
    venueClock: null,
    publicRate: null,
    strictReadings: false,
    feeds: [],
    fairValue: DEFAULT_GAP_SETTINGS,
    ...change,
  }
}

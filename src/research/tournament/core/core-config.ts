import { LATER_LIMITS_OFF } from '../../../core/risk/risk-settings.ts'
import { DAY_MS, HOUR_MS } from '../../../base/time.ts'
import { type CoreConfig, DEFAULT_TOLERANCE_BPS } from '../../../core/engine/model/config.ts'
import type { Calibration } from '../../../core/models/calibration.ts'
import {
  DEFAULT_FEED_ERROR,
  DEFAULT_RATE_MODEL,
  type RateModel,
} from '../../../core/models/fair-value/rate-model.ts'
import { RATE_ONE } from '../../../base/money/rate.ts'
import type { LoadedStrategy } from '../../../core/strategy/define-strategy.ts'

/** TZS per USD when a world opens; prices in the world are distances from it. */
export const OPENING_RATE = 2_500
/** The only feed of a world. Its last reading is valid for this long; after that only the venue's mid counts. */
export const FEED_NAME = 'feed'
const FEED_STALE_MS = DAY_MS

/** The budget of a real venue; no polls are sent here. */
const PACING = {
  requestsPerMinute: 60,
  reservePerMinute: 10,
  publicRequestsPerMinute: 30,
  fillsIntervalMs: 2_000,
  rateIntervalMs: 6_000,
  balancesIntervalMs: 15_000,
  accountIntervalMs: 60_000,
  quoteCheckIntervalMs: 300_000,
  requestTimeoutMs: 5_000,
} as const

const THE_FEED = {
  name: FEED_NAME,
  origin: 'independent',
  staleAfterMs: FEED_STALE_MS,
  frozenAfterMs: null,
  band: { min: RATE_ONE, max: 1_000_000n * RATE_ONE },
  weight: 1,
} as const

/** What a market states to its strategies, right or wrong. */
export type MarketStatement = RateModel & {
  readonly toleranceBps: number
  readonly errorHalfLifeDays: number
}

export const STATED_DEFAULTS: MarketStatement = {
  ...DEFAULT_RATE_MODEL,
  toleranceBps: DEFAULT_TOLERANCE_BPS,
  errorHalfLifeDays: DEFAULT_FEED_ERROR.errorHalfLifeDays,
}

/** The calibration so far, and the dither from which the strategy learns. */
export type Learning = { readonly learned: Calibration | null; readonly ditherBps: number }

const NOTHING_LEARNED: Learning = { learned: null, ditherBps: 0 }
/** Replaces a file's hash, because this calibration has no file. */
const FIRST_WEEK = 'first week'

/**
 * Returns the core's configuration for a tournament. Limits are off or out of reach: the tournament compares strategies, and
 * a risk rule that stops one of them would hide its behaviour.
 */
export function tournamentCore(
  { use, params, sourceHash }: LoadedStrategy,
  feedTauBps: number | null,
  { learned, ditherBps }: Learning = NOTHING_LEARNED,
  { toleranceBps, errorHalfLifeDays, ...rateModel }: MarketStatement = STATED_DEFAULTS,
): CoreConfig {
  return {
    name: 'tournament',
    mode: 'live',
    strategy: { use, params, sourceHash },
    pacing: PACING,
    // Reservations and margins of a world are net of the protocol fee.
    fees: { protocolFeeBps: 0, bidFormula: 'divide' },
    inventory: { target: 0.5, limits: {} },
    risk: {
      ...LATER_LIMITS_OFF,
      maxMidAgeMs: null,
      maxMidStepBps: null,
      maxLossTzs: null,
      maxDrawdownTzs: null,
      maxFillsPerMinute: null,
      maxVolumePerDayUsd: null,
      errorCyclesThreshold: 5,
      unexplainedGraceMs: HOUR_MS,
      dustUnits: { NTZS: 0n, USDC: 0n, USDT: 0n, 'USDT.bnb': 0n },
      onHalt: 'deactivate',
    },
    quote: {
      requoteThresholdBps: 1,
      minRequoteIntervalMs: 0,
      safeBps: 500,
      whenBothOff: 'safe',
      onExit: 'widen',
      drainMs: null,
      pairs: null,
      ditherBps,
      ditherPeriodMs: HOUR_MS,
    },
    activation: 'manual',
    withdraw: { enabled: false, destinations: [], maxPerDay: {} },
    calibration: learned === null ? null : { sourceHash: FIRST_WEEK, learned },
    // The strategy states the error of its feed, the market how long an error lasts.
    fairValue: {
      ...rateModel,
      feeds: feedTauBps === null ? {} : { [FEED_NAME]: { errorBps: feedTauBps, errorHalfLifeDays } },
      judgesFeeds: true,
    },
    rfq: null,
    venueClock: null,
    publicRate: null,
    toleranceBps,
    strictReadings: false,
    feeds: feedTauBps === null ? [] : [THE_FEED],
  }
}

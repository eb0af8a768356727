import { coreConfig } from '../support/core-config.ts'
import type { Ms } from '../../src/base/time.ts'
import type { CoreConfig, StrategyChoice } from '../../src/core/engine/model/config.ts'
import { parseRate, type Rate } from '../../src/base/money/rate.ts'
import type { PacingSettings } from '../../src/core/pacing/state.ts'
import { worldStrategy } from '../support/world-strategies.ts'
import type { Dice } from './dice.ts'

export const DESTINATION = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

/** A configuration a careful or a careless person could have written. */
export function drawConfig(dice: Dice, requestsPerMinute: number, requestTimeoutMs: Ms): CoreConfig {
  return {
    ...coreConfig(),
    name: 'world',
    mode: dice.happens(0.03) ? 'dry-run' : 'live',
    strategy: drawStrategy(dice),
    pacing: drawPacing(dice, requestsPerMinute, requestTimeoutMs),
    fees: { protocolFeeBps: dice.pick([0, 10, 20]), bidFormula: dice.pick(['divide', 'multiply']) },
    inventory: {
      target: dice.pick([0.5, 0.5, 0.3, 0.8]),
      limits: dice.happens(0.3)
        ? { NTZS: { min: 1_000_000n * 10n ** 18n, max: null }, USDC: { min: 1_000n * 10n ** 18n, max: null } }
        : {},
    },
    risk: {
      ...coreConfig().risk,
      maxMidAgeMs: dice.pick([null, 172_800_000, 345_600_000]),
      maxMidStepBps: dice.pick([null, 150, 150, 60]),
      maxLossTzs: dice.pick([null, null, 2_000_000n * 10n ** 36n]),
      maxDrawdownTzs: dice.pick([null, null, 4_000_000n * 10n ** 36n]),
      maxFillsPerMinute: dice.pick([null, 6]),
      maxVolumePerDayUsd: dice.pick([null, 60_000n * 10n ** 18n]),
      errorCyclesThreshold: dice.pick([3, 5]),
      unexplainedGraceMs: dice.pick([0, 60_000, 600_000]),
      maxUnreadableMs: 90_000,
      dustUnits: { NTZS: 10n ** 15n, USDC: 10n ** 15n, USDT: 10n ** 15n, 'USDT.bnb': 10n ** 15n },
      onHalt: dice.pick(['deactivate', 'safe']),
    },
    quote: {
      requoteThresholdBps: dice.pick([0, 1, 2, 5]),
      minRequoteIntervalMs: dice.pick([500, 2_000, 10_000]),
      safeBps: dice.pick([500, 500, 300]),
      whenBothOff: dice.pick(['deactivate', 'safe']),
      onExit: dice.pick(['keep', 'widen', 'deactivate']),
      drainMs: 30_000,
      pairs: dice.pick([null, null, ['USDC'], ['USDC', 'USDT']]),
      ditherBps: dice.pick([0, 0, 0, 4]),
      ditherPeriodMs: dice.pick([60_000, 3_600_000]),
    },
    activation: dice.happens(0.12) ? 'manual' : 'auto',
    calibration: null,
    rfq: null,
    withdraw: dice.happens(0.5)
      ? { enabled: true, destinations: [DESTINATION], maxPerDay: { USDC: 3_000n * 10n ** 6n } }
      : { enabled: false, destinations: [], maxPerDay: {} },
  }
}

/** Far from every scenario's mid, and near enough to keep out what is absurd. */
const CORRIDOR = { min: rateOf('1200'), max: rateOf('5000') }

/** How far the venue may lead us: drawn apart, so that the other choices of a seed stay what they were. */
export function withPriceBounds(config: CoreConfig, dice: Dice): CoreConfig {
  const isBound = dice.happens(0.3)
  const risk = {
    ...config.risk,
    priceCorridor: dice.happens(0.85) ? CORRIDOR : null,
    maxMidMoveBpsPerHour: isBound ? 200 : null,
    maxMidMoveBpsPerDay: isBound ? 500 : null,
  }
  // Half of the time the venue's dates are held against its own clock; ours may be hours off in these worlds.
  return dice.happens(0.5) ? { ...config, risk, venueClock: 'virtual' } : { ...config, risk }
}

function rateOf(text: string): Rate {
  const parsed = parseRate(text)
  if (!parsed.ok) throw new Error(parsed.error.message)
  return parsed.value
}

/** What a person changes and has reloaded: everything but the name, the mode and what the venue allows. */
export function redrawConfig(dice: Dice, before: CoreConfig): CoreConfig {
  const { requestsPerMinute, requestTimeoutMs } = before.pacing
  const next = drawConfig(dice, requestsPerMinute, requestTimeoutMs)
  if (dice.happens(0.4)) return { ...before, strategy: next.strategy }
  // The corridor changes by a restart only; the bounds beside it stay with it.
  const { priceCorridor, maxMidMoveBpsPerHour, maxMidMoveBpsPerDay } = before.risk
  const risk = { ...next.risk, priceCorridor, maxMidMoveBpsPerHour, maxMidMoveBpsPerDay }
  return { ...next, risk, mode: before.mode, venueClock: before.venueClock }
}

function drawStrategy(dice: Dice): StrategyChoice {
  const fixed = {
    use: 'fixed-spread',
    params: { bidBps: dice.between(10, 90), askBps: dice.between(10, 90) },
  }
  const skew = {
    use: 'inventory-skew',
    params: { halfSpreadBps: dice.between(20, 90), maxSkewBps: dice.between(0, 200), offBeyond: 0.9 },
  }
  const chosen = dice.pick([
    fixed,
    skew,
    skew,
    skew,
    { use: 'wild', params: { throwChance: dice.pick([0, 0, 0.0005]) } },
    {
      use: 'schedule',
      params: {
        strategy: skew,
        windows: [
          { name: 'night', cron: '* 20-23,0-4 * * *', params: { halfSpreadBps: 120 } },
          { name: 'print', cron: '50-59 6 * * 1-5', off: true },
        ],
      },
    },
  ])
  const { params, sourceHash } = worldStrategy(chosen)
  return { use: chosen.use, params, sourceHash }
}

/** Slow polls for most worlds: a day of sixty requests a minute is a day of computing for nothing new. */
function drawPacing(dice: Dice, requestsPerMinute: number, requestTimeoutMs: Ms): PacingSettings {
  return {
    requestsPerMinute,
    reservePerMinute: dice.between(1, Math.floor(requestsPerMinute / 3)),
    publicRequestsPerMinute: dice.pick([0, 0, 0, 1]),
    fillsIntervalMs: dice.pick([30_000, 60_000, 120_000, 120_000]),
    rateIntervalMs: dice.pick([120_000, 300_000, 300_000]),
    balancesIntervalMs: dice.pick([120_000, 300_000, 600_000]),
    accountIntervalMs: dice.pick([300_000, 600_000]),
    quoteCheckIntervalMs: dice.pick([600_000, 900_000]),
    requestTimeoutMs,
  }
}

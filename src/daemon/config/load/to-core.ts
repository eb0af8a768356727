import type { CalibrationChoice, CoreConfig } from '../../../core/engine/model/config.ts'
import type { RfqSettings } from '../../../core/rfq/rfq-settings.ts'
import type { LoadedStrategy } from '../../../core/strategy/define-strategy.ts'
import { fairValueSettings } from './fair-value.ts'
import { longestLifeMs } from '../schema/rfq.ts'
import type { ConfigFile } from '../schema/schema.ts'

/**
 * The core waits this much longer than the shell's slowest time-out: it must never count a request as lost whose answer
 * the shell still expects.
 */
const AFTER_SLOWEST_MS = 5_000

/** Returns the core's part of the file as plain data without secrets. */
export function toCore(
  file: ConfigFile,
  strategy: LoadedStrategy,
  calibration: CalibrationChoice | null,
  /** For real money a second person must approve, unless the file overrides it. */
  defaultApproval: bigint | null,
  feeds: CoreConfig['feeds'],
): CoreConfig {
  const { venue, risk } = file
  const { dust, ...rules } = risk
  const { ntzsPerYear, usdPerYear } = file.inventory.capitalCost
  return {
    name: file.name,
    mode: file.mode,
    strategy: { use: file.strategy.use, params: strategy.params, sourceHash: strategy.sourceHash },
    pacing: {
      ...file.pacing,
      fillsYield: true,
      requestsPerMinute: venue.requestsPerMinute,
      publicRequestsPerMinute: venue.publicUrl === null ? 0 : venue.publicRequestsPerMinute,
      requestTimeoutMs: Math.max(venue.requestTimeoutMs, venue.slowTimeoutMs) + AFTER_SLOWEST_MS,
    },
    fees: { protocolFeeBps: venue.protocolFeeBps, bidFormula: venue.bidFormula },
    inventory: {
      target: file.inventory.target,
      limits: withoutMissing(file.inventory.limits),
      ...(ntzsPerYear === 0 && usdPerYear === 0 ? {} : { capitalCost: { ntzsPerYear, usdPerYear } }),
    },
    risk: { ...rules, dustUnits: dust },
    quote: file.quote,
    activation: file.activation,
    withdraw: {
      ...file.withdraw,
      haltHolds: true,
      maxPerDay: withoutMissing(file.withdraw.maxPerDay),
      approvalAboveUsd:
        file.withdraw.approvalAboveUsd === undefined ? defaultApproval : file.withdraw.approvalAboveUsd,
    },
    calibration,
    rfq: rfqSettings(file),
    venueClock: venue.clock,
    publicRate: { quoteStable: venue.quoteStable, unfilled: venue.unfilledQuote },
    toleranceBps: venue.toleranceBps,
    feeds,
    strictReadings: true,
    fairValue: fairValueSettings(file, calibration?.learned.fairValue ?? null),
  }
}

/** Omits what only the shell and the signer need: endpoints, keys, gas, allowances, limits over time. */
function rfqSettings({ rfq: section, guard }: ConfigFile): RfqSettings | null {
  if (section === null) return null
  const {
    rpc: _endpoints,
    signer: _key,
    gas: _gas,
    approve: _allowances,
    maxAtRiskUsdPerHour: _perHour,
    maxAtRiskUsdPerDay: _perDay,
    maxSignaturesPerMinute: _perMinute,
    ...settings
  } = section
  return {
    ...settings,
    maxLifeMs: longestLifeMs(section, guard !== null),
    tokens: withoutMissing(settings.tokens),
  }
}

/** Removes undefined fields so that the configuration equals the journal's copy. */
export function withoutMissing<Shape extends object>(shape: Shape): Shape {
  return Object.fromEntries(Object.entries(shape).filter(([, value]) => value !== undefined)) as Shape
}

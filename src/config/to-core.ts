import type { CalibrationChoice, CoreConfig } from '../engine/core-config.ts'
import type { LoadedStrategy } from '../strategy/loaded-strategy.ts'
import type { ConfigFile } from './schema.ts'

/**
 * The core waits this much longer than the slowest time-out of the shell: it must never call a request
 * lost whose answer the shell still expects.
 */
const AFTER_SLOWEST_MS = 5_000

/** What the core needs of the file, as plain data without secrets. */
export function toCore(
  file: ConfigFile,
  strategy: LoadedStrategy,
  calibration: CalibrationChoice | null,
): CoreConfig {
  const { venue, risk } = file
  const { dust, ...rules } = risk
  return {
    name: file.name,
    mode: file.mode,
    strategy: { use: file.strategy.use, params: strategy.params, sourceHash: strategy.sourceHash },
    pacing: {
      ...file.pacing,
      requestsPerMinute: venue.requestsPerMinute,
      publicRequestsPerMinute: venue.publicUrl === null ? 0 : venue.publicRequestsPerMinute,
      requestTimeoutMs: Math.max(venue.requestTimeoutMs, venue.slowTimeoutMs) + AFTER_SLOWEST_MS,
    },
    fees: { protocolFeeBps: venue.protocolFeeBps, bidFormula: venue.bidFormula },
    inventory: { target: file.inventory.target, limits: withoutMissing(file.inventory.limits) },
    risk: { ...rules, dustUnits: dust },
    quote: file.quote,
    activation: file.activation,
    withdraw: { ...file.withdraw, maxPerDay: withoutMissing(file.withdraw.maxPerDay) },
    calibration,
  }
}

/** What is absent must be absent: the configuration is compared with what a journal gives back. */
function withoutMissing<Shape extends object>(shape: Shape): Shape {
  return Object.fromEntries(Object.entries(shape).filter(([, value]) => value !== undefined)) as Shape
}

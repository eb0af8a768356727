import type { Ms } from '../base/time.ts'
import type { Asset } from '../money/asset.ts'

/** The limits; structurally what the configuration's core holds. A null limit is off. */
export type RiskSettings = {
  readonly maxMidAgeMs: Ms | null
  readonly maxMidStepBps: number | null
  readonly maxLossTzs: bigint | null
  readonly maxDrawdownTzs: bigint | null
  readonly maxFillsPerMinute: number | null
  readonly maxVolumePerDayUsd: bigint | null
  readonly errorCyclesThreshold: number
  readonly unexplainedGraceMs: Ms
}

export type InventoryLimits = {
  readonly [asset in Asset]?: { readonly min: bigint | null; readonly max: bigint | null }
}

import { invariant } from '../../../base/result.ts'
import type { LoadedConfig } from '../../config/load/loaded-config.ts'
import { ASSETS } from '../../../base/money/asset.ts'
import { RATE_ONE, type Rate } from '../../../base/money/rate.ts'
import { divide } from '../../../base/money/rounding.ts'
import { parseDecimalText } from '../../../base/money/decimal-text.ts'
import { FLEET_USD_DECIMALS, type FleetLimits } from '../../config/schema/fleet.ts'
import type { PositionSummary } from '../../view/position-summary.ts'

/** Millionths of a dollar. */
type Micros = bigint

export type FleetLimit = keyof FleetLimits

/** Limits assumed for a position whose state is unknown: its own; null if none is set. */
export type OwnLimits = Readonly<Record<FleetLimit, Micros | null>>

/** A fleet limit and the sum over all positions. */
export type LimitStatus = {
  readonly limit: FleetLimit
  readonly limitUsd: Micros
  readonly actualUsd: Micros
  readonly state: 'within' | 'near' | 'exceeded'
  /** Positions whose state is unknown: their own limits are added; those without a limit add nothing. */
  readonly unknown: readonly string[]
}

/** The operator is warned from this share of a limit. */
const NEAR_PERCENT = 80n
const SHOWN = {
  maxLossUsd: 'lossUsd',
  maxOutstandingUsd: 'outstandingUsd',
  maxDeployedUsd: 'deployedUsd',
} as const satisfies Readonly<Record<FleetLimit, keyof PositionSummary>>

/**
 * Assesses every configured limit. Losses are summed without netting them against other positions' profits; a position that does not answer
 * counts with its last summary. `ownLimits` is null for a position that does not count: a dry run, or one that has just started.
 */
export function assessLimits(
  limits: FleetLimits,
  summaries: readonly PositionSummary[],
  ownLimits: (name: string) => OwnLimits | null,
): readonly LimitStatus[] {
  const counted = summaries.filter(({ mode }) => mode !== 'dry-run')
  return FLEET_LIMITS.flatMap((limit) => {
    const limitUsd = limits[limit]
    if (limitUsd === null) return []
    let actualUsd = 0n
    const unknown: string[] = []
    for (const summary of counted) {
      const shown = summary[SHOWN[limit]]
      const own = shown === null ? ownLimits(summary.name) : null
      if (shown === null && own !== null) unknown.push(summary.name)
      actualUsd += shown === null ? (own?.[limit] ?? 0n) : micros(shown)
    }
    return [{ limit, limitUsd, actualUsd, state: stateOf(actualUsd, limitUsd), unknown }]
  })
}

export const FLEET_LIMITS: readonly FleetLimit[] = ['maxLossUsd', 'maxOutstandingUsd', 'maxDeployedUsd']

/** Like a position's limits, a fleet limit may be fully used. */
function stateOf(actual: Micros, most: Micros): LimitStatus['state'] {
  if (actual > most) return 'exceeded'
  return actual > 0n && actual * 100n >= most * NEAR_PERCENT ? 'near' : 'within'
}

function micros(text: string): Micros {
  const parsed = parseDecimalText(text, FLEET_USD_DECIMALS)
  invariant(parsed.ok, 'money of a summary has at most six decimals')
  return parsed.value
}

const MICROS_TO_18 = 10n ** 12n

/** Returns the largest loss, outstanding amount and deployed amount that a position's configuration allows, rounded up. */
export function ownLimitsOf({ core, rfq }: LoadedConfig): OwnLimits {
  const { maxLossTzs, priceCorridor } = core.risk
  const lowest = priceCorridor?.min ?? null
  return {
    // 36 decimals over a rate's 18 give dollars at 18 decimals.
    maxLossUsd: maxLossTzs === null || lowest === null ? null : micros18(divide(maxLossTzs, lowest, 'up')),
    maxOutstandingUsd: core.rfq === null ? 0n : rfq === null ? null : micros18(rfq.limits.maxOutstandingUsd),
    maxDeployedUsd: lowest === null ? null : deployable(core.inventory.limits, lowest),
  }
}

function micros18(usd18: bigint): Micros {
  return divide(usd18, MICROS_TO_18, 'up')
}

/** Returns null if a token has no upper limit. */
function deployable(limits: LoadedConfig['core']['inventory']['limits'], lowest: Rate): Micros | null {
  let usd18 = 0n
  for (const asset of ASSETS) {
    const max = limits[asset]?.max ?? null
    if (max === null) return null
    usd18 += asset === 'NTZS' ? divide(max * RATE_ONE, lowest, 'up') : max
  }
  return micros18(usd18)
}

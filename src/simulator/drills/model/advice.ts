import { openingCapital, middleOf } from './capital.ts'
import { formatAmount, parseAmount } from '../../../base/money/asset.ts'
import { RATE_ONE } from '../../../base/money/rate.ts'
import type { DrilledPosition } from './drilled-position.ts'
import type { Failure } from './judge-night.ts'

/** A setting of the configuration by its path, and the value that would have helped. */
export type AdvisedSetting = { readonly path: string; readonly value: unknown }

/** Advice for a failed night: settings, or a measure outside the configuration if no setting helps. */
export type Advice = {
  readonly settings: readonly AdvisedSetting[]
  /** The effect of the settings, as the end of a sentence. */
  readonly why: string
}

/** `risk.maxMidStepBps: 150 (now not set) keeps a mid that steps further from being quoted from`. */
export function adviceText({ config }: Pick<DrilledPosition, 'config'>, { settings, why }: Advice): string {
  if (settings.length === 0) return why
  const shown = settings.map(({ path, value }) => {
    const now = nowText(valueAt(config, path))
    return `${path}: ${JSON.stringify(value)}${now === null ? '' : ` (now ${now})`}`
  })
  return `${shown.join(', ')} ${why}`
}

/** Null for a whole section, which is too long to show. */
function nowText(value: unknown): string | null {
  if (value === null || value === undefined) return 'not set'
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'bigint' ? value.toString() : null
}

/** Returns the value at a path of the configuration with its defaults; undefined = no such key. */
export function valueAt(config: object, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((value, key) => (value as Record<string, unknown> | null | undefined)?.[key], config)
}

/** Shorter polling intervals cost requests without showing anything sooner. */
const SHORTEST_MS = 500

/** Number of intervals that must fit into the time limit. */
const INTERVALS = 4

/** Proposes a shorter interval: the `usual` one if the desk has a longer one, else half of it, and short enough for the time limit. */
export function shorter(
  { config }: DrilledPosition,
  { kind, allowed }: Failure,
  path: string,
  usualMs: number,
): AdvisedSetting {
  const now = Number(valueAt(config, path))
  const less = now > usualMs ? usualMs : Math.floor(now / 2)
  const mostMs = kind === 'cost' ? less : Math.min(less, Math.floor(allowed / INTERVALS))
  return { path, value: Math.max(SHORTEST_MS, mostMs) }
}

/** Proposes reading balances and fills more often. */
export function readSooner(position: DrilledPosition, failure: Failure): readonly AdvisedSetting[] {
  return position.config.rfq === null
    ? [
        shorter(position, failure, 'pacing.fillsIntervalMs', 2_000),
        shorter(position, failure, 'pacing.balancesIntervalMs', 15_000),
      ]
    : [
        shorter(position, failure, 'rfq.pollMs', 2_000),
        shorter(position, failure, 'pacing.balancesIntervalMs', 15_000),
      ]
}

const RUN_OF_FILLS = 20
/** The proposed limit as a share of the night's cost. */
const MARGIN = 0.8

/** Limits what any night costs: by capital if the desk sets a sum, else by the fills of one side. */
export function boundCost(position: DrilledPosition, failure: Failure): Advice {
  return failure.kind === 'cost' && position.config.drills.maxCostUsd !== null
    ? lessCapital(position, failure)
    : shorterRun(position, failure)
}

/** The interval between informed takers. */
const A_FILL_MS = 1_000

/**
 * Proposes a limit on consecutive fills of one side before the safe quote: as many as fit into half of the time, and
 * at most half of the desk's limit.
 */
export function shorterRun({ config }: DrilledPosition, { kind, allowed }: Failure): Advice {
  const { reviewAfter } = config.risk
  const now = reviewAfter?.sameSideFills ?? null
  const less = now === null || now > RUN_OF_FILLS ? RUN_OF_FILLS : Math.floor(now / 2)
  const most = kind === 'safety' ? Math.floor(allowed / A_FILL_MS / 2) : RUN_OF_FILLS
  const fills = Math.max(1, Math.min(less, most))
  const setting =
    reviewAfter === null
      ? { path: 'risk.reviewAfter', value: { sameSideFills: fills } }
      : { path: 'risk.reviewAfter.sameSideFills', value: fills }
  return { settings: [setting], why: `goes to the safe quote after ${fills} fills of one side in a row` }
}

/** Proposes a smaller position, which reduces the cost of a night. */
function lessCapital({ config }: DrilledPosition, { allowed, actual }: Failure): Advice {
  const share = Math.min(1, (allowed / Math.max(actual ?? allowed, Number.EPSILON)) * MARGIN)
  const mid = middleOf(config.risk.priceCorridor ?? { min: RATE_ONE, max: 2n * RATE_ONE })
  const opening = openingCapital(config, mid)
  const settings = (['USDC', 'USDT'] as const).flatMap((asset) => {
    const held = parseAmount(opening[asset])
    if (!held.ok || held.value === 0n) return []
    const most = (held.value * BigInt(Math.floor(share * 1_000))) / 1_000n
    // Below the desk's minimum no side would be quoted.
    if (most <= (config.inventory.limits[asset]?.min ?? 0n)) return []
    return [{ path: `inventory.limits.${asset}.max`, value: formatAmount(most) }]
  })
  return { settings, why: 'with a pool of that size bounds what such a night costs' }
}

import { MINUTE_MS, type Ms } from '../../../base/time.ts'
import type { FleetLimits } from '../../config/schema/fleet.ts'
import { FLEET_USD_DECIMALS } from '../../config/schema/fleet.ts'
import type { LoadedConfig } from '../../config/load/loaded-config.ts'
import type { OperatorCommand } from '../../../core/engine/model/event.ts'
import { formatDecimalText } from '../../../base/money/decimal-text.ts'
import type { PositionSummary } from '../../view/position-summary.ts'
import type { Host } from '../host/run-host.ts'
import { type FleetLimit, assessLimits, type LimitStatus, ownLimitsOf } from './assess-limits.ts'

type LimitWatchParts = {
  readonly host: Pick<Host, 'summaries' | 'command'>
  readonly limits: () => FleetLimits
  readonly configs: () => readonly LoadedConfig[]
  /** Called with every configured limit after each check. */
  readonly onJudged: (statuses: readonly LimitStatus[]) => void
  readonly now?: () => Ms
}

export type LimitWatch = {
  /** Checks the limits once and acts on exceeded ones. Never rejects; returns at once while a check is in progress. */
  readonly look: () => Promise<void>
  readonly statuses: () => readonly LimitStatus[]
}

/** A position that has never answered counts with its own limits after this time; until then it is starting. */
const START_MS = 2 * MINUTE_MS
/** The author in the journals of the positions that are halted or paused. */
const WHO = 'mizani fleet'

/**
 * The action on every position when a limit is exceeded. A pause sets the safe quote, and in self-custody cancels the orders: no new
 * exposure, and deployed capital stays. Both last until an operator resumes.
 */
const ACTION = {
  maxLossUsd: 'halt',
  maxOutstandingUsd: 'pause',
  maxDeployedUsd: 'pause',
} as const satisfies Readonly<Record<FleetLimit, OperatorCommand['name']>>

/** Enforces the fleet's limits: sums what the positions report, and halts or pauses all of them. */
export function watchLimits(parts: LimitWatchParts): LimitWatch {
  const now = parts.now ?? Date.now
  const firstSeen = new Map<string, Ms>()
  let statuses: readonly LimitStatus[] = []
  let isLooking = false

  async function judge(): Promise<void> {
    const summaries = await parts.host.summaries()
    const configs = new Map(parts.configs().map((config) => [config.core.name, config]))
    for (const { name } of summaries) if (!firstSeen.has(name)) firstSeen.set(name, now())
    statuses = assessLimits(parts.limits(), summaries, (name) => {
      const config = configs.get(name)
      const isStarting = now() - (firstSeen.get(name) ?? now()) < START_MS
      return config === undefined || config.core.mode === 'dry-run' || isStarting ? null : ownLimitsOf(config)
    })
    parts.onJudged(statuses)
    for (const status of statuses) if (status.state === 'exceeded') await act(parts, status, summaries)
  }

  return {
    async look() {
      if (isLooking) return
      isLooking = true
      await judge().finally(() => (isLooking = false))
    },
    statuses: () => statuses,
  }
}

/** Only positions that still trade: a command is an event in a position's journal. */
async function act(
  { host }: LimitWatchParts,
  status: LimitStatus,
  summaries: readonly PositionSummary[],
): Promise<void> {
  const name = ACTION[status.limit]
  const trading = summaries.filter(
    ({ tradingState, paused, mode }) =>
      mode === 'live' && tradingState !== 'HALTED' && !(name === 'pause' && paused),
  )
  await Promise.all(trading.map((one) => host.command(one.name, { name }, WHO, statusText(status))))
}

/** `fleet.limits.maxLossUsd is 5000, but all positions together reach 5123.1`. */
export function statusText({ limit, limitUsd, actualUsd, unknown }: LimitStatus): string {
  const [most, actual] = [limitUsd, actualUsd].map((usd) => formatDecimalText(usd, FLEET_USD_DECIMALS))
  const not = unknown.length === 0 ? '' : `; the state of ${listed(unknown)} is unknown`
  return `fleet.limits.${limit} is ${most}, but all positions together reach ${actual}${not}`
}

const MOST_NAMED = 5

function listed(names: readonly string[]): string {
  const more = names.length - MOST_NAMED
  return `${names.slice(0, MOST_NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

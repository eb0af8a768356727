import type { OpenAlert } from '../../../core/alerts/alert-book.ts'
import type { Ms } from '../../../base/time.ts'
import { MAX_SPREAD_BPS } from '../../../base/money/bps.ts'
import type { Watched } from '../position/grants.ts'
import type { LeaseRows, ShownRows } from '../position/lease-rows.ts'
import type { PositionSettings } from './settings.ts'

/** What `mizani guard status` shows of a position. */
export type PositionStatus = {
  readonly name: string
  readonly state: 'unwatched' | 'held' | 'guarding'
  readonly fence: number
  readonly silentMs: Ms | null
  readonly rung: string | null
  readonly safeSinceMs: Ms | null
  readonly latched: string | null
  readonly powerless: string | null
  /** Why the guard could not act if the daemon died now; null = the venue answered its last reads. */
  readonly blind: string | null
  /** The guard does not watch the position until it is restarted. */
  readonly isDrained: boolean
  /** The guard's open critical alerts, and who acknowledged them. */
  readonly alerts: readonly { readonly code: string; readonly acknowledgedBy: string | null }[]
  readonly actsNot: string | null
  readonly firings: number
  /** The state of the lease rows in PostgreSQL; null = the store is a folder. */
  readonly rows: ShownRows | null
}

export function guardStatusOf(
  settings: Pick<PositionSettings, 'name' | 'actsNot'>,
  { kept, hold, observed }: Watched,
  rows: Pick<LeaseRows, 'shown'> | null,
  now: Ms,
  more: Pick<PositionStatus, 'powerless' | 'blind' | 'isDrained'> & { readonly alerts: readonly OpenAlert[] },
): PositionStatus {
  return {
    name: settings.name,
    state: hold !== null ? 'guarding' : kept.holder === null ? 'unwatched' : 'held',
    fence: kept.fence,
    silentMs: observed === null ? null : Math.round(now - observed.changedAt),
    rung:
      hold?.isSideOpen === true
        ? `${hold.worse} at ${MAX_SPREAD_BPS} bps, not closed at this venue`
        : (hold?.rung ?? null),
    safeSinceMs: hold?.safeSince == null ? null : Math.round(now - hold.safeSince),
    latched: kept.latched,
    powerless: more.powerless,
    blind: more.blind,
    isDrained: more.isDrained,
    alerts: more.alerts.map(({ code, ack }) => ({ code, acknowledgedBy: ack?.who ?? null })),
    actsNot: settings.actsNot,
    firings: kept.firings.length,
    rows: rows?.shown(now) ?? null,
  }
}

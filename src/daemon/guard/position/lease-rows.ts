import type { Ms } from '../../../base/time.ts'
import { DEFAULT_TERMS } from '../../../core/lease/terms.ts'
import { createStandbys } from '../../../core/lease/standbys.ts'
import type { LeaseRow } from '../../../store/postgres/read-leases.ts'

/**
 * Evidence from the lease rows in PostgreSQL, in addition to the renewals. A daemon that is cut off only from its guard still updates its
 * row. All times are on the guard's own clock, from when it saw a row change.
 */
export type LeaseRows = {
  readonly saw: (row: LeaseRow, now: Ms) => void
  /** The rows are unreadable now: earlier rows prove nothing, except that a holder was seen alive. */
  readonly couldNotRead: (words: string) => void
  /** The holder has renewed at the guard: later rows are compared with the row holder of this moment. */
  readonly renewed: (now: Ms) => void
  /** Whether the daemon that last renewed at `renewedAt` has updated its row since, and within `waitMs`. */
  readonly isCutOff: (renewedAt: Ms, waitMs: Ms, now: Ms) => boolean
  readonly hasStandby: () => boolean
  /** Whether another daemon has taken over the position since the last renewal, and has updated its row within `waitMs`. */
  readonly isTakenOver: (waitMs: Ms, now: Ms) => boolean
  readonly shown: (now: Ms) => ShownRows
}

/** For `mizani guard status`. */
export type ShownRows = {
  /** The holder's description; null = no holder, or no row was read. */
  readonly holder: string | null
  /** Time since the last update of the row was seen; null = none was seen. */
  readonly movedMs: Ms | null
  readonly hasStandby: boolean
  /** Why the rows are unreadable; null = they are readable. */
  readonly unread: string | null
}

/** `renewMs`: the daemon's renewal interval p at this guard. */
export function createLeaseRows(now: () => Ms, renewMs: Ms = DEFAULT_TERMS.renewMs): LeaseRows {
  // A dead daemon shows no sign of life this long after its last renewal: by then both a renewal and a row update were due, and the rows
  // were read.
  const outlivedMs = renewMs + DEFAULT_TERMS.renewMs
  const standbys = createStandbys(now)
  let seen: LeaseRow | null = null
  let movedAt = Number.NEGATIVE_INFINITY
  let renewedUnder: number | null = null
  let renewedAt = Number.NEGATIVE_INFINITY
  let unread: string | null = null
  return {
    saw(row, at) {
      // The first row may be read just after the first renewal.
      if (seen === null && at - renewedAt <= outlivedMs) renewedUnder = row.fence
      if (seen !== null && (seen.fence !== row.fence || seen.count !== row.count)) movedAt = at
      seen = row
      unread = null
      standbys.saw(row.standbys)
    },
    couldNotRead: (words) => void (unread = words),
    renewed(at) {
      renewedAt = at
      renewedUnder = seen?.fence ?? null
    },
    // A different fence means a different live daemon, which has not yet seen what the silent one left at the venue.
    isCutOff: (lastRenewalAt, waitMs, at) =>
      seen !== null &&
      seen.fence === renewedUnder &&
      seen.holder !== null &&
      movedAt > lastRenewalAt + outlivedMs &&
      at - movedAt < waitMs,
    hasStandby: standbys.hasLive,
    isTakenOver: (waitMs, at) =>
      seen !== null &&
      renewedUnder !== null &&
      seen.fence !== renewedUnder &&
      seen.holder !== null &&
      at - movedAt < waitMs,
    shown: (at) => ({
      holder: seen?.holder == null ? null : wordsOf(seen.holder),
      movedMs: Number.isFinite(movedAt) ? Math.round(at - movedAt) : null,
      hasStandby: standbys.hasLive(),
      unread,
    }),
  }
}

function wordsOf(holder: string): string {
  return holder.slice(holder.indexOf(' ') + 1)
}

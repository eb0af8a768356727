import type { Ms } from '../../../base/time.ts'
import { DEFAULT_TERMS } from '../../../core/lease/terms.ts'
import { createStandbys } from '../../../core/lease/standbys.ts'
import type { LeaseRow } from '../../../store/postgres/read-leases.ts'

/**
 * What the rows of a lease in PostgreSQL show of a position: a second witness beside the renewals. A daemon that is cut off
 * from its guard alone still moves its row. All times are the guard's own clock, from when it saw something move.
 */
export type LeaseRows = {
  readonly saw: (row: LeaseRow, now: Ms) => void
  /** The rows cannot be read now: nothing is concluded from what they were, but that a holder was seen to live. */
  readonly couldNotRead: (words: string) => void
  /** The holder has renewed at the guard: what the rows show from now on is held against who holds them now. */
  readonly renewed: (now: Ms) => void
  /** Whether the daemon whose last renewal came at `renewedAt` has moved its row since, and within `waitMs`. */
  readonly isCutOff: (renewedAt: Ms, waitMs: Ms, now: Ms) => boolean
  readonly hasStandby: () => boolean
  /** Whether another daemon has taken the position over since the last renewal, and has moved its row within `waitMs`. */
  readonly isTakenOver: (waitMs: Ms, now: Ms) => boolean
  readonly shown: (now: Ms) => ShownRows
}

/** For `mizani guard status`. */
export type ShownRows = {
  /** Words for people; null = no one, or no row was read. */
  readonly holder: string | null
  /** Since the row was seen to move; null = it never was. */
  readonly movedMs: Ms | null
  readonly hasStandby: boolean
  /** Why the rows cannot be read now; null = they can. */
  readonly unread: string | null
}

/** `renewMs`: p of the daemon at this guard. */
export function createLeaseRows(now: () => Ms, renewMs: Ms = DEFAULT_TERMS.renewMs): LeaseRows {
  // Of a daemon that died no sign of life comes so late after its last renewal: one of each was due, and the rows are read by then.
  const outlivedMs = renewMs + DEFAULT_TERMS.renewMs
  const standbys = createStandbys(now)
  let seen: LeaseRow | null = null
  let movedAt = Number.NEGATIVE_INFINITY
  let renewedUnder: number | null = null
  let renewedAt = Number.NEGATIVE_INFINITY
  let unread: string | null = null
  return {
    saw(row, at) {
      // The first row of all may be read just after the first renewal.
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
    // Under another number another daemon lives, which has not yet seen what the silent one left at the venue.
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

import type { Ms } from '../../../../base/time.ts'
import type { PostgresPlace } from '../../../../store/place.ts'
import { nextTreasuryPage } from '../../../../store/postgres/reading/follow-treasury.ts'
import { postgresIdentity } from '../../../../store/postgres/reading/identity.ts'
import { pauseFor, SYSTEM_TIMING } from '../../../../base/threads/timing.ts'
import { foldTreasury, type TreasuryFold } from './fold-treasury.ts'

/** The treasury of a position that another daemon trades, folded while its journal grows. */
export type FollowedTreasury = {
  /** Stops following, at a take-over or before. */
  readonly end: () => void
  /** The folded state to continue from; null = it belongs to a different database from the current one. */
  readonly fold: () => TreasuryFold | null
}

type FollowTreasuryParts = {
  readonly place: PostgresPlace
  /** For tests. */
  readonly nextPage?: typeof nextTreasuryPage
  readonly identity?: typeof postgresIdentity
  readonly pauseMs?: Partial<typeof PAUSE_MS>
}

/** The pause between two pages leaves the thread to others. A treasury writes a few hundred events a day. */
const PAUSE_MS = { behind: 20, caughtUp: 2_000, failed: 10_000 }

/**
 * Folds the journal of a treasury while the daemon stands by. The journal is never pruned, so a start reads all of it; a
 * standby has done that before it takes over. A read error is left to the start, which reports it.
 */
export function followTreasury(parts: FollowTreasuryParts): FollowedTreasury {
  const { place, nextPage = nextTreasuryPage, identity = postgresIdentity } = parts
  const pauses = { ...PAUSE_MS, ...parts.pauseMs }
  const ending = new AbortController()
  let fold: TreasuryFold | null = null
  let origin: string | null = null

  async function follow(): Promise<void> {
    while (!ending.signal.aborted) await pauseFor(SYSTEM_TIMING, await step(), ending.signal)
  }

  /** Reads one page; returns how long to wait before the next one. */
  async function step(): Promise<Ms> {
    const page = await nextPage(place, fold?.seq() ?? 0).catch(() => 'failed' as const)
    if (ending.signal.aborted || page === null) return pauses.caughtUp
    if (page === 'failed') return pauses.failed
    // After a fail-over or a restored backup, the events read before may belong to another history.
    if (origin !== null && origin !== page.origin) {
      ;[fold, origin] = [null, null]
      return pauses.behind
    }
    origin = page.origin
    fold ??= foldTreasury()
    try {
      fold.add(page.records)
    } catch {
      // The start will throw the same error, and it reports it.
      fold = null
      ending.abort()
    }
    return pauses.behind
  }

  void follow()
  return {
    end: () => ending.abort(),
    fold: () => (fold !== null && origin === identity(place) ? fold : null),
  }
}

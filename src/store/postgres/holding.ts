import type { Ms } from '../../base/time.ts'
import { elapsedMs, type Moment } from '../../core/lease/holder.ts'
import { renewalSide } from '../../core/lease/shared-renewal.ts'
import { createStandbys, type StandbyRow } from '../../core/lease/standbys.ts'
import { pauseFor, SYSTEM_TIMING, type Timing } from '../../base/threads/timing.ts'
import { placeText, type PostgresPlace } from '../place.ts'
import { DEPOSED, FAILED_OVER, isPassing } from './failure.ts'
import {
  beat,
  countsOf,
  lookAt,
  releaseFence,
  type SeenFence,
  standByNoMore,
  timelineOf,
  whoStandsBy,
} from './fence.ts'
import { type Connections, sendMessage } from './pool.ts'
import type { TakenPosition } from './take-position.ts'
import { attemptMs, type HoldTerms, SHORTEST_MS } from './terms.ts'

/** A position that this process was granted, valid while it is granted to no other process. */
export type Holding = {
  readonly pool: Connections
  readonly place: PostgresPlace
  readonly fence: number
  readonly timing: Timing
  /** Retries until there is an answer, as long as the position is held. `attempt` receives the remaining time. */
  readonly untilAnswered: <T>(
    attempt: (withinMs: Ms, isFirst: boolean) => Promise<T>,
    mayRepeat?: (error: unknown, isFirst: boolean) => boolean,
  ) => Promise<T>
  /**
   * Renews the lease. False = not sent, because the loop has not counted since the last renewal. Throws once no renewal
   * was confirmed for too long, or another daemon has taken the position.
   */
  readonly renew: () => Promise<boolean>
  /** See `hand-over.ts`: during a hand-over nothing is written to the venue under this holding. */
  readonly handsOver: HandsOver
}

/** The parts of a holding that a hand-over needs, in addition to its rows. */
type HandsOver = {
  readonly holder: string
  /** The standbys at the last renewal, with the counter of each. */
  readonly standbys: () => ReadonlyMap<string, number>
  /** Ends the lease: from now on another process may hold the position. */
  readonly end: () => void
  /** The position is held again, from the moment before it was requested. */
  readonly resume: (sentAt: Moment) => void
}

type HoldingParts = Pick<Holding, 'pool' | 'place'> & {
  readonly taken: TakenPosition
  readonly terms: HoldTerms
  /** The lease as the position's loop sees it; absent = only the process counts as alive. */
  readonly lease?: SharedArrayBuffer | undefined
  /** Replaced only by a simulation. */
  readonly timing?: Timing
}

const RETRY_MS: Ms = 50
const RELEASE_MS: Ms = 500
/** A start without a step for this long hangs. Recovery makes one step per event; opening a chain or a tape takes seconds. */
const HANGING_MS: Ms = 60_000
/** No attempt takes this long on its own, and no other daemon takes over sooner. */
const STOPPED_MS: Ms = 1_500

export function holdPosition(parts: HoldingParts): Holding {
  const { pool, place, terms, lease, timing = SYSTEM_TIMING } = parts
  const { fence, holder, sentAt } = parts.taken
  const shared = sharedLease(lease, fence)
  /** When the last confirmed renewal was sent, at the latest. */
  let aliveAt: Moment = sentAt
  let counted = shared.count()
  let standbys: ReadonlyMap<string, number> = new Map()
  const known = createStandbys(() => timing.moment().steadyMs)
  const isStarting = watchStart(shared, timing)
  shared.renewed(aliveAt)
  const untilAnswered = sendingFor(terms, timing, () => aliveAt)

  return {
    pool,
    place,
    fence,
    timing,
    untilAnswered,
    handsOver: {
      holder,
      standbys: () => standbys,
      end: () => shared.end(aliveAt),
      resume(at) {
        aliveAt = at
        shared.resume(at)
      },
    },
    async renew() {
      const count = shared.count()
      if (count === counted && !isStarting()) return false
      await untilAnswered(async (withinMs) => {
        const at = timing.moment()
        const waiting = await beatOnce(parts, known.dead(), withinMs)
        aliveAt = at
        counted = count
        shared.renewed(at)
        standbys = countsOf(waiting)
        known.saw(waiting)
      })
      return true
    },
  }
}

/** Returns a sender that retries while the position is held by the renewal sent at `aliveAt`. */
function sendingFor(terms: HoldTerms, timing: Timing, aliveAt: () => Moment): Holding['untilAnswered'] {
  const sinceMs = (): Ms => elapsedMs(aliveAt(), timing.moment())
  return async (attempt, mayRepeat) => {
    for (let isFirst = true; ; isFirst = false) {
      const began = timing.moment()
      const withinMs = attemptMs(terms, sinceMs())
      if (withinMs === null)
        throw new Error('no renewal was confirmed in time: the remaining time is reserved for the safe quote')
      try {
        return await attempt(withinMs, isFirst)
      } catch (error) {
        if (!isPassing(error) && mayRepeat?.(error, isFirst) !== true) throw error
        // A suspended process finds its attempt late before it receives the answer, so it checks who holds the position
        // now.
        const wasStopped = elapsedMs(began, timing.moment()) > withinMs + STOPPED_MS
        // Gives up too little remaining time: an attempt needs a chance, and must end before the holder's time does.
        if (terms.giveUpMs - sinceMs() <= RETRY_MS + SHORTEST_MS && !wasStopped) throw error
        await pauseFor(timing, RETRY_MS)
      }
    }
  }
}

/** Renews the lease once and removes rows of dead standbys; returns the live ones. Throws if the position is not held. */
async function beatOnce(
  parts: HoldingParts,
  dead: readonly string[],
  withinMs: Ms,
): Promise<readonly StandbyRow[]> {
  const { pool, place, taken, terms, timing } = parts
  const forgotten = dead.map((holder) => standByNoMore(place, holder))
  const statements = [beat(place, taken.fence), whoStandsBy(place), ...forgotten]
  const within = Math.min(terms.roundTripMs, withinMs)
  const [beaten, waiting] = await sendMessage(pool, statements, within, timing)
  if (beaten?.rowCount !== 1) throw await whyNotHeld(parts, withinMs)
  return (waiting?.rows ?? []) as unknown as readonly StandbyRow[]
}

/**
 * Until the loop counts for the first time the process counts as alive: while this thread prepares the tables, and then
 * as long as the loop's start makes progress.
 */
function watchStart(shared: ReturnType<typeof sharedLease>, { moment }: Timing): () => boolean {
  const seen = { steps: 0, at: 0 }
  return () => {
    if (shared.isLone) return true
    if (shared.count() > 0) return false
    const steps = shared.steps()
    if (steps === 0) return true
    const { steadyMs } = moment()
    if (steps !== seen.steps) Object.assign(seen, { steps, at: steadyMs })
    return steadyMs - seen.at < HANGING_MS
  }
}

/** The lease as the position's loop sees it. A renewal in flight when the lease ended permits no more writes. */
function sharedLease(lease: SharedArrayBuffer | undefined, fence: number) {
  const side = lease === undefined ? null : renewalSide(lease)
  let hasEnded = false
  return {
    /** Without a counter only the process counts as alive. */
    isLone: side === null,
    count: () => side?.count() ?? 0,
    steps: () => side?.steps() ?? 0,
    renewed(at: Moment): void {
      if (!hasEnded) side?.renewed(fence, at)
    },
    end(at: Moment): void {
      hasEnded = true
      side?.renewed(0, at)
    },
    resume(at: Moment): void {
      hasEnded = false
      side?.renewed(fence, at)
    },
  }
}

/** Ends a holding in order. Throws if PostgreSQL does not answer; the next holder then waits as after a crash. */
export async function letGo({
  pool,
  place,
  fence,
  timing,
}: Pick<Holding, 'pool' | 'place' | 'fence' | 'timing'>): Promise<void> {
  await sendMessage(pool, [releaseFence(place, fence)], RELEASE_MS, timing)
}

/**
 * If the number is unchanged on a later timeline, no other daemon was granted the position on this server. A daemon
 * that was granted it on the previous server has waited until this holder's last renewal permits no more writes.
 */
async function whyNotHeld({ pool, place, taken, terms, timing }: HoldingParts, withinMs: Ms): Promise<Error> {
  const within = Math.min(terms.roundTripMs, withinMs)
  const row = (await sendMessage(pool, [lookAt(place)], within, timing)).at(-1)?.rows[0] as
    | SeenFence
    | undefined
  const isOurs = row?.n === taken.fence && timelineOf(row.n) < row.timeline
  const [code, words] = isOurs ? [FAILED_OVER, 'belongs to an earlier timeline'] : [DEPOSED, 'has moved']
  return Object.assign(new Error(`the fence of ${placeText(place)} ${words}`), { code })
}

import type { Ms } from '../../base/time.ts'
import { elapsedMs, type Moment } from '../../lease/holder.ts'
import { renewalSide } from '../../lease/shared-renewal.ts'
import { pauseFor, SYSTEM_TIMING, type Timing } from '../../threads/timing.ts'
import { placeText, type PostgresPlace } from '../place.ts'
import { DEPOSED, isPassing } from './failure.ts'
import { beat, countsOf, release, whoStandsBy } from './fence.ts'
import { type Connections, sendMessage } from './pool.ts'
import type { Taken } from './take-position.ts'
import type { HoldTerms } from './terms.ts'

/** A position that this process was granted, for as long as nobody else is. */
export type Holding = {
  readonly pool: Connections
  readonly place: PostgresPlace
  readonly fence: number
  readonly timing: Timing
  /** Sends until it is answered, for as long as the position is held. `attempt` gets what is left of that. */
  readonly untilAnswered: <T>(
    attempt: (withinMs: Ms, isFirst: boolean) => Promise<T>,
    mayRepeat?: (error: unknown, isFirst: boolean) => boolean,
  ) => Promise<T>
  /**
   * A sign of life, unless the loop that it vouches for has not counted since the last one. Throws once none was confirmed for
   * too long, or when another daemon has taken the position.
   */
  readonly renew: () => Promise<void>
  /** See `hand-over.ts`: nothing is written to the venue under this holding while it hands over. */
  readonly handsOver: HandsOver
}

/** What a hand-over needs of a holding beside its rows. */
export type HandsOver = {
  readonly holder: string
  /** Who stood by at the last sign of life, with the counter of each. */
  readonly standbys: () => ReadonlyMap<string, number>
  /** From now on another one may hold the position: the lease ends. */
  readonly end: () => void
  /** It is held again, since the moment before that was asked for. */
  readonly resume: (sentAt: Moment) => void
}

export type HoldingParts = Pick<Holding, 'pool' | 'place'> & {
  readonly taken: Taken
  readonly terms: HoldTerms
  /** The lease as the position's loop sees it; absent = the process itself is vouched for. */
  readonly lease?: SharedArrayBuffer | undefined
  /** Only a simulation has another one. */
  readonly timing?: Timing
}

const RETRY_MS: Ms = 50
/** What is left is given up where it is less: an attempt needs a chance, and must end before the holder's time does. */
const SHORTEST_MS: Ms = 200
/** d: one attempt at a sign of life; the next one has another connection. */
const ROUND_TRIP_MS: Ms = 500
const RELEASE_MS: Ms = 500
/** No attempt ends so late by itself, and no other daemon begins sooner. */
const STOPPED_MS: Ms = 1_500

export function holdPosition(parts: HoldingParts): Holding {
  const { pool, place, terms, lease, timing = SYSTEM_TIMING } = parts
  const { fence, holder, sentAt } = parts.taken
  const shared = sharedLease(lease, fence)
  /** Before the last sign of life that was confirmed was sent. */
  let aliveAt: Moment = sentAt
  let counted = shared.count()
  let standbys: ReadonlyMap<string, number> = new Map()
  shared.renewed(aliveAt)
  const leftMs = (): Ms => terms.giveUpMs - elapsedMs(aliveAt, timing.moment())

  const untilAnswered: Holding['untilAnswered'] = async (attempt, mayRepeat) => {
    for (let isFirst = true; ; isFirst = false) {
      const began = timing.moment()
      const withinMs = Math.max(SHORTEST_MS, leftMs())
      try {
        return await attempt(withinMs, isFirst)
      } catch (error) {
        if (!isPassing(error) && mayRepeat?.(error, isFirst) !== true) throw error
        // A process that was stopped finds its attempt late before it hears the answer: it asks who holds the position now.
        const wasStopped = elapsedMs(began, timing.moment()) > withinMs + STOPPED_MS
        if (leftMs() <= RETRY_MS + SHORTEST_MS && !wasStopped) throw error
        await pauseFor(timing, RETRY_MS)
      }
    }
  }

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
      if (!isVouched(count, counted)) return
      await untilAnswered(async (withinMs) => {
        const at = timing.moment()
        const atMostMs = Math.min(ROUND_TRIP_MS, withinMs)
        const statements = [beat(place, fence), whoStandsBy(place)]
        const [beaten, waiting] = await sendMessage(pool, statements, atMostMs, timing)
        if (beaten?.rowCount !== 1) throw deposed(place)
        aliveAt = at
        counted = count
        shared.renewed(at)
        standbys = countsOf(waiting?.rows ?? [])
      })
    },
  }
}

/** The lease as the position's loop sees it. A sign of life that was under way when it was ended lets nothing out any more. */
function sharedLease(lease: SharedArrayBuffer | undefined, fence: number) {
  const side = lease === undefined ? null : renewalSide(lease)
  let hasEnded = false
  return {
    count: () => side?.count() ?? 0,
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

/** Before it has counted for the first time the loop is being started, and the process is vouched for. */
function isVouched(count: number, before: number): boolean {
  return count !== before || count === 0
}

/** Ends a holding in order. Throws where PostgreSQL does not answer: the next holder then waits as for one that died. */
export async function letGo({
  pool,
  place,
  fence,
  timing,
}: Pick<Holding, 'pool' | 'place' | 'fence' | 'timing'>): Promise<void> {
  await sendMessage(pool, [release(place, fence)], RELEASE_MS, timing)
}

function deposed(place: PostgresPlace): Error {
  return Object.assign(new Error(`the fence of ${placeText(place)} has moved`), { code: DEPOSED })
}

import { err, errorText, ok, type Result } from '../../base/result.ts'
import type { Ms } from '../../base/time.ts'
import { mayAct, observeLease, type Observed, sawCount, type Moment } from '../../core/lease/holder.ts'
import { DEFAULT_TERMS } from '../../core/lease/terms.ts'
import { pauseFor, SYSTEM_TIMING, type Timing } from '../../base/threads/timing.ts'
import type { StoreFailure } from '../failure.ts'
import { placeText, type PostgresPlace } from '../place.ts'
import {
  addPosition,
  announce,
  lookAt,
  type SeenFence,
  standByNoMore,
  takeOver,
  timelineOf,
} from './fence.ts'
import { codeOf, FULL_DISK, HOLDER_LIVES, isPassing, postgresFailureOf } from './failure.ts'
import { type Connections, sendMessage } from './pool.ts'
import { readySharedSchema } from './shared-schema.ts'

export type Candidate = {
  readonly pool: Connections
  readonly place: PostgresPlace
  /** The candidate: an identity that only one process at a time has, a space, and a description. */
  readonly holder: string
  readonly waitMs: Ms
  /** Waits until the position is free; absent = a live holder is a refusal. */
  readonly standBy?: StandBy
  /** Replaced only by a simulation. */
  readonly timing?: Timing
}

export type StandBy = {
  /** Called with a clause about the holder, at first and when it changes; `lives`: its counter has moved. */
  readonly onHeld: (who: string, lives: boolean) => void
  /** Ends the wait. */
  readonly signal: AbortSignal
}

/** `sentAt`: the moment before the grant was requested, from which the lease counts. */
export type TakenPosition = { readonly fence: number; readonly holder: string; readonly sentAt: Moment }

const POLL_MS: Ms = 250
const STANDBY_POLL_MS: Ms = 500
const QUERY_MS: Ms = 2_000
const GO_AWAY_MS: Ms = 500

/**
 * Makes this process the position's only writer and returns its fence. Need not wait for a holder that was released, or
 * that was this very daemon before it died; takes over from any other once its counter has not moved for `waitMs`.
 * While the counter moves, refuses the position or stands by.
 */
export async function takePosition(candidate: Candidate): Promise<Result<TakenPosition, StoreFailure>> {
  const { place, standBy } = candidate
  try {
    const ready = await readySharedSchema((statements) => send(candidate, statements), place)
    if (!ready.ok) return ready
    await send(candidate, addPosition(place))
    const taken = await watchAndTake(candidate)
    if (standBy?.signal.aborted === true) await goAway(candidate)
    return taken
  } catch (error) {
    return err(postgresFailureOf(error, place))
  }
}

function send({ pool, timing }: Candidate, statements: readonly string[], withinMs = QUERY_MS) {
  return sendMessage(pool, statements, withinMs, timing)
}

/** On the candidate's own clock. */
function nowOf({ timing = SYSTEM_TIMING }: Candidate): Ms {
  return timing.moment().steadyMs
}

/** A candidate's view of the holder, on its own clock. */
type Watched = { seen: SeenFence; observed: Observed }

async function watchAndTake(candidate: Candidate): Promise<Result<TakenPosition, StoreFailure>> {
  const { place, standBy } = candidate
  const first = await look(candidate)
  const watched: Watched = { seen: first, observed: observedAt(first, nowOf(candidate)) }
  const tell = tellOnce(standBy)
  let isSeen = true
  let lives = false
  for (;;) {
    const { seen, observed } = watched
    if (
      isFree(seen, candidate.holder) ||
      mayAct({ waitMs: waitFor(candidate, seen) }, observed, nowOf(candidate))
    ) {
      const taken = await take(candidate, seen)
      if (taken !== null) return ok(taken)
    }
    if (isSeen) tell(`it is held by ${wordsOf(seen.holder)}`, lives)
    await waitToLook(candidate)
    if (standBy?.signal.aborted === true) return err(endedStandingBy(place))
    const hasMoved = await lookAgain(candidate, watched, tell)
    if (hasMoved === true && standBy === undefined) return err(heldBy(place, watched.seen))
    isSeen = hasMoved !== null
    lives ||= hasMoved === true
  }
}

/** The holder may still write under its own terms, which may be longer; old versions have the usual terms. */
function waitFor({ waitMs }: Candidate, seen: SeenFence): Ms {
  return Math.max(waitMs, seen.waitMs ?? DEFAULT_TERMS.waitMs)
}

function observedAt({ n, count, timeline }: SeenFence, now: Ms): Observed {
  const observed = observeLease(`${n} ${timeline}`, now)
  sawCount(observed, count, now)
  return observed
}

/** Whether the holder lives or another was granted; null while PostgreSQL is away, which a standby tolerates. */
async function lookAgain(candidate: Candidate, watched: Watched, tell: Tell): Promise<boolean | null> {
  try {
    const seen = await look(candidate)
    const { observed } = watched
    watched.seen = seen
    const next = observedAt(seen, nowOf(candidate))
    if (next.holder === observed.holder) return sawCount(observed, seen.count, next.changedAt)
    watched.observed = next
    return true
  } catch (error) {
    if (candidate.standBy === undefined || !isBorne(error)) throw error
    tell(`its holder is unknown, because PostgreSQL does not answer (${errorText(error)})`, false)
    return null
  }
}

type Tell = (words: string, lives: boolean) => void

/** Reports a text once until it changes. */
function tellOnce(standBy: StandBy | undefined): Tell {
  let told = ''
  return (words, lives) => {
    if (told === `${words} ${lives}`) return
    told = `${words} ${lives}`
    standBy?.onHeld(words, lives)
  }
}

/** Returns whether a standby tolerates this error: the live quote is not its own. */
function isBorne(error: unknown): boolean {
  return isPassing(error) || codeOf(error) === FULL_DISK
}

/** Null = the holder lives, or another daemon was faster. */
async function take(candidate: Candidate, seen: SeenFence): Promise<TakenPosition | null> {
  const { place, holder, standBy, timing = SYSTEM_TIMING } = candidate
  const sentAt = timing.moment()
  try {
    const [taken] = await send(candidate, takeOver(place, holder, seen, candidate.waitMs))
    return { fence: Number(taken?.rows[0]?.['n']), holder, sentAt }
  } catch (error) {
    const mayGoOn = codeOf(error) === HOLDER_LIVES || isBorne(error)
    if (standBy === undefined || !mayGoOn) throw error
    return null
  }
}

/** If the server has no room for an announcement, reads the holder without one. */
async function look(candidate: Candidate): Promise<SeenFence> {
  const { place, holder, standBy } = candidate
  const announced = standBy === undefined ? [] : [announce(place, holder)]
  const results = await send(candidate, [...announced, lookAt(place)]).catch((error: unknown) => {
    if (standBy === undefined || codeOf(error) !== FULL_DISK) throw error
    return send(candidate, [lookAt(place)])
  })
  const row = results.at(-1)?.rows[0]
  if (row === undefined) throw new Error('the rows of the position were removed')
  return row as SeenFence
}

function waitToLook({ waitMs, standBy, timing = SYSTEM_TIMING }: Candidate): Promise<void> {
  const lookMs = standBy === undefined ? POLL_MS : STANDBY_POLL_MS
  return pauseFor(timing, Math.min(lookMs, waitMs), standBy?.signal)
}

/** A holder that ends must not hand over to a standby that is gone; it detects that in three seconds. */
async function goAway(candidate: Candidate): Promise<void> {
  const { place, holder } = candidate
  await send(candidate, [standByNoMore(place, holder)], GO_AWAY_MS).catch(() => undefined)
}

/** After a fail-over every candidate waits: the server may have lost the grant of a daemon that still writes. */
function isFree({ n, holder, timeline }: SeenFence, asker: string): boolean {
  if (n === 0) return true
  if (timelineOf(n) < timeline) return false
  return holder === null || identityOf(holder) === identityOf(asker)
}

function identityOf(holder: string): string {
  return holder.split(' ')[0] ?? holder
}

function wordsOf(holder: string | null): string {
  return holder === null ? 'nobody' : holder.slice(identityOf(holder).length + 1)
}

function heldBy(place: PostgresPlace, { holder }: SeenFence): StoreFailure {
  const who = holder === null ? 'another daemon' : wordsOf(holder)
  return {
    kind: 'locked',
    message: `the store in ${placeText(place)} is held by ${who}: one daemon writes a position; stop that one first, or give this one another name`,
  }
}

function endedStandingBy(place: PostgresPlace): StoreFailure {
  return { kind: 'locked', message: `this daemon stood by for ${placeText(place)} and was ended` }
}

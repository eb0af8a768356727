import { setTimeout as pause } from 'node:timers/promises'
import type { Pool } from 'pg'
import { err, errorText, ok, type Result } from '../../base/result.ts'
import type { Ms } from '../../base/time.ts'
import { mayAct, observe, type Observed, sawCount } from '../../lease/candidate.ts'
import { momentNow } from '../../threads/moment-now.ts'
import type { StoreFailure } from '../failure.ts'
import { placeText, type PostgresPlace } from '../place.ts'
import { addPosition, announce, FENCES_THERE, lookAt, MAKE_FENCES, type Seen } from './fence.ts'
import { standByNoMore, takeOver } from './fence.ts'
import { codeOf, HOLDER_LIVES, isPassing, postgresFailureOf } from './failure.ts'
import { sendMessage } from './pool.ts'

export type Candidate = {
  readonly pool: Pool
  readonly place: PostgresPlace
  /** Who asks: an identity that only one process at a time has, a space, and words for people. */
  readonly holder: string
  readonly waitMs: Ms
  /** Waits for as long as it takes; absent = a holder that lives is a refusal. */
  readonly standBy?: StandBy
}

export type StandBy = {
  /** Called with who holds the position, a clause, at first and when that changes; `lives`: its counter was seen to move. */
  readonly onHeld: (who: string, lives: boolean) => void
  /** Ends the wait. */
  readonly signal: AbortSignal
}

/** `sentAt`: the moment before the grant was asked for, from which the lease counts. */
export type Taken = { readonly fence: number; readonly sentAt: ReturnType<typeof momentNow> }

const LOOK_MS: Ms = 250
const STANDBY_LOOK_MS: Ms = 500
const QUERY_MS: Ms = 2_000
const GO_AWAY_MS: Ms = 500

/**
 * Makes this process the position's only writer and gives its fence. A holder that was released, or that was this very
 * daemon before it died, need not be waited for; another one is taken over once its counter has stood still for `waitMs`. Where
 * the counter moves, the position is refused, or this daemon stands by until it no longer does.
 */
export async function takePosition(candidate: Candidate): Promise<Result<Taken, StoreFailure>> {
  const { pool, place, standBy } = candidate
  try {
    const [there] = await sendMessage(pool, [FENCES_THERE], QUERY_MS)
    if ((there?.rows[0]?.['there'] ?? null) === null) await sendMessage(pool, MAKE_FENCES, QUERY_MS)
    await sendMessage(pool, addPosition(place), QUERY_MS)
    const taken = await watchAndTake(candidate)
    if (standBy?.signal.aborted === true) await goAway(candidate)
    return taken
  } catch (error) {
    return err(postgresFailureOf(error, place))
  }
}

/** What a candidate knows of the holder, on its own clock. */
type Watched = { seen: Seen; observed: Observed }

async function watchAndTake(candidate: Candidate): Promise<Result<Taken, StoreFailure>> {
  const { place, standBy } = candidate
  const first = await look(candidate)
  const watched: Watched = { seen: first, observed: observedNow(first) }
  const tell = tellOnce(standBy)
  let isSeen = true
  let lives = false
  for (;;) {
    const { seen, observed } = watched
    if (isFree(seen, candidate.holder) || mayAct(candidate, observed, performance.now())) {
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

function observedNow({ n, count, timeline }: Seen): Observed {
  const now = performance.now()
  const observed = observe(`${n} ${timeline}`, now)
  sawCount(observed, count, now)
  return observed
}

/** Whether the holder lives, or another one was granted; null while PostgreSQL is away, which one that stands by bears. */
async function lookAgain(candidate: Candidate, watched: Watched, tell: Tell): Promise<boolean | null> {
  try {
    const seen = await look(candidate)
    const { observed } = watched
    watched.seen = seen
    const next = observedNow(seen)
    if (next.holder === observed.holder) return sawCount(observed, seen.count, next.changedAt)
    watched.observed = next
    return true
  } catch (error) {
    if (candidate.standBy === undefined || !isPassing(error)) throw error
    tell(`who holds it is not known, because PostgreSQL cannot be asked (${errorText(error)})`, false)
    return null
  }
}

type Tell = (words: string, lives: boolean) => void

/** The same is told once, until it is something else. */
function tellOnce(standBy: StandBy | undefined): Tell {
  let told = ''
  return (words, lives) => {
    if (told === `${words} ${lives}`) return
    told = `${words} ${lives}`
    standBy?.onHeld(words, lives)
  }
}

/** Null = the holder lives, or somebody else was faster. */
async function take({ pool, place, holder, standBy }: Candidate, seen: Seen): Promise<Taken | null> {
  const sentAt = momentNow()
  try {
    const [taken] = await sendMessage(pool, takeOver(place, holder, seen), QUERY_MS)
    return { fence: Number(taken?.rows[0]?.['n']), sentAt }
  } catch (error) {
    const mayGoOn = codeOf(error) === HOLDER_LIVES || isPassing(error)
    if (standBy === undefined || !mayGoOn) throw error
    return null
  }
}

async function look({ pool, place, holder, standBy }: Candidate): Promise<Seen> {
  const statements = standBy === undefined ? [] : [announce(place, holder)]
  const row = (await sendMessage(pool, [...statements, lookAt(place)], QUERY_MS)).at(-1)?.rows[0]
  if (row === undefined) throw new Error('the rows of the position were removed')
  return row as Seen
}

async function waitToLook({ waitMs, standBy }: Candidate): Promise<void> {
  if (standBy === undefined) return pause(Math.min(LOOK_MS, waitMs))
  const { signal } = standBy
  await pause(Math.min(STANDBY_LOOK_MS, waitMs), undefined, { signal }).catch(() => undefined)
}

/** A holder that is asked to end must not leave to one that is gone; it finds that out by itself in three seconds. */
async function goAway({ pool, place, holder }: Candidate): Promise<void> {
  await sendMessage(pool, [standByNoMore(place, holder)], GO_AWAY_MS).catch(() => undefined)
}

/** After a fail-over everybody waits: the server may have lost the grant to somebody who still writes. */
function isFree({ n, holder, timeline }: Seen, asker: string): boolean {
  if (n === 0) return true
  if (Math.floor(n / 2 ** 32) < timeline) return false
  return holder === null || identityOf(holder) === identityOf(asker)
}

function identityOf(holder: string): string {
  return holder.split(' ')[0] ?? holder
}

function wordsOf(holder: string | null): string {
  return holder === null ? 'nobody' : holder.slice(identityOf(holder).length + 1)
}

function heldBy(place: PostgresPlace, { holder }: Seen): StoreFailure {
  const who = holder === null ? 'another daemon' : wordsOf(holder)
  return {
    kind: 'locked',
    message: `the store in ${placeText(place)} is held by ${who}: one daemon writes a position; stop that one first, or give this one a name of its own`,
  }
}

function endedStandingBy(place: PostgresPlace): StoreFailure {
  return { kind: 'locked', message: `this daemon stood by for ${placeText(place)} and was ended` }
}

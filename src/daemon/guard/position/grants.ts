import { HOUR_MS, type Ms } from '../../../base/time.ts'
import {
  actsFrom,
  mayAct,
  observeLease,
  type Observed,
  sawCount,
  waitAgain,
} from '../../../core/lease/holder.ts'
import { leastWaitMs } from '../../../core/lease/terms.ts'
import type { PositionRenewal, RenewalRefusal } from '../protocol/renewal.ts'
import { beginHold, goOn, type Hold } from './ladder.ts'
import { HAND_IS_OFF, type GuardRecord } from './record.ts'

export type GrantSettings = {
  /** D: how long the guard waits without a renewal before it acts. */
  readonly waitMs: Ms
  /** p: the daemons' renewal interval. */
  readonly renewMs: Ms
  /** `person`: the guard hands back only after `mizani guard release`. */
  readonly handBack: 'auto' | 'person'
}

/** The guard's state of one position. */
export type Watched = {
  readonly kept: GuardRecord
  /** Null = no one holds a lease that this process must watch. */
  observed: Observed | null
  /** The holder's last renewal; without a holder, the last renewal of any daemon. */
  shown: PositionRenewal | null
  /** Who renewed last, with its loop count. */
  asked: { readonly holder: string; readonly count: number } | null
  /** When a daemon other than the holder last renewed: a standby, or one that has taken over. Null = never. */
  successorAt: Ms | null
  hold: Hold | null
  /** A guard request is in flight. */
  isBusy: boolean
  /** The holder handed over to another daemon: any daemon that has reconciled is granted the lease at once. */
  isHandedOver: boolean
}

/**
 * Returns a position's state for a guard that starts. A lease granted earlier may still be held, so the guard waits D from now. If the
 * guard was already acting, it continues: nothing was granted since.
 */
export function takeUp(kept: GuardRecord, { now, wall }: { readonly now: Ms; readonly wall: Ms }): Watched {
  const { guardingSince, worse, isOut } = kept
  const sinceMs = guardingSince === null ? 0 : Math.max(0, wall - guardingSince)
  return {
    kept,
    observed: kept.holder === null ? null : observeLease(kept.holder, now),
    shown: null,
    asked: null,
    successorAt: null,
    hold: guardingSince === null ? null : goOn(beginHold(now - sinceMs, worse), isOut, now),
    isBusy: false,
    isHandedOver: false,
  }
}

type Grant = { readonly fence: number; readonly isNew: boolean }
export type GrantAnswer = Grant | { readonly refusal: RenewalRefusal; readonly words: string }

const LATCHING_FIRINGS = 3

/** Processes one position's renewal: extends the lease, grants a new one, or refuses. A new number must be saved before it is sent. */
export function renew(
  watched: Watched,
  renewal: PositionRenewal,
  { holder, deadlineMs, now }: { readonly holder: string; readonly deadlineMs: Ms; readonly now: Ms },
  settings: GrantSettings,
): GrantAnswer {
  const { kept } = watched
  if (kept.holder !== null && kept.holder !== holder) watched.successorAt = now
  else watched.shown = renewal
  if (kept.holder === holder) keepShown(kept, renewal)
  if (renewal.isLeaving) return leave(watched, renewal, holder, now)
  const unfit = unfitTerms(deadlineMs, settings)
  if (unfit !== null) return refuseTerms(watched, holder, unfit)
  if (renewal.count === null) return refuse('not-vouched', "the position's loop does not vouch for itself")
  // A process also renews for a hung loop; count and reconciliation then stay unchanged.
  const before = watched.asked?.holder === holder ? watched.asked.count : null
  const hasCounted = before !== null && renewal.count > before
  watched.asked = { holder, count: renewal.count }
  if (watched.hold !== null) return handBack(watched, renewal, { holder, now, hasCounted }, settings)
  if (kept.holder === holder) {
    const observed = (watched.observed ??= observeLease(holder, now))
    if (!sawCount(observed, renewal.count, now))
      return refuse('not-vouched', "the position's loop has not counted since the last renewal")
    watched.isHandedOver = false
    return { fence: kept.fence, isNew: false }
  }
  if (kept.holder !== null && watched.observed !== null) {
    if (!watched.isHandedOver && !mayAct(settings, watched.observed, now))
      return refuse('held', heldWords(watched.observed, settings, now))
    // A daemon that renews is alive, and once it has reconciled, nothing has to be made safe first.
    if (!renewal.isReconciled) return refuse('held', 'the lease of the process before has just ended')
  }
  if (before !== null && !hasCounted)
    return refuse('not-vouched', "the position's loop has not counted since it asked the last time")
  return grant(watched, renewal, holder, now)
}

/** Returns why D is too short for the daemon's deadline; null = it is long enough. */
function unfitTerms(deadlineMs: Ms, { waitMs }: GrantSettings): string | null {
  const least = leastWaitMs(deadlineMs)
  if (waitMs >= least) return null
  return `the daemon's deadline of ${deadlineMs} ms needs a guard.waitMs of ${least}: both read one configuration`
}

/**
 * A daemon refused for its terms quotes without a guard. That is allowed only if the guard neither acts nor watches another process; from
 * then on no one watches.
 */
function refuseTerms(watched: Watched, holder: string, words: string): GrantAnswer {
  const { kept, hold } = watched
  if (hold !== null) return refuse('guarding', `the guard acts for the position, and ${words}`)
  if (kept.holder !== null && kept.holder !== holder)
    return refuse('held', `another process holds the lease, and ${words}`)
  drain(watched)
  return refuse('terms', words)
}

function heldWords(observed: Observed, settings: GrantSettings, now: Ms): string {
  const seconds = Math.max(0, actsFrom(settings, observed) - now) / 1_000
  return `another process holds the lease for up to ${seconds.toFixed(1)} s more`
}

function refuse(refusal: RenewalRefusal, words: string): GrantAnswer {
  return { refusal, words }
}

/** Saved for a guard that restarts between a daemon's death and the firing. */
function keepShown(kept: GuardRecord, { worse }: PositionRenewal): void {
  kept.worse = worse
}

/**
 * The holder gives up its lease; a leave from any other process changes nothing. After a hand-over the quote is still live, so the guard
 * restarts its wait and watches until the next holder has its grant.
 */
function leave(watched: Watched, { isHandedOver }: PositionRenewal, holder: string, now: Ms): GrantAnswer {
  const { kept, hold, observed } = watched
  if (kept.holder !== holder || hold !== null || observed === null)
    return refuse('drained', 'the lease has ended')
  if (isHandedOver !== true) {
    drain(watched)
    return refuse('drained', 'the lease has ended')
  }
  watched.isHandedOver = true
  waitAgain(observed, now)
  return refuse('drained', 'the lease is held out to the next holder')
}

function grant(watched: Watched, renewal: PositionRenewal, holder: string, now: Ms): Grant {
  const { kept } = watched
  watched.shown = renewal
  keepShown(kept, renewal)
  watched.successorAt = null
  watched.isHandedOver = false
  kept.fence += 1
  kept.holder = holder
  watched.observed = observeLease(holder, now)
  sawCount(watched.observed, renewal.count ?? 0, now)
  return { fence: kept.fence, isNew: true }
}

/**
 * The guard stops acting only when the daemon is back, its loop counts, it has reconciled, no operator release is required, and no guard
 * request is in flight.
 */
function handBack(
  watched: Watched,
  renewal: PositionRenewal,
  { holder, now, hasCounted }: { readonly holder: string; readonly now: Ms; readonly hasCounted: boolean },
  { handBack: how }: GrantSettings,
): GrantAnswer {
  const { kept } = watched
  if (kept.latched !== null) return refuse('latched', `${kept.latched}; \`mizani guard release\` lifts it`)
  if (how === 'person' && !kept.isReleased)
    return refuse(
      'person',
      'the guard acts for the position; guard.handBack is person, so `mizani guard release` hands it back',
    )
  if (watched.isBusy) return refuse('guarding', 'a request of the guard is under way')
  if (!hasCounted)
    return refuse('guarding', "the guard acts for the position until the daemon's loop counts again")
  if (!renewal.isReconciled)
    return refuse('guarding', 'the guard acts for the position until the daemon has reconciled once')
  watched.hold = null
  Object.assign(kept, HAND_IS_OFF, { guardingSince: null })
  return grant(watched, renewal, holder, now)
}

/** A standby also renews, without a count. After this many missed renewals it is considered gone. */
const SUCCESSOR_RENEWALS = 3
/** The extra wait while a successor is asking for the lease. */
const HEAD_START_MS = 1_000
/** A standby in PostgreSQL waits equally long, counted from a sign of life that may be up to a second later. */
const STANDBY_START_MS = 2_000
/** The time that a new holder needs to reconcile and renew. */
const TAKE_OVER_MS = 5_000

/** Evidence about a silent holder from other sources than renewals. It can only delay the guard. */
export type Witness = {
  /** A live standby waits to take over the position. */
  readonly hasStandby: boolean
  /** Another live daemon has taken over the position since the last renewal. */
  readonly isTakenOver: boolean
  /**
   * `silent`: nothing is known about the holder. `cut-off`: it is alive, and its last write should have been the safe quote. `let-be`: it
   * is alive, and nothing has to be made safe.
   */
  readonly holder: 'silent' | 'cut-off' | 'let-be'
}

export const NO_WITNESS: Witness = { hasStandby: false, isTakenOver: false, holder: 'silent' }

/** How long the guard looks for the safe quote that a cut-off daemon should have set before it acts anyway. */
const LOOK_FOR_SAFE_MS = 5_000

/** Returns whether the lease has just expired in silence; the guard acts from then on. Call it often; the caller saves the record. */
export function fireIfSilent(
  watched: Watched,
  { now, wall }: { readonly now: Ms; readonly wall: Ms },
  settings: GrantSettings,
  witness: Witness = NO_WITNESS,
): boolean {
  const { kept, observed } = watched
  if (witness.holder === 'let-be') return false
  const lookMs = witness.holder === 'cut-off' ? LOOK_FOR_SAFE_MS : 0
  const waitMs = settings.waitMs + headStartMs(watched, now, settings, witness) + lookMs
  if (watched.hold !== null || observed === null || !mayAct({ waitMs }, observed, now)) return false
  kept.holder = null
  kept.firings = [...kept.firings.filter((at) => Math.abs(wall - at) < HOUR_MS), wall]
  kept.guardingSince = wall
  if (kept.firings.length >= LATCHING_FIRINGS)
    kept.latched = `the guard has fired ${kept.firings.length} times within an hour`
  watched.observed = null
  Object.assign(kept, HAND_IS_OFF)
  watched.hold = beginHold(now, kept.worse)
  return true
}

/**
 * Returns how much longer the guard waits for a successor. A successful take-over makes the quote safe or tight again and must not count as
 * a firing, of which the third latches.
 */
function headStartMs(
  { successorAt }: Watched,
  now: Ms,
  { renewMs }: GrantSettings,
  { hasStandby, isTakenOver }: Witness,
): Ms {
  if (isTakenOver) return TAKE_OVER_MS
  if (hasStandby) return STANDBY_START_MS
  const hasSuccessor = successorAt !== null && now - successorAt < SUCCESSOR_RENEWALS * renewMs
  return hasSuccessor ? HEAD_START_MS : 0
}

/** The guard was suspended, or has just processed a backlog: it restarts its wait. */
export function restartWaiting({ observed }: Watched, now: Ms): void {
  if (observed !== null) waitAgain(observed, now)
}

/** An operator lifts the latch and allows hand-back to a daemon that has reconciled. */
export function releaseGrant(watched: Watched): void {
  watched.kept.latched = null
  watched.kept.firings = []
  watched.kept.isReleased = watched.hold !== null
}

/** Ends a lease without acting: its holder knows that the guard no longer watches. */
export function drain(watched: Watched): void {
  if (watched.hold !== null) return
  watched.kept.holder = null
  watched.observed = null
}

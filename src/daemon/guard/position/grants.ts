import { HOUR_MS, type Ms } from '../../../base/time.ts'
import {
  actsFrom,
  mayAct,
  observeLease,
  type Observed,
  sawCount,
  waitAgain,
} from '../../../core/lease/candidate.ts'
import { leastWaitMs } from '../../../core/lease/terms.ts'
import type { PositionRenewal, RenewalRefusal } from '../protocol/renewal.ts'
import { beginHold, goOn, type Hold } from './ladder.ts'
import { HAND_IS_OFF, type Kept } from './record.ts'

export type GrantSettings = {
  /** D. */
  readonly waitMs: Ms
  /** p of the daemons. */
  readonly renewMs: Ms
  /** `person`: the guard hands back only after `mizani guard release`. */
  readonly handBack: 'auto' | 'person'
}

/** The guard's state of one position. */
export type Watched = {
  readonly kept: Kept
  /** Null where no one holds a lease that this process must watch. */
  observed: Observed | null
  /** The last renewal of the holder; where no one holds a lease, of the one that asks. */
  shown: PositionRenewal | null
  /** Who renewed last, and the count of its loop. */
  asked: { readonly holder: string; readonly count: number } | null
  /** When a daemon other than the holder asked last: one that stands by, or that has taken over. Null = none did. */
  successorAt: Ms | null
  hold: Hold | null
  /** A request of the guard is under way. */
  isBusy: boolean
  /** The holder has left to another daemon: anyone who has reconciled gets the lease at once. */
  isHandedOver: boolean
}

/**
 * A position as a guard that starts finds it. A lease that was granted before may still be held, so the guard waits D
 * from now. Where it acted itself it continues: no one else was granted anything since.
 */
export function takeUp(kept: Kept, { now, wall }: { readonly now: Ms; readonly wall: Ms }): Watched {
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

/** Takes a renewal of one position: extends the lease, grants a new one, or refuses. A new number is to be kept before it is sent. */
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
  // A loop that hangs is renewed for as well, with the count and the books of before.
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
    // Anyone who asks lives, and has seen the books: nothing has to be made safe first.
    if (!renewal.isReconciled) return refuse('held', 'the lease of the process before has just ended')
  }
  if (before !== null && !hasCounted)
    return refuse('not-vouched', "the position's loop has not counted since it asked the last time")
  return grant(watched, renewal, holder, now)
}

/** Returns why D does not cover the daemon's deadline; null = it does. */
function unfitTerms(deadlineMs: Ms, { waitMs }: GrantSettings): string | null {
  const least = leastWaitMs(deadlineMs)
  if (waitMs >= least) return null
  return `the daemon's deadline of ${deadlineMs} ms needs a guard.waitMs of ${least}: both read one configuration`
}

/**
 * A daemon that is refused for its terms quotes as without a guard: it may do so only where the guard neither acts nor watches another
 * process, and no one watches from then on.
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

/** Kept for a guard that starts between the death of the daemon and the firing. */
function keepShown(kept: Kept, { worse }: PositionRenewal): void {
  kept.worse = worse
}

/**
 * The holder gives its lease up; what another process says of leaving changes nothing. Where it was handed over the quote stands as it
 * did, so that the guard watches on, from now, until the next holder has its grant.
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

/** A guard that acts ends only when the daemon is back, its loop counts and has seen the books, no person is needed, and no request is under way. */
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

/** A daemon that stands by renews as every other one, without a count: after so many that did not come it is gone. */
const SUCCESSOR_RENEWALS = 3
/** A daemon that asks for the lease goes first. */
const HEAD_START_MS = 1_000
/** One that stands by in PostgreSQL takes over after the same wait, from a sign of life that may be a second later. */
const STANDBY_START_MS = 2_000
/** One that has taken the position over reconciles, and renews. */
const TAKE_OVER_MS = 5_000

/** Evidence about the silence beside the renewals. It can only make the guard wait. */
export type Witness = {
  /** A daemon lives that waits to take the position over. */
  readonly hasStandby: boolean
  /** Another daemon has taken the position over since the last renewal, and lives. */
  readonly isTakenOver: boolean
  /**
   * `silent`: nothing is known of the holder. `cut-off`: it lives, and its last write should have been the safe quote. `let-be`:
   * it lives, and nothing has to be made safe.
   */
  readonly holder: 'silent' | 'cut-off' | 'let-be'
}

export const NO_WITNESS: Witness = { hasStandby: false, isTakenOver: false, holder: 'silent' }

/** How long a quote that a daemon should have left safe is looked for before the guard acts all the same. */
const LOOK_FOR_SAFE_MS = 5_000

/** Whether the lease has ended in silence: then the guard acts from now on. To be asked often; the caller keeps the record. */
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

/** A take-over that goes well makes the quote safe or tight by itself: it is no firing, which latches at the third time. */
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

/** The guard did not run for a while, or has just handled all that it had received: it waits anew. */
export function restartWaiting({ observed }: Watched, now: Ms): void {
  if (observed !== null) waitAgain(observed, now)
}

/** A person lifts the latch and lets the position go back to a daemon that has reconciled. */
export function releaseGrant(watched: Watched): void {
  watched.kept.latched = null
  watched.kept.firings = []
  watched.kept.isReleased = watched.hold !== null
}

/** Ends a lease without acting for it: its holder knows that the guard no longer watches. */
export function drain(watched: Watched): void {
  if (watched.hold !== null) return
  watched.kept.holder = null
  watched.observed = null
}

import { MINUTE_MS, type Ms } from '../../../base/time.ts'
import { ASSETS } from '../../../base/money/asset.ts'
import { beginDeactivation } from '../../ledger/reconciliation/deactivation.ts'
import { maySend, maySendFrom } from '../../pacing/budget.ts'
import type { Approved } from '../../risk/approved.ts'
import type { Target } from '../../risk/approval.ts'
import type { EngineState } from '../model/state.ts'
import { drainsUntil, isWidenedToLeave } from './drain.ts'
import { afterEmptySweep } from './half-sweep.ts'
import { isStuck, leaveByRule, leavingStage, whyStillLeaving } from './leaving.ts'
import { activationPause } from '../model/activation-state.ts'
import { areWritesBarred, isGuardMissing } from '../model/guard-state.ts'
import { isWalletStrange, recordOwnDeactivation } from '../safeguards/foreign-writes.ts'
import { isWithdrawing, openRequest } from '../requests/requests.ts'
import type { Transition } from '../transition.ts'

/**
 * Moves the position into or out of the market. It enters only once the live quote is confirmed. It leaves after the spread
 * was widened, or while the same target widens it. Returns when it has to be called again.
 */
export function reconcileActivation(transition: Transition, target: Approved<Target> | null): Ms {
  if (target === null) return Infinity
  const { state, now } = transition
  const insideAt = insideCorridorAt(transition, target)
  const wished = wantedActivation(state, target)
  const isBarred = wished === true && now < insideAt
  const wanted = isBarred ? (state.activation.leaving ? false : null) : wished
  const barredUntil = isBarred ? insideAt : Infinity
  const next = Math.min(trackMissing(transition, wanted), activateAsWanted(transition, wanted, target))
  return Math.min(barredUntil, next, trackLeaving(transition))
}

function activateAsWanted(transition: Transition, wanted: boolean | null, target: Target): Ms {
  const { state, now } = transition
  const { activation } = state
  leaveByRule(state, wanted === false && isWantedOutByRule(state, target), now)
  const leaving = wanted === false ? leavingStage(state) : 'none'
  if (leaving === 'stuck') return Infinity
  const isLeaving = leaving === 'repeated'
  if (wanted === null || (activation.isActive === null && !isLeaving) || isHeldBack(state, wanted))
    return Infinity
  const next = wanted ? afterEmptySweep(transition) : 'enter'
  if (next === 'wait') return Infinity
  const isActive = wanted && next !== 'leave'
  const isDone = activation.isActive === wanted && !isLeaving
  if (isDone && !(wanted && isWantedAgain(state))) return pollAgain(transition)
  const drainedAt = isLeaving ? drainsUntil(transition, target) : now
  if (now < drainedAt) return drainedAt
  // A quote that cannot be widened does not delay a deactivation.
  const waitsForQuote = state.quoting.inFlight !== null && !(isLeaving && isWidenedToLeave(state))
  if (activation.inFlight !== null || waitsForQuote) return Infinity
  // With a sweep and a withdrawal of the wallet at the same time it would be unclear which tokens went where.
  if (isWithdrawing(state)) return Infinity
  if (isActive && (state.quoting.status !== 'confirmed' || (!isDone && !isSweepable(state)))) return Infinity
  if (now < activation.notBefore) return activation.notBefore
  const unansweredUntil = activation.unansweredUntil ?? 0
  // A deactivation is sent at once: it is the safe direction, and the venue refuses it while it is busy.
  if (wanted && !isDone && now < unansweredUntil) return Math.min(unansweredUntil, pollAgain(transition))
  if (!maySend(state.pacing, state.config.pacing, now, 'safety')) {
    return maySendFrom(state.pacing, state.config.pacing, now, 'safety')
  }
  const id = openRequest(transition, { what: 'activate', sentAt: now, isActive }, 'safetyWrite')
  activation.inFlight = id
  if (isActive && state.config.strictReadings) activation.hasLeft = false
  if (!isActive) {
    recordOwnDeactivation(state, id)
    // Journals from before `drainMs` were decided without it.
    if (state.config.quote.drainMs !== null) beginDeactivation(state.reconciliation)
  }
  transition.send({ type: 'activate', id, isActive })
  return Infinity
}

/**
 * Returns whether the wallet may be swept: if it is reconciled, or, to repeat an unclear sweep, if no foreign loss is
 * suspected.
 */
function isSweepable({ activation, reconciliation }: EngineState): boolean {
  if (reconciliation.state === 'reconciled') return true
  return activation.unclearSweep && reconciliation.state === 'pending' && reconciliation.foreign === null
}

/** Without the lease nothing is written, and the position does not enter the market while the guard is silent. */
function isHeldBack(state: EngineState, wanted: boolean): boolean {
  return areWritesBarred(state) || (wanted && isGuardMissing(state))
}

const MOST_LOOKS = 8

/**
 * After a call without a clear answer, reads the account again for some minutes, less and less often: a sweep takes a minute or
 * more, and until then the account shows the state before it.
 */
function pollAgain({ state, now, expedite }: Transition): Ms {
  const { activation } = state
  const { look } = activation
  if (look === null || activation.inFlight !== null) return Infinity
  if (now < look.at) return look.at
  expedite('account')
  const isLast = look.count >= MOST_LOOKS
  activation.look = isLast ? null : { at: now + activationPause(look.count), count: look.count + 1 }
  return activation.look?.at ?? Infinity
}

/** Returns whether an active position must be activated again: an operator wants it, or the wallet holds tokens to sweep. */
function isWantedAgain({ activation, book }: EngineState): boolean {
  if (activation.again) return true
  for (const asset of ASSETS) if (book.accounts.wallet[asset] > 0n) return true
  return false
}

function wantedActivation(state: EngineState, target: Target): boolean | null {
  if (state.config.mode === 'dry-run') return null
  // An activation sweeps the wallet: no order may have committed any of it, and only one way of trading is used at a time.
  const mayEnter = state.config.rfq === null && !hasOpenOrders(state)
  const wanted = wantedByRules(state, target)
  return wanted === true && !mayEnter ? null : wanted
}

function hasOpenOrders({ rfq }: EngineState): boolean {
  for (const salt in rfq.openOrders) if (rfq.openOrders[salt] !== undefined) return true
  return false
}

function wantedByRules(state: EngineState, target: Target): boolean | null {
  if (state.exiting)
    return state.config.quote.onExit === 'deactivate' && !isWalletStrange(state) ? false : null
  if (state.activation.wanted !== null) {
    if (target.kind === 'deactivate') return false
    // A command to activate waits while trading is halted, a foreign transfer is latched, or the mid is outside the corridor.
    const { halted, foreign } = state.latch
    const waits = halted !== null || foreign.transfer !== undefined || isOutsideCorridor(state)
    return waits && state.activation.wanted ? null : state.activation.wanted
  }
  if (state.latch.halted?.rule === 'quote-not-held' && !isWalletStrange(state)) return false
  if (state.config.activation === 'manual') return null
  if (target.kind === 'deactivate') return false
  // A halted position completes a deactivation by the corridor.
  if (state.latch.halted !== null) return isLeavingByCorridor(state) ? false : null
  // A position does not enter the market just to show the safe quote; an active one stays.
  if (state.decision === null) return null
  for (const { effect } of state.decision.findings) if (effect === 'safe') return null
  return true
}

/** Returns whether a halt or a rule wants the position out, rather than a shutdown or an operator. */
function isWantedOutByRule(state: EngineState, target: Target): boolean {
  if (state.exiting) return false
  if (target.kind === 'deactivate' || state.latch.halted?.rule === 'quote-not-held') return true
  // A deactivation by the corridor is completed even if the mid is inside again.
  return state.activation.corridorAt !== null
}

function isLeavingByCorridor({ activation }: EngineState): boolean {
  return activation.leaving?.isAutomatic === true && activation.corridorAt !== null
}

const INSIDE_FOR_MS = 10 * MINUTE_MS

/** Returns when the position may enter again: after the corridor took it out, the mid has to be inside for a while. */
function insideCorridorAt({ state, now }: Transition, target: Target): Ms {
  const { activation } = state
  const isByHalt = state.latch.halted !== null && state.config.risk.onHalt === 'deactivate'
  if (target.kind === 'deactivate' && isOutsideCorridor(state) && !isByHalt) {
    // A deactivation by an operator needs no such wait.
    if (activation.wanted !== false) activation.corridorAt = now
  }
  const { corridorAt } = activation
  if (corridorAt === null) return now
  const insideAt = corridorAt + INSIDE_FOR_MS
  if (now >= insideAt) activation.corridorAt = null
  return insideAt
}

function isOutsideCorridor({ decision }: EngineState): boolean {
  return decision?.findings.some(({ rule }) => rule === 'price-corridor') === true
}

/** Even a slow activation takes less than this. */
const ALERT_AFTER_MS = MINUTE_MS

/**
 * Tracks how long the position has been out of the market although it should be in it, and alerts after a minute. Returns when
 * it has to be called again.
 */
function trackMissing(transition: Transition, wanted: boolean | null): Ms {
  const { state, now, alert } = transition
  const { activation } = state
  if (wanted !== true || activation.isActive === true) {
    activation.missing = null
    return Infinity
  }
  const missing = (activation.missing ??= { since: now, isTold: false })
  if (missing.isTold) return Infinity
  if (now < missing.since + ALERT_AFTER_MS) return missing.since + ALERT_AFTER_MS
  activation.missing = { ...missing, isTold: true }
  const message = `the position should be in the market but has been out of it for a minute, so it does not trade: ${whyMissing(state)}`
  alert('not-active', message)
  return Infinity
}

/** Most deactivations have ended by then; the answer to the command and the status show the progress until then. */
const UNPROVEN_AFTER_MS = 3 * MINUTE_MS

/** Alerts once if the end of a deactivation stays unproven, and again when it has ended. Returns when it has to be called again. */
function trackLeaving({ state, now, alert, inform }: Transition): Ms {
  const { activation, config } = state
  const { leaving } = activation
  // Journals from before `drainMs` had no such alert.
  if (config.quote.drainMs === null) return Infinity
  if (leaving === null) {
    if (activation.isLeavingReported === undefined) return Infinity
    inform('not-left', 'the deactivation has ended')
    delete activation.isLeavingReported
    return Infinity
  }
  // What the venue cannot return was reported with its answer.
  if (activation.isLeavingReported === true || isStuck(leaving)) return Infinity
  const at = leaving.since + config.quote.drainMs + UNPROVEN_AFTER_MS
  if (now < at) return at
  activation.isLeavingReported = true
  const minutes = Math.round((now - leaving.since) / MINUTE_MS)
  alert(
    'not-left',
    `the end of the deactivation is not proven after ${minutes} min: ${whyStillLeaving(state)}`,
  )
  return Infinity
}

/** Returns why the position is not in the market although it should be, the likeliest cause first. */
export function whyMissing({ activation, quoting, reconciliation }: EngineState): string {
  if (activation.problem) return activation.problem
  if (activation.isActive === null) return 'the venue has not reported whether the position is active'
  if (quoting.status !== 'confirmed') return `the quote is ${quoting.status}: ${quoting.why}`
  if (reconciliation.state !== 'reconciled') return `balances are not reconciled: ${reconciliation.why}`
  return 'the activation is in progress'
}

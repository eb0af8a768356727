import { type Ms, SECOND_MS, MINUTE_MS } from '../../../base/time.ts'
import type { FailedReturn, VenueFailure } from './venue-answer.ts'
import type { Asset } from '../../../base/money/asset.ts'
import { backoffMs } from '../../../base/backoff.ts'

export type ActivationState = {
  /** The venue's last answer in this process; null = not answered, or unknown. */
  isActive: boolean | null
  /** Where the ledger holds the position: moved when a change of isActive is learned. */
  held: 'pool' | 'wallet' | null
  /** The last operator command; null = configuration and risk decide. */
  wanted: boolean | null
  /** True if an operator wants an active position activated again, which sweeps the wallet. */
  again: boolean
  /** After a call without a clear answer: the time and the number of the next reading of the account; null = no such reading. */
  look: { readonly at: Ms; readonly count: number } | null
  /** Since when the position has wrongly been out of the market, and whether an alert was raised; null = in place. */
  missing: { readonly since: Ms; readonly isTold: boolean } | null
  /** Why the last call failed; null = it succeeded. */
  problem: string | null
  /** This process has seen the position active, so it can detect later changes. */
  seenActive: boolean
  /** Until then an activation of the previous process may still take effect; null = no such activation. */
  unansweredUntil: Ms | null
  /** Until then an activation of ours without a clear answer may still take effect; null = each had one. */
  enteringUntil: Ms | null
  /** GET /balances named the pool, and no activation or deactivation was answered since. */
  isPoolShown: boolean
  /** The deactivation that is repeated until its end is proven; null = no deactivation. */
  leaving: Leaving | null
  /** The end of the last deactivation is proven, and no activation followed. */
  hasLeft: boolean
  /** An alert reported that the end of the deactivation is not proven; absent = no such alert is open. */
  isLeavingReported?: true
  /** An activation of ours had no clear answer, and no call has ended since. */
  unclearSweep: boolean
  /** The venue found nothing to sweep, and whether the ledger held anything then; null = no such report. */
  emptySweep: { readonly isHeld: boolean } | null
  /** When the mid was last outside the corridor, after the corridor took the position out; null = no wait. */
  corridorAt: Ms | null
  inFlight: number | null
  failures: number
  notBefore: Ms
  /** When the last call was answered: an account requested earlier may show the state before the call. */
  answeredAt: Ms
}

/** A deactivation, repeated until the venue and the wallet show its end. Plain data. */
export type Leaving = {
  readonly since: Ms
  /** Calls that were answered without proof of the end. */
  attempts: number
  /** When the venue last answered that all of it is out; null = not yet. */
  doneAt: Ms | null
  /** The tokens in the ledger when it was requested, and those that later answers listed as returned. */
  readonly tokens: readonly Asset[]
  returned: readonly Asset[]
  /** The wait before the first call; null = it is over, absent = the call does not wait. Both sides stay wide unless it is absent. */
  drain?: Drain | null
  /** A halt or a rule caused it, not a person: it is abandoned when the cause lifts. */
  readonly isAutomatic?: true
  /** Tokens that the venue did not return, and the number of answers in a row with the same reason. */
  kept: (FailedReturn & { readonly count: number })[]
}

/**
 * The wait before a deactivation. The venue pays out balances as of its start, so fills during it could be lost. Plain data.
 */
export type Drain = {
  /** Latest time to send the deactivation. */
  readonly until: Ms
  /** When the deactivation is sent if the venue has not confirmed the wide quote. */
  confirmBy: Ms
  /** Since when the wide quote is confirmed and no new fill was seen; null = it is not confirmed. */
  quietSince: Ms | null
  /** When the last answered poll of fills was sent. */
  polledFrom: Ms
}

/** Returns the state of a position that has had no answer from the venue yet. */
export function createActivation(): ActivationState {
  return {
    isActive: null,
    held: null,
    wanted: null,
    again: false,
    look: null,
    missing: null,
    problem: null,
    seenActive: false,
    unansweredUntil: null,
    enteringUntil: null,
    isPoolShown: false,
    leaving: null,
    hasLeft: false,
    unclearSweep: false,
    emptySweep: null,
    corridorAt: null,
    inFlight: null,
    failures: 0,
    notBefore: 0,
    answeredAt: 0,
  }
}

/** A sweep into the pool happens on chain; the venue answers within this time. */
export const SWEEP_MS: Ms = 1.5 * MINUTE_MS

/**
 * Prepares the state for a new process. A sweep may still be in flight, and until it ends the position is not activated a
 * second time. `enteredAt`: when that activation was sent; null = none was in flight.
 */
export function restartActivation(activation: ActivationState, now: Ms, enteredAt: Ms | null): void {
  const look = activation.inFlight === null ? null : { at: now, count: 1 }
  Object.assign(activation, { isActive: null, inFlight: null, failures: 0, notBefore: 0, look })
  if (enteredAt !== null) activation.unansweredUntil = enteredAt + SWEEP_MS
  activation.seenActive = false
}

/** An operator wants the position in or out of the market. Returns whether an active one is activated once more. */
export function requestActivation(activation: ActivationState, isActive: boolean, now: Ms): boolean {
  activation.wanted = isActive
  activation.notBefore = now
  activation.unansweredUntil = null
  // The operator has looked at the price.
  activation.corridorAt = null
  if (isActive) Object.assign(activation, { leaving: null, hasLeft: false })
  activation.again = isActive && activation.isActive === true
  return activation.again
}

/** Fills were polled: a new one starts the quiet time again. */
export function recordPollWhileLeaving(
  { leaving }: ActivationState,
  now: Ms,
  { sentAt, fills }: { readonly sentAt: Ms; readonly fills: number },
): void {
  const drain = leaving?.drain ?? null
  if (drain === null) return
  drain.polledFrom = sentAt
  if (fills > 0 && drain.quietSince !== null) drain.quietSince = now
}

/** Someone else deactivated the position: an earlier command does not revert that. */
export function dropActivationRequest(activation: ActivationState): void {
  activation.wanted = null
}

/** A call failed, or had no clear answer: the account is read again, and the call waits. */
export function recordActivationFailed(
  activation: ActivationState,
  now: Ms,
  { message, outcome }: Pick<VenueFailure, 'message' | 'outcome'>,
): void {
  activation.inFlight = null
  activation.failures += 1
  activation.problem = message
  activation.notBefore = now + activationPause(activation.failures)
  activation.look = { at: activation.notBefore, count: 1 }
  // Sweeps are on chain: after a time-out only the account shows whether the position is active.
  if (outcome === 'unknown') activation.isActive = null
}

/** Returns the pause after that number of activations in a row without a clear success: 2 s, doubling to a minute. */
export function activationPause(failures: number): Ms {
  return backoffMs(failures, 2 * SECOND_MS, MINUTE_MS)
}

import { backoffMs } from '../../base/backoff.ts'
import { MINUTE_MS, SECOND_MS } from '../../base/time.ts'
import type { TreasuryTransition } from '../transition.ts'
import type { TreasuryEventOf } from '../model/event.ts'
import { hasLeft } from '../model/intent.ts'
import { moveLeg, refreshStage, workingLeg } from './moves.ts'

/** Alerts the operator after this many failures in a row. */
const ALERT_AFTER = 3
/** After this many failures in a row the intent no longer continues automatically. */
const ENDS_AFTER = 8
const FIRST_PAUSE_MS = 5 * SECOND_MS
const LONGEST_PAUSE_MS = 5 * MINUTE_MS

/**
 * Handles a leg's call that cannot be built. Retries after a pause, because a wallet may not have been read yet. If
 * that does not help, refuses the leg if nothing of the intent has left; otherwise holds the intent for a person's
 * decision.
 */
export function takeUnbuilt(transition: TreasuryTransition, event: TreasuryEventOf<'prepareFailed'>): void {
  const at = workingLeg(transition, event)
  if (at === null || at.leg.asked?.what !== 'prepare') return
  const { intent, leg, index, now, alert } = at
  const tries = (leg.unbuilt ?? 0) + 1
  const words = `the call cannot be built: ${event.words}`
  const dueAt = now + backoffMs(tries, FIRST_PAUSE_MS, LONGEST_PAUSE_MS)
  Object.assign(leg, { asked: null, unbuilt: tries, why: words, dueAt })
  const text = `step ${index + 1} (${leg.kind}) of ${intent.route} to ${intent.envelope.destination}: ${words}`
  if (tries === ALERT_AFTER) alert('treasury-step-unbuildable', text, intent.id)
  if (tries < ENDS_AFTER) {
    refreshStage(at, intent)
    return
  }
  leg.unbuilt = 0
  if (!hasLeft(intent)) {
    moveLeg(at, 'refused', words)
    return
  }
  intent.isHeld = true
  refreshStage(at, intent)
  const advice = 'It is held until someone approves it again or cancels it'
  alert('treasury-step-unbuildable', `${text}. ${advice}`, intent.id)
}

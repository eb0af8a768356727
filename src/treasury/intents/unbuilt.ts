import { backoffMs } from '../../base/backoff.ts'
import { MINUTE_MS, SECOND_MS } from '../../base/time.ts'
import type { TreasuryTransition } from '../transition.ts'
import type { TreasuryEvent } from '../model/event.ts'
import { hasLeft } from '../model/intent.ts'
import { workingLeg } from './attempts.ts'
import { moveLeg, refreshStage } from './moves.ts'

/** So many tries in a row: people learn of it, and then the intent goes no further by itself. */
const ALERT_AFTER = 3
const ENDS_AFTER = 8
const FIRST_PAUSE_MS = 5 * SECOND_MS
const LONGEST_PAUSE_MS = 5 * MINUTE_MS

/**
 * The call of a leg cannot be built. It is tried again after a pause, for a wallet that was not read yet will be; what no
 * time cures ends: refused where nothing of the intent has left, else held, so that a person decides about the rest.
 */
export function takeUnbuilt(
  transition: TreasuryTransition,
  event: Extract<TreasuryEvent, { readonly type: 'prepareFailed' }>,
): void {
  const working = workingLeg(transition, event)
  if (working === null || working.leg.asked?.what !== 'prepare') return
  const { intent, leg, index } = working
  const { now, alert } = transition
  const tries = (leg.unbuilt ?? 0) + 1
  const words = `the call cannot be built: ${event.words}`
  Object.assign(leg, {
    asked: null,
    unbuilt: tries,
    why: words,
    dueAt: now + backoffMs(tries, FIRST_PAUSE_MS, LONGEST_PAUSE_MS),
  })
  const text = `step ${index + 1} (${leg.kind}) of ${intent.route} to ${intent.envelope.destination}: ${words}`
  if (tries === ALERT_AFTER) alert('treasury-step-unbuildable', text, intent.id)
  if (tries < ENDS_AFTER) {
    refreshStage(transition, intent)
    return
  }
  leg.unbuilt = 0
  if (!hasLeft(intent)) {
    moveLeg(transition, intent, index, 'refused', words)
    return
  }
  intent.isHeld = true
  refreshStage(transition, intent)
  alert(
    'treasury-step-unbuildable',
    `${text}. It is held until someone approves it again or cancels it`,
    intent.id,
  )
}

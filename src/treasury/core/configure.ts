import { admittedPayees, listPayees, newPayees } from '../approvals/payees.ts'
import { silenceAll } from '../intents/attempts.ts'
import { isAgreed } from '../approvals/envelope.ts'
import { isEnded } from '../intents/legs.ts'
import { dropRest, endIntent, refreshStage } from '../intents/moves.ts'
import { activeIntents } from '../intents/plan-intent.ts'
import type { TreasuryEventOf } from '../model/event.ts'
import { hasLeft } from '../model/intent.ts'
import type { TreasuryTransition } from '../transition.ts'

/** Applies a configuration. Unsent intents of the previous one are cancelled and planned again. */
export function takeConfig(transition: TreasuryTransition, event: TreasuryEventOf<'configured'>): void {
  const { state, now } = transition
  const isOther = state.policyHash !== event.policyHash
  state.config = event.config
  state.policyHash = event.policyHash
  state.author = event.author
  const known = state.payees
  state.payees = listPayees(event.config, known, now)
  for (const words of newPayees(state, known)) transition.alert('treasury-new-payee', words)
  for (const words of admittedPayees(state, known)) transition.alert('treasury-payee-admitted', words)
  state.schedule.lookAt = now
  state.schedule.isPlanDue = true
  state.refusedSteps = {}
  if (!isOther) return
  for (const intent of activeIntents(state)) {
    if (hasLeft(intent)) continue
    dropRest(transition, intent, 'the policy changed before anything was sent')
    endIntent(transition, intent)
  }
}

/** Handles a restart: repeats open requests, and marks requests in flight as silent. */
export function takeRestart(transition: TreasuryTransition, event: TreasuryEventOf<'restarted'>): void {
  const { state, now } = transition
  state.processStartedAt = now
  state.version = event.version
  // The key may have changed.
  if (event.venue !== undefined) state.keys = { venue: event.venue, mode: null, seen: state.keys?.seen ?? {} }
  Object.assign(state.schedule, { lookAt: now, supplyAt: now })
  state.schedule.reconcileAt = Math.max(now, state.schedule.reconcileAt)
  if (event.isRestored) {
    state.unconfirmed ??= { since: now, why: 'the store was restored from a backup' }
    transition.alert(
      'treasury-unconfirmed',
      'the store was restored from a backup, which may lack payments sent since then: nothing is sent until a person has checked and confirmed the balances',
    )
  }
  silenceAll(transition)
}

/** Handles a halt of the position: intents that could be sent but have not left wait for another approval. */
export function takeHalt(transition: TreasuryTransition, { since, why }: TreasuryEventOf<'halted'>): void {
  const { state } = transition
  if (since <= (state.heldSince ?? -1)) return
  state.heldSince = since
  for (const intent of activeIntents(state)) {
    const maySend = intent.legs.some(
      (leg) => !isEnded(leg) && (leg.sentAt === null || leg.stage === 'silent'),
    )
    if (intent.isHeld || !maySend || !isAgreed(state, intent)) continue
    intent.isHeld = true
    refreshStage(transition, intent)
    intent.why = `held since a halt until another approval: ${why}`
  }
}

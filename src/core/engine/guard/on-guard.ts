import { barLifted, forgetConfirmation } from '../../quoting/confirmation.ts'
import { requestActivation } from '../model/activation-state.ts'
import { type GuardEvent, areWritesBarred, isGuardMissing, isQuoteBarred } from '../model/guard-state.ts'
import { demandReadBack, reportQuoteStatus } from '../quote/reconcile-quote.ts'
import { foreignDeactivation, recordOwnDeactivation, recordOwnSpread } from '../safeguards/foreign-writes.ts'
import type { Transition } from '../transition.ts'

/** Differs from every request id of the core. */
const GUARDS_REQUEST = -1

/** Handles a change of the lease. Writes of the guard since then count as ours: they are read back and are not foreign writes. */
export function handleGuard(transition: Transition, event: GuardEvent): void {
  const { state, now } = transition
  const { watch, why, fence, writes, maySetSafe, isStarting } = event
  const before = state.guard
  const wasBarred = areWritesBarred(state)
  const wasReported = isGuardMissing(state) && before?.isStarting !== true
  const wasSafeBarred = isQuoteBarred(state, true)
  state.guard = {
    watch,
    why,
    since: before?.watch === watch ? before.since : now,
    ...(maySetSafe === undefined ? {} : { maySetSafe }),
    ...(isStarting === undefined ? {} : { isStarting }),
    fence,
    hadGrant: watch === 'held' || watch === 'waiting' || (watch !== 'unwatched' && before?.hadGrant === true),
    wasActive: wasBarred ? (before?.wasActive ?? null) : state.activation.isActive,
  }
  // The last attempts under the lease follow without pauses, so a few failures would cause the longest pause.
  if (wasSafeBarred && !isQuoteBarred(state, true)) barLifted(state.quoting)
  takeWrites(transition, writes)
  if (wasBarred && watch === 'held') assessAbsence(transition, before?.wasActive ?? null, writes)
  if (before?.watch !== watch || before.isStarting !== isStarting) report(transition, event, wasReported)
  transition.requestDecision('timer')
}

function takeWrites(transition: Transition, writes: GuardEvent['writes']): void {
  const { state, now } = transition
  if (writes.length === 0) return
  for (const write of writes) {
    if (write.what === 'spread') recordOwnSpread(state, write)
    else {
      recordOwnDeactivation(state, GUARDS_REQUEST)
      requestActivation(state.activation, false, now)
    }
  }
  const before = state.quoting.status
  forgetConfirmation(state.quoting, 'the guard has set the quote')
  reportQuoteStatus(transition, before)
  // The quote may have been unknown before, and read back before the guard wrote.
  demandReadBack(transition)
}

/** Decides whether the guard made a deactivation during the lost lease; it has now reported all its writes. */
function assessAbsence(
  transition: Transition,
  wasActive: boolean | null,
  writes: GuardEvent['writes'],
): void {
  if (wasActive !== true || transition.state.activation.isActive !== false) return
  if (!writes.some(({ what }) => what === 'deactivation')) foreignDeactivation(transition)
}

function report(
  { state, alert, inform, expedite }: Transition,
  { watch, why, fence, isStarting }: GuardEvent,
  wasReported: boolean,
): void {
  // The guard grants the lease to a daemon that has read fills and balances.
  if (watch === 'waiting') for (const poll of ['fills', 'balances'] as const) expedite(poll)
  if (isGuardMissing(state)) {
    const words = watch === 'waiting' ? 'the guard does not grant the lease' : 'the guard is silent'
    if (!wasReported && isStarting !== true) alert('guard-lost', `${words}: ${why}`)
  } else if (watch === 'held') inform('guard-lost', `the lease ${fence ?? ''} at the guard is held`)
  else inform('guard-lost', `no guard watches the position: ${why}`)
}

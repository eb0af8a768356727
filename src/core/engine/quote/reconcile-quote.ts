import type { Ms } from '../../../base/time.ts'
import { maySend, maySendFrom } from '../../pacing/budget.ts'
import { nextReadBackAt, patchSent, takeReadBack } from '../../quoting/confirmation.ts'
import { nextMove } from '../../quoting/next-move.ts'
import type { Approved } from '../../risk/approved.ts'
import type { Target } from '../../risk/approval.ts'
import { isLastMoment, isQuoteBarred } from '../model/guard-state.ts'
import { noteOwnSpread } from '../safeguards/foreign-writes.ts'
import { rememberSent } from '../safeguards/quote-history.ts'
import { openRequest } from '../requests/requests.ts'
import type { Transition } from '../transition.ts'
import type { EngineState } from '../model/state.ts'

/**
 * Makes the approved target the live quote: a PATCH when it is worth one and the budget has one, a read-back
 * while the live quote is unknown. Returns when to come back at the latest.
 */
export function reconcileQuote(
  state: EngineState,
  target: Approved<Target> | null,
  transition: Transition,
): Ms {
  return Math.min(readBackAgain(transition), setAsApproved(state, target, transition))
}

/** The venue cannot be fenced: a write of a process that is dead or was cut off may land after the first reading. */
function readBackAgain({ state, now, expedite }: Transition): Ms {
  if (state.config.rfq !== null) return Number.POSITIVE_INFINITY
  if (takeReadBack(state.quoting, now)) for (const side of ['quoteBid', 'quoteAsk'] as const) expedite(side)
  return nextReadBackAt(state.quoting)
}

function setAsApproved(state: EngineState, target: Approved<Target> | null, transition: Transition): Ms {
  const { now } = transition
  const { quote, pacing, rfq } = state.config
  // In self-custody orders are all that stands; the spread is that of capital which is not in the pool.
  if (target === null || rfq !== null || isQuoteBarred(state, target.safety)) return Number.POSITIVE_INFINITY
  const move = nextMove(state.quoting, target, now, quote, isLastMoment(state))
  if (move.kind === 'none') return Number.POSITIVE_INFINITY
  if (move.kind === 'wait') return move.until
  // Both sides were demanded when the status became unknown; a failed read is due again after its back-off.
  if (move.kind === 'read-back') return Number.POSITIVE_INFINITY
  const purpose = target.safety ? 'safety' : 'quote'
  if (!maySend(state.pacing, pacing, now, purpose)) return maySendFrom(state.pacing, pacing, now, purpose)
  const id = openRequest(
    transition,
    { what: 'patch', sentAt: now, spread: move.spread },
    target.safety ? 'safetyWrite' : 'quoteWrite',
  )
  rememberSent(transition, move.spread)
  noteOwnSpread(state, move.spread)
  patchSent(state.quoting, id, move.spread, now, target.safety)
  transition.send({ type: 'setQuote', id, spread: move.spread })
  transition.emit({
    type: 'requote',
    t: now,
    reason: move.reason,
    spread: move.spread,
    because: target.because,
  })
  return Number.POSITIVE_INFINITY
}

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

/**
 * Makes the approved target the live quote: sends a PATCH where one is due and the budget allows it, and reads the quote back
 * while it is unknown. Returns when it has to be called again at the latest.
 */
export function reconcileQuote(transition: Transition, target: Approved<Target> | null): Ms {
  return Math.min(readBackAgain(transition), setAsApproved(transition, target))
}

/** A write of a process that died or lost its connection may take effect after the first read-back. */
function readBackAgain({ state, now, expedite }: Transition): Ms {
  if (state.config.rfq !== null) return Infinity
  if (takeReadBack(state.quoting, now)) for (const side of ['quoteBid', 'quoteAsk'] as const) expedite(side)
  return nextReadBackAt(state.quoting)
}

function setAsApproved(transition: Transition, target: Approved<Target> | null): Ms {
  const { state, now } = transition
  const { quote, pacing, rfq } = state.config
  // In self-custody there are only orders: the spread would be that of capital which is not in the pool.
  if (target === null || rfq !== null || isQuoteBarred(state, target.safety)) return Infinity
  const move = nextMove(state.quoting, target, now, quote, isLastMoment(state))
  if (move.kind === 'none') return Infinity
  if (move.kind === 'wait') return move.until
  // Both read-backs were requested when the status became unknown; a failed one is due again after its back-off.
  if (move.kind === 'read-back') return Infinity
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
  return Infinity
}

import type { Ms } from '../base/time.ts'
import { nextDueAt } from '../pacing/next-due-at.ts'
import { retunePacing } from '../pacing/retune-pacing.ts'
import type { Approved } from '../risk/approved.ts'
import type { Stance } from '../risk/stance.ts'
import { decide } from './decide.ts'
import { knowsEnough, PATIENCE_MS } from './knows-enough.ts'
import { pumpActivation } from './pump-activation.ts'
import { pumpOrders } from './pump-orders.ts'
import { pumpPolls } from './pump-polls.ts'
import { pumpQuote } from './pump-quote.ts'
import type { Turn } from './turn.ts'
import { pumpWithdrawals } from './withdrawal-requests.ts'

/** What stands approved after a turn, and when the core wants to be woken at the latest. */
export type Conclusion = { readonly stance: Approved<Stance> | null; readonly wakeAt: Ms }

/** The end of a turn: decides when there is a reason to, and lets the pumps send what is worth a request. */
export function conclude(turn: Turn, standing: Approved<Stance> | null): Conclusion {
  const { state, now } = turn
  // Asked to leave everything as it stands: not one request more.
  if (state.exiting && state.config.quote.onExit === 'keep') return { stance: standing, wakeAt: Infinity }
  let stance = standing
  if (knowsEnough(state) && (state.dirty !== null || now >= state.decideAt || stance === null)) {
    const cause = state.dirty ?? 'timer'
    state.dirty = null
    stance = decide(turn, cause)
    // A due time was set under the load of its moment; when that has passed nothing waits for it.
    if (turn.looks === 'asked') retunePacing(state.pacing, state.config.pacing, now)
  }
  // In self-custody orders are all that stands; the spread is that of capital which is not in the pool.
  const isPooled = state.config.rfq === null
  const quoteAt = stance === null || !isPooled ? Infinity : pumpQuote(turn, stance)
  const ordersAt = pumpOrders(turn, stance)
  const activationAt = stance === null ? Infinity : pumpActivation(turn, stance)
  const withdrawalAt = pumpWithdrawals(turn)
  const dueAt = turn.looks === 'asked' ? pollAndNextDue(turn) : Infinity
  const decideAt = stance === null ? state.processStartedAt + PATIENCE_MS : state.decideAt
  // What was due now has been sent; nothing can become due before the next millisecond.
  const next = Math.min(quoteAt, ordersAt, activationAt, withdrawalAt, dueAt, decideAt)
  return { stance, wakeAt: Math.max(now + 1, next) }
}

function pollAndNextDue(turn: Turn): Ms {
  pumpPolls(turn)
  return nextDueAt(turn.state.pacing, turn.state.config.pacing, turn.now)
}

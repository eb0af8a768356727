import type { InFlight } from './engine-state.ts'
import type { CancelSentEvent } from './order-event.ts'
import type { Turn } from './turn.ts'

const RETRY_CANCEL_MS = 5_000

/** A cancellation is on its way; the chain will tell when it took effect. */
export function handleCancelSent(
  { state }: Turn,
  event: CancelSentEvent,
  request: InFlight | undefined,
): void {
  if (request?.what !== 'cancelOrders') return
  for (const salt of request.salts) {
    const owed = state.rfq.owed[salt.toString()]
    if (owed?.cancel) owed.cancel.txHash = event.txHash
  }
}

/** A cancellation that did not get out: the orders stand as before, and it is tried again. */
export function cancelFailed(turn: Turn, salts: readonly bigint[], message: string): void {
  const { state, now, observations } = turn
  for (const salt of salts) {
    const owed = state.rfq.owed[salt.toString()]
    if (owed !== undefined) owed.cancel = null
  }
  state.orders.cancelNotBefore = now + RETRY_CANCEL_MS
  const text = `a cancellation on chain was not sent: ${message}; it is tried again, and the orders expire by themselves`
  observations.push({ type: 'alert', t: now, severity: 'warning', code: 'cancel-failed', message: text })
}

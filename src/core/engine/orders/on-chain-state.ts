import { MINUTE_MS, type Ms } from '../../../base/time.ts'
import { discardSnapshots, reconfirmDifference } from '../../ledger/reconciliation/status.ts'
import { isLive } from '../../rfq/open-order.ts'
import { recordCancelFailed, startFillsAtNextReading } from '../../rfq/state.ts'
import { orderOfFill, applyReading, type OrderEnd, type RecordedReading } from '../../rfq/apply-reading.ts'
import { checkOutflows } from '../safeguards/foreign-writes.ts'
import { bookOrderFill, undoOrderFill } from '../accounting/on-order-fills.ts'
import type { ChainReadEvent } from '../model/order-event.ts'
import { bookPoolFill } from '../accounting/on-fills.ts'
import { applyActions, reconcileWallet } from '../accounting/reconcile.ts'
import { releaseDeferredFills } from '../accounting/deferred-fills.ts'
import type { Transition } from '../transition.ts'

const CANCEL_PATIENCE_MS = 2 * MINUTE_MS

/**
 * Handles a reading of the chain: books fills, reverses those that a reorganisation removed, ends orders whose end is final, and
 * compares the books with the wallet at the same block.
 */
export function handleChainRead(transition: Transition, event: ChainReadEvent): void {
  const { state, now, request } = transition
  const { rfq: settings } = state.config
  if (settings === null) return
  // The reading covers the orders that were open when the core requested it, not when the shell performed it.
  if (isTooEarly(transition, event, request?.sentAt ?? event.sentAt)) {
    state.orders.readAskedAt = 0
    return
  }
  if (!state.reconciliation.opened) startFillsAtNextReading(state.rfq)
  const news = applyReading(state.rfq, wholeReading(event), now, settings.confirmations)
  for (const recent of news.undone) undoOrderFill(transition, settings, recent)
  if (state.reconciliation.opened) checkOutflows(transition, event.reading)
  if (news.undone.length > 0) discardSnapshots(state.reconciliation, now)
  const posted = news.fills.flatMap((fresh) => bookOrderFill(transition, settings, fresh) ?? [])
  for (const { open, how } of news.ended) reportOrderEnd(transition, open.order.salt, how)
  // A head older than the last one proves nothing.
  if (state.rfq.chain?.head.hash !== event.reading.head.hash) return
  for (const { order } of news.mismatched) alertMismatch(transition, order.salt)
  state.orders.mismatched = news.mismatched.map(({ order }) => order.salt)
  if (news.fills.length > 0 || news.undone.length > 0) {
    transition.requestDecision('fill')
    confirmDifferenceAgain(transition)
  }
  for (const fill of releaseDeferredFills(transition)) {
    posted.push(bookPoolFill(transition, fill))
    transition.requestDecision('fill')
  }
  giveUpCancels(transition)
  if (news.mismatched.length === 0) reconcileWallet(transition, settings.tokens, posted)
}

/** A confirmed difference may consist of these fills, so it is confirmed again before it is booked as something else. */
function confirmDifferenceAgain(transition: Transition): void {
  const { reconciliation } = transition.state
  if (reconciliation.state !== 'break') return
  applyActions(transition, reconfirmDifference(reconciliation, 'fills of orders were booked'))
}

function wholeReading({ reading, untouched = [] }: ChainReadEvent): RecordedReading {
  const orders = untouched.map((salt) => ({ salt, hash: null, status: 'FILLABLE', takerFilled: 0n }) as const)
  return { ...reading, orders: [...reading.orders, ...orders] }
}

/**
 * Returns whether a fill may belong to an order that was signed after the reading was requested. The next reading includes that
 * order.
 */
function isTooEarly({ state }: Transition, { reading }: ChainReadEvent, askedAt: Ms): boolean {
  const unknown = reading.fills.some((fill) => fill.salt === null && orderOfFill(state.rfq, fill) === null)
  return (
    unknown && Object.values(state.rfq.openOrders).some((owed) => isLive(owed) && owed.reservedAt >= askedAt)
  )
}

function reportOrderEnd(transition: Transition, salt: bigint, how: OrderEnd): void {
  transition.emit({ type: 'orderResolved', t: transition.now, salt, how })
  transition.requestDecision('balances')
}

function alertMismatch({ state, alert }: Transition, salt: bigint): void {
  if (state.orders.mismatched.includes(salt)) return
  const message = `the chain's endpoint reports a filled amount for order ${salt} that differs from the sum of its fills; the order stays outstanding, and no order is signed, until they agree`
  alert('chain-disagrees', message)
}

/** Gives up cancellations without effect, so that their orders can be cancelled again. */
function giveUpCancels({ state, now, alert }: Transition): void {
  for (const open of Object.values(state.rfq.openOrders)) {
    const { cancel, order } = open
    if (!isLive(open) || cancel === null || cancel.txHash === null) continue
    if (now - cancel.sentAt < CANCEL_PATIENCE_MS) continue
    recordCancelFailed(state.rfq, [order.salt])
    const message = `transaction ${cancel.txHash} has not cancelled order ${order.salt} in ${CANCEL_PATIENCE_MS / 1_000} s; if the order is still unwanted, the cancellation is sent again`
    alert('cancel-failed', message)
  }
}

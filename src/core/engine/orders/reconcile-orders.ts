import { cancelOrders } from './cancel-orders.ts'
import { MINUTE_MS, type Ms } from '../../../base/time.ts'
import { maySend } from '../../pacing/budget.ts'
import type { Approved } from '../../risk/approved.ts'
import type { Target } from '../../risk/approval.ts'
import { expiresAt, isLive, type OpenOrder, requestCancel } from '../../rfq/open-order.ts'
import { planLadder } from '../../rfq/plan-ladder.ts'
import type { RfqSettings } from '../../rfq/rfq-settings.ts'
import { signableOrders } from '../../rfq/commitment.ts'
import { freeOfOrders, placeOrders } from './place-orders.ts'
import { openRequest } from '../requests/requests.ts'
import type { Transition } from '../transition.ts'
import { bindWallet } from '../../rfq/state.ts'
import { overcommitted, whyNoOrders } from './signing-gate.ts'

/** The venue is asked for its solver at this interval. */
const INFO_EVERY_MS = 10 * MINUTE_MS
const INFO_RETRY_MS = 10_000

/**
 * Brings the open orders in line with the approved ones: reads the chain, signs missing orders and cancels unwanted ones. Does
 * nothing with pooled capital. Returns when it has to be called again at the latest.
 */
export function reconcileOrders(transition: Transition, target: Approved<Target> | null): Ms {
  const { state } = transition
  const { rfq: settings } = state.config
  if (settings === null || !isSameWallet(transition, settings)) return Infinity
  const readAt = readChain(transition, settings)
  const infoAt = askInfo(transition)
  if (target === null) return Math.min(readAt, infoAt)
  reportBlocked(transition, settings)
  const clock = transition.now + (state.orders.venueOffsetMs ?? 0)
  const free = freeOfOrders(state, settings)
  const { solver } = state.orders
  const wishes = signableOrders(target.orders, state.config.risk.priceCorridor, settings)
  const plan = planLadder(state.rfq, wishes, { settings, solver, free, now: clock })
  withholdOrders(transition, plan.unwanted)
  const isBlocked = state.orders.blocked !== null
  const placedAt = isBlocked ? Infinity : placeOrders(transition, settings, plan.missing)
  cancelOrders(transition, settings, plan.unwanted, target.safety)
  return Math.min(readAt, infoAt, placedAt, plan.refreshAt - (clock - transition.now))
}

function readChain(transition: Transition, settings: RfqSettings): Ms {
  const { state, now, send } = transition
  const { orders, rfq } = state
  if (Object.values(state.requests).some(({ what }) => what === 'chainRead')) return Infinity
  const dueAt = orders.readAskedAt + settings.pollMs
  if (now < dueAt) return dueAt
  orders.readAskedAt = now
  const id = openRequest(transition, { what: 'chainRead', sentAt: now }, null)
  const owed = Object.values(rfq.openOrders).map(({ order }) => order)
  const after = rfq.chain === null ? null : { number: rfq.chain.head.number, hash: rfq.chain.head.hash }
  send({ type: 'readChain', id, orders: owed, fillsFrom: rfq.fillsFrom, after })
  return Infinity
}

function askInfo(transition: Transition): Ms {
  const { state, now, send } = transition
  const { orders, pacing, config } = state
  if (Object.values(state.requests).some(({ what }) => what === 'solver')) return Infinity
  const dueAt =
    orders.infoAskedAt === 0
      ? 0
      : orders.infoAskedAt + (orders.solver === null ? INFO_RETRY_MS : INFO_EVERY_MS)
  if (now < dueAt) return dueAt
  if (!maySend(pacing, config.pacing, now, 'poll')) return now + INFO_RETRY_MS
  orders.infoAskedAt = now
  const id = openRequest(transition, { what: 'solver', sentAt: now }, 'safetyWrite')
  send({ type: 'readSolver', id })
  return Infinity
}

/**
 * Returns whether the orders belong to this wallet and exchange. Alerts once while orders of an earlier wallet or exchange are
 * open.
 */
function isSameWallet({ state, alert }: Transition, settings: RfqSettings): boolean {
  const { rfq, orders } = state
  if (bindWallet(rfq, settings)) return true
  const count = Object.keys(rfq.openOrders).length
  const why = `${count} orders of a different wallet, exchange or chain are open; restore the former rfq section until they have ended`
  if (orders.blocked !== why) {
    orders.blocked = why
    alert('orders-left', why)
  }
  return false
}

/** Alerts once when orders stop and once when they continue. */
function reportBlocked({ state, alert, inform }: Transition, settings: RfqSettings): void {
  const { orders } = state
  const over = overcommitted(state, settings)
  if (over !== null && !orders.isOvercommitted) {
    const message = `orders commit more than wallet and allowance cover: ${over}; orders are cancelled until the rest is covered`
    alert('promise-over-balance', message)
  }
  orders.isOvercommitted = over !== null
  const why = over === null ? whyNoOrders(state, settings) : `orders commit more than is available: ${over}`
  if (why === orders.blocked) return
  const isNews = (why === null) !== (orders.blocked === null)
  orders.blocked = why
  if (!isNews) return
  const message = why === null ? 'orders are signed again' : `no order is signed: ${why}`
  inform('orders-blocked', message)
}

/** Withholds orders that are not journalled yet, at no cost. */
function withholdOrders({ state, now }: Transition, unwanted: readonly OpenOrder[]): void {
  const { blocked, cancelRequested } = state.orders
  for (const open of Object.values(state.rfq.openOrders)) {
    if (open.phase !== 'reserving' || open.cancel !== null) continue
    if (blocked === null && !unwanted.includes(open) && !cancelRequested.includes(open.order.salt)) continue
    requestCancel(open, now)
  }
}

/** Returns the latest expiry of the live orders, on the venue's clock; 0 = no order is live. */
export function lastExpiry(orders: Readonly<Record<string, OpenOrder>>): Ms {
  return Object.values(orders).reduce(
    (last, owed) => (isLive(owed) ? Math.max(last, expiresAt(owed)) : last),
    0,
  )
}

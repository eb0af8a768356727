import { cancelOrders } from './cancel-orders.ts'
import { MINUTE_MS, type Ms } from '../../base/time.ts'
import { maySend } from '../../pacing/budget.ts'
import type { Approved } from '../../risk/approved.ts'
import type { Target } from '../../risk/approval.ts'
import { isLive, type OpenOrder } from '../../rfq/open-order.ts'
import { expiresAt, planLadder } from '../../rfq/plan-ladder.ts'
import type { RfqSettings } from '../../rfq/rfq-settings.ts'
import { signableOrders } from '../../rfq/commitment.ts'
import { freeOfOrders, placeOrders } from './place-orders.ts'
import { openRequest } from '../requests/requests.ts'
import type { Transition } from '../transition.ts'
import { isSameWallet } from './same-wallet.ts'
import { overcommitted, whyNoOrders } from './signing-gate.ts'

/** The venue is asked again now and then who its solver is. */
const INFO_EVERY_MS = 10 * MINUTE_MS
const INFO_RETRY_MS = 10_000

/**
 * Makes the approved orders stand: reads the chain, signs what is missing, takes back what may not stand.
 * Does nothing with pooled capital. Returns when to come back at the latest.
 */
export function reconcileOrders(turn: Transition, stance: Approved<Target> | null): Ms {
  const { rfq: settings } = turn.state.config
  if (settings === null || !isSameWallet(turn, settings)) return Number.POSITIVE_INFINITY
  const readAt = readChain(turn, settings)
  const infoAt = askInfo(turn)
  if (stance === null) return Math.min(readAt, infoAt)
  sayBlocked(turn, settings)
  const clock = turn.now + (turn.state.orders.venueOffsetMs ?? 0)
  const free = freeOfOrders(turn.state, settings)
  const { solver } = turn.state.orders
  const wishes = signableOrders(stance.orders, turn.state.config.risk.priceCorridor ?? null, settings)
  const plan = planLadder(turn.state.rfq, wishes, { settings, solver, free, now: clock })
  keepBack(turn, plan.unwanted)
  const isBlocked = turn.state.orders.blocked !== null
  const placedAt = isBlocked ? Number.POSITIVE_INFINITY : placeOrders(turn, settings, plan.missing)
  cancelOrders(turn, settings, plan.unwanted, stance.safety)
  return Math.min(readAt, infoAt, placedAt, plan.refreshAt - (clock - turn.now))
}

function readChain(turn: Transition, settings: RfqSettings): Ms {
  const { state, now, effects } = turn
  const { orders, rfq } = state
  if (Object.values(state.requests).some(({ what }) => what === 'chainRead')) return Number.POSITIVE_INFINITY
  const dueAt = orders.readAskedAt + settings.pollMs
  if (now < dueAt) return dueAt
  orders.readAskedAt = now
  const id = openRequest(turn, { what: 'chainRead', sentAt: now }, null)
  const owed = Object.values(rfq.owed).map(({ order }) => order)
  const after = rfq.chain === null ? null : { number: rfq.chain.head.number, hash: rfq.chain.head.hash }
  effects.push({ type: 'readChain', id, orders: owed, fillsFrom: rfq.fillsFrom, after })
  return Number.POSITIVE_INFINITY
}

function askInfo(turn: Transition): Ms {
  const { state, now, effects } = turn
  const { orders, pacing, config } = state
  if (Object.values(state.requests).some(({ what }) => what === 'rfqInfo')) return Number.POSITIVE_INFINITY
  const dueAt =
    orders.infoAskedAt === 0
      ? 0
      : orders.infoAskedAt + (orders.solver === null ? INFO_RETRY_MS : INFO_EVERY_MS)
  if (now < dueAt) return dueAt
  if (!maySend(pacing, config.pacing, now, 'poll')) return now + INFO_RETRY_MS
  orders.infoAskedAt = now
  const id = openRequest(turn, { what: 'rfqInfo', sentAt: now }, 'safetyWrite')
  effects.push({ type: 'readRfqInfo', id })
  return Number.POSITIVE_INFINITY
}

/** Says once when orders stop and once when they go on. */
function sayBlocked({ state, now, observations }: Transition, settings: RfqSettings): void {
  const { orders } = state
  const over = overcommitted(state, settings)
  if (over !== null && !orders.isOverPromised) {
    const message = `more is promised than wallet and allowance cover: ${over}; orders are cancelled down to what is there`
    observations.push({ type: 'alert', t: now, severity: 'critical', code: 'promise-over-balance', message })
  }
  orders.isOverPromised = over !== null
  const why = over === null ? whyNoOrders(state, settings) : `more is promised than is there: ${over}`
  if (why === orders.blocked) return
  const isNews = (why === null) !== (orders.blocked === null)
  orders.blocked = why
  if (!isNews) return
  const message = why === null ? 'orders are signed again' : `no order is signed: ${why}`
  observations.push({ type: 'alert', t: now, severity: 'info', code: 'orders-blocked', message })
}

/** What is on its way into the journal can still be kept from being signed: that costs nothing. */
function keepBack({ state, now }: Transition, unwanted: readonly OpenOrder[]): void {
  const { blocked, doomed } = state.orders
  for (const owed of Object.values(state.rfq.owed)) {
    if (owed.phase !== 'reserving' || owed.cancel !== null) continue
    if (blocked === null && !unwanted.includes(owed) && !doomed.includes(owed.order.salt)) continue
    owed.cancel = { sentAt: now, txHash: null }
  }
}

/** When the last of what stands can no longer be filled, on the venue's clock; 0 = nothing stands. */
export function lastExpiry(orders: Readonly<Record<string, OpenOrder>>): Ms {
  return Object.values(orders).reduce(
    (last, owed) => (isLive(owed) ? Math.max(last, expiresAt(owed)) : last),
    0,
  )
}

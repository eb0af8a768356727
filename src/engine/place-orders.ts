import type { Ms } from '../base/time.ts'
import { maySend, maySendFrom } from '../pacing/may-send.ts'
import { nextSalt } from '../rfq/build-order.ts'
import type { OrderWish } from '../rfq/order-wish.ts'
import { isStanding, type OwedOrder } from '../rfq/owed-order.ts'
import { outstandingProblem } from '../rfq/signable-wishes.ts'
import { fittingOrder } from './fitting-order.ts'
import { freeOfOrders } from './free-of-orders.ts'
import type { RfqSettings } from '../rfq/rfq-settings.ts'
import { openRequest } from './requests.ts'
import type { Turn } from './turn.ts'

/**
 * Reserves and signs what is missing, the first wish first, as far as wallet, allowance and the budget of
 * requests go. What is reserved here is owed from now on. Returns when the budget allows more.
 */
export function placeOrders(turn: Turn, settings: RfqSettings, missing: readonly OrderWish[]): Ms {
  const { state, now } = turn
  const { solver, venueOffsetMs } = state.orders
  if (solver === null || missing.length === 0) return Number.POSITIVE_INFINITY
  const free = freeOfOrders(state, settings)
  let standing = Object.values(state.rfq.owed).filter(isStanding).length
  for (const wish of missing) {
    if (standing >= settings.maxOrders) return Number.POSITIVE_INFINITY
    if (!maySend(state.pacing, state.config.pacing, now, 'quote')) {
      return maySendFrom(state.pacing, state.config.pacing, now, 'quote')
    }
    const salt = nextSalt(state.rfq.lastSalt, now)
    const parts = { settings, solver, salt, now, offsetMs: venueOffsetMs ?? 0 }
    const fitting = fittingOrder(wish, parts, free)
    if (!fitting.ok || outstandingProblem(fitting.value, state.rfq, settings) !== null) continue
    const owed = fitting.value
    free[owed.makerAsset] -= owed.order.makerAmount
    standing += 1
    place(turn, owed)
  }
  return Number.POSITIVE_INFINITY
}

function place(turn: Turn, owed: OwedOrder): void {
  const { state, now, effects } = turn
  const { order, side, stable, makerAsset, takerAsset, price } = owed
  const { salt } = order
  state.rfq.lastSalt = salt
  state.rfq.owed[salt.toString()] = owed
  const id = openRequest(turn, { what: 'reserveOrder', sentAt: now, salt }, 'quoteWrite')
  const reservation = { order, side, stable, makerAsset, takerAsset, price }
  effects.push({ type: 'reserveOrder', id, reservation })
}

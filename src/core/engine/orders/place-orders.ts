import type { Ms } from '../../../base/time.ts'
import { maySend, maySendFrom } from '../../pacing/budget.ts'
import { buildOrder, type BuildParts, nextSalt, type TargetOrder } from '../../rfq/build-order.ts'
import { isLive, type OpenOrder } from '../../rfq/open-order.ts'
import { available, outstandingProblem } from '../../rfq/commitment.ts'
import type { RfqSettings } from '../../rfq/rfq-settings.ts'
import { addOrder } from '../../rfq/state.ts'
import { openRequest } from '../requests/requests.ts'
import type { Transition } from '../transition.ts'
import { err, type Result } from '../../../base/result.ts'
import { type Amounts, ASSETS, toBook, zeroAmounts } from '../../../base/money/asset.ts'
import { position } from '../../ledger/book/book.ts'
import type { EngineState } from '../model/state.ts'

/**
 * Reserves and signs the missing orders in the order of the targets, as far as wallet, allowance and request budget allow.
 * Their tokens are committed from now on. Returns when the budget allows more.
 */
export function placeOrders(
  transition: Transition,
  settings: RfqSettings,
  missing: readonly TargetOrder[],
): Ms {
  const { state, now } = transition
  const { solver, venueOffsetMs } = state.orders
  if (solver === null || missing.length === 0) return Infinity
  const free = freeOfOrders(state, settings)
  let standing = Object.values(state.rfq.openOrders).filter(isLive).length
  for (const wish of missing) {
    if (standing >= settings.maxOrders) return Infinity
    if (!maySend(state.pacing, state.config.pacing, now, 'quote')) {
      return maySendFrom(state.pacing, state.config.pacing, now, 'quote')
    }
    const salt = nextSalt(state.rfq.lastSalt, now)
    const parts = { settings, solver, salt, now, offsetMs: venueOffsetMs ?? 0 }
    const fitting = fittingOrder(wish, parts, free)
    if (!fitting.ok || outstandingProblem(fitting.value, state.rfq, settings) !== null) continue
    const open = fitting.value
    free[open.makerAsset] -= toBook(open.order.makerAmount, open.makerAsset)
    standing += 1
    place(transition, open)
  }
  return Infinity
}

function place(transition: Transition, open: OpenOrder): void {
  const { state, now, send } = transition
  const { order, side, stable, makerAsset, takerAsset, price } = open
  const { salt } = order
  addOrder(state.rfq, open)
  const id = openRequest(transition, { what: 'reserveOrder', sentAt: now, salt }, 'quoteWrite')
  const reservation = { order, side, stable, makerAsset, takerAsset, price }
  send({ type: 'reserveOrder', id, reservation })
}

/** Prevents float rounding from making part of a target one unit too large. */
const A_LITTLE_LESS = 1 - 1e-9

/** Returns the order of a target, reduced to what the wallet covers. The error names the shortfall. */
export function fittingOrder(
  wish: TargetOrder,
  parts: BuildParts,
  free: Readonly<Amounts>,
): Result<OpenOrder, string> {
  const whole = buildOrder(wish, parts)
  if (!whole.ok) return whole
  const { minOrderUsd } = parts.settings
  const { makerAsset, order } = whole.value
  const makerAmount = toBook(order.makerAmount, makerAsset)
  if (makerAmount <= free[makerAsset])
    return wish.usd >= minOrderUsd
      ? whole
      : err(`its size is ${wish.usd} dollars, below rfq.minOrderUsd of ${minOrderUsd}`)
  if (free[makerAsset] <= 0n) return err(`no ${makerAsset} is available`)
  const share = (Number(free[makerAsset]) / Number(makerAmount)) * A_LITTLE_LESS
  const usd = wish.usd * share
  if (usd < minOrderUsd)
    return err(
      `the available ${makerAsset} is worth ${usd.toFixed(2)} dollars, below rfq.minOrderUsd of ${minOrderUsd}`,
    )
  const part = buildOrder({ ...wish, usd }, parts)
  if (!part.ok || toBook(part.value.order.makerAmount, makerAsset) <= free[makerAsset]) return part
  return err(`no ${makerAsset} is available`)
}

/**
 * Returns the amount that new orders may commit, per token: the lesser of the last reading of the chain and the books, less
 * withdrawals in progress. A withdrawal is in the books before the chain shows it.
 */
export function freeOfOrders(state: EngineState, settings: RfqSettings): Amounts {
  const { chain } = state.rfq
  if (chain === null) return zeroAmounts()
  const staying = position(state.book)
  for (const request of Object.values(state.requests)) {
    if (request.what === 'withdraw') staying[request.asset] -= toBook(request.amount, request.asset)
  }
  for (const { asset, amount } of state.withdrawals.unknown) staying[asset] -= toBook(amount, asset)
  const balances = { ...chain.balances }
  for (const asset of ASSETS) {
    const stated = balances[asset]
    if (stated !== undefined && staying[asset] < stated) balances[asset] = staying[asset]
  }
  return available({ ...state.rfq, chain: { ...chain, balances } }, settings)
}

import { fairValue } from '../../market/fair-value.ts'
import { rateToNumber } from '../../../base/money/rate.ts'
import { isLive, type OpenOrder, outstandingAmount, requestCancel } from '../../rfq/open-order.ts'
import type { RfqSettings } from '../../rfq/rfq-settings.ts'
import type { Transition } from '../transition.ts'
import { available } from '../../rfq/commitment.ts'
import { planCancels, type CancelParts } from '../../rfq/plan-cancels.ts'
import { openRequest } from '../requests/requests.ts'

function send(transition: Transition, parts: CancelParts): void {
  const { now, send, emit } = transition
  for (const { cancel, orders, why } of planCancels(parts)) {
    const salts = orders.map(({ order }) => order.salt)
    const id = openRequest(transition, { what: 'cancelOrders', sentAt: now, salts }, null)
    for (const open of orders) requestCancel(open, now)
    send({ type: 'cancelOrders', id, cancel })
    emit({ type: 'cancelSent', t: now, salts, how: cancel.kind, txHash: null, why })
  }
}

/** Returns the orders to cancel, the largest first, until the wallet covers the rest. */
function overdrawn(
  { state }: Transition,
  settings: RfqSettings,
  standing: readonly OpenOrder[],
  must: readonly OpenOrder[],
): OpenOrder[] {
  if (!state.orders.isOvercommitted) return []
  const free = available(state.rfq, settings)
  for (const open of must) free[open.makerAsset] += outstandingAmount(open)
  // Orders that have ended or are being cancelled will free their tokens too.
  for (const open of Object.values(state.rfq.openOrders))
    if (open.cancel !== null || !isLive(open)) free[open.makerAsset] += outstandingAmount(open)
  const largestFirst = standing
    .filter((open) => !must.includes(open))
    .toSorted((a, b) => (outstandingAmount(a) < outstandingAmount(b) ? 1 : -1))
  const gone: OpenOrder[] = []
  for (const open of largestFirst) {
    if (free[open.makerAsset] >= 0n) continue
    free[open.makerAsset] += outstandingAmount(open)
    gone.push(open)
  }
  return gone
}

/** Cancels orders at once for safety, for an operator or for lack of tokens; other unwanted ones if that costs less than fills. */
export function cancelOrders(
  transition: Transition,
  settings: RfqSettings,
  unwanted: readonly OpenOrder[],
  safety: boolean,
): void {
  const { state, now } = transition
  if (now < state.orders.cancelNotBefore || state.config.mode === 'dry-run') return
  const standing = Object.values(state.rfq.openOrders).filter((owed) => isLive(owed) && owed.cancel === null)
  const asked = standing.filter(({ order }) => state.orders.cancelRequested.includes(order.salt))
  const must = standing.filter((owed) => safety && unwanted.includes(owed) && !asked.includes(owed))
  must.push(...overdrawn(transition, settings, standing, [...must, ...asked]))
  const fair = fairValue(state.market) ?? state.market.mid
  const common = {
    settings,
    fairValue: fair === null ? null : rateToNumber(fair),
    gasPriceWei: state.rfq.chain?.gasPriceWei ?? null,
    now: now + (state.orders.venueOffsetMs ?? 0),
  }
  // A pair's cancellation may include unwanted orders whose own cancellation would cost too much.
  const kept = standing.filter((owed) => ![must, asked, unwanted].some((gone) => gone.includes(owed)))
  // The policy `never` does not apply to the command of an operator.
  const always: RfqSettings = { ...settings, cancel: { ...settings.cancel, policy: 'always' } }
  send(transition, { ...common, settings: always, unwanted: asked, kept, must: true })
  send(transition, { ...common, unwanted: must, kept, must: true })
  const may = unwanted.filter((owed) => owed.cancel === null)
  send(transition, { ...common, unwanted: may, kept, must: false })
  state.orders.cancelRequested = state.orders.cancelRequested.filter(
    (salt) => state.rfq.openOrders[salt.toString()] !== undefined,
  )
}

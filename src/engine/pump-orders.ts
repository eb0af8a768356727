import { MINUTE_MS, type Ms } from '../base/time.ts'
import { fairValue } from '../market/fair-value.ts'
import { rateToNumber } from '../money/rate.ts'
import { isAllowed } from '../pacing/is-allowed.ts'
import type { Approved } from '../risk/approved.ts'
import type { Stance } from '../risk/stance.ts'
import { isStanding, type OwedOrder } from '../rfq/owed-order.ts'
import { planCancels, type CancelParts } from '../rfq/plan-cancels.ts'
import { expiresAt, planLadder } from '../rfq/plan-ladder.ts'
import { freeToPromise } from '../rfq/promised.ts'
import type { RfqSettings } from '../rfq/rfq-settings.ts'
import { signableWishes } from '../rfq/signable-wishes.ts'
import { freeOfOrders } from './free-of-orders.ts'
import { openRequest } from './requests.ts'
import { placeOrders } from './place-orders.ts'
import type { Turn } from './turn.ts'
import { isSameWallet } from './same-wallet.ts'
import { overPromised, whyNoOrders } from './why-no-orders.ts'

/** The venue is asked again now and then who its solver is. */
const INFO_EVERY_MS = 10 * MINUTE_MS
const INFO_RETRY_MS = 10_000

/**
 * Makes the approved orders stand: reads the chain, signs what is missing, takes back what may not stand.
 * Does nothing with pooled capital. Returns when to come back at the latest.
 */
export function pumpOrders(turn: Turn, stance: Approved<Stance> | null): Ms {
  const { rfq: settings } = turn.state.config
  if (settings === null || !isSameWallet(turn, settings)) return Number.POSITIVE_INFINITY
  const readAt = readChain(turn, settings)
  const infoAt = askInfo(turn)
  if (stance === null) return Math.min(readAt, infoAt)
  sayBlocked(turn, settings)
  const clock = turn.now + (turn.state.orders.venueOffsetMs ?? 0)
  const free = freeOfOrders(turn.state, settings)
  const { solver } = turn.state.orders
  const wishes = signableWishes(stance.orders, turn.state.config.risk.priceCorridor ?? null, settings)
  const plan = planLadder(turn.state.rfq, wishes, { settings, solver, free, now: clock })
  keepBack(turn, plan.unwanted)
  const isBlocked = turn.state.orders.blocked !== null
  const placedAt = isBlocked ? Number.POSITIVE_INFINITY : placeOrders(turn, settings, plan.missing)
  cancelOrders(turn, settings, plan.unwanted, stance.safety)
  return Math.min(readAt, infoAt, placedAt, plan.refreshAt - (clock - turn.now))
}

function readChain(turn: Turn, settings: RfqSettings): Ms {
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

function askInfo(turn: Turn): Ms {
  const { state, now, effects } = turn
  const { orders, pacing, config } = state
  if (Object.values(state.requests).some(({ what }) => what === 'rfqInfo')) return Number.POSITIVE_INFINITY
  const dueAt =
    orders.infoAskedAt === 0
      ? 0
      : orders.infoAskedAt + (orders.solver === null ? INFO_RETRY_MS : INFO_EVERY_MS)
  if (now < dueAt) return dueAt
  if (!isAllowed(pacing, config.pacing, now, 'key', 'poll')) return now + INFO_RETRY_MS
  orders.infoAskedAt = now
  const id = openRequest(turn, { what: 'rfqInfo', sentAt: now }, 'safetyWrite')
  effects.push({ type: 'readRfqInfo', id })
  return Number.POSITIVE_INFINITY
}

/** Says once when orders stop and once when they go on. */
function sayBlocked({ state, now, observations }: Turn, settings: RfqSettings): void {
  const { orders } = state
  const over = overPromised(state, settings)
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
function keepBack({ state, now }: Turn, unwanted: readonly OwedOrder[]): void {
  const { blocked, doomed } = state.orders
  for (const owed of Object.values(state.rfq.owed)) {
    if (owed.phase !== 'reserving' || owed.cancel !== null) continue
    if (blocked === null && !unwanted.includes(owed) && !doomed.includes(owed.order.salt)) continue
    owed.cancel = { sentAt: now, txHash: null }
  }
}

/** What safety, an operator or a wallet that ran dry wants gone goes at once; for the rest it is a matter of cost. */
function cancelOrders(
  turn: Turn,
  settings: RfqSettings,
  unwanted: readonly OwedOrder[],
  safety: boolean,
): void {
  const { state, now } = turn
  if (now < state.orders.cancelNotBefore || state.config.mode === 'dry-run') return
  const standing = Object.values(state.rfq.owed).filter((owed) => isStanding(owed) && owed.cancel === null)
  const asked = standing.filter(({ order }) => state.orders.doomed.includes(order.salt))
  const must = standing.filter((owed) => safety && unwanted.includes(owed) && !asked.includes(owed))
  must.push(...overdrawn(turn, settings, standing, [...must, ...asked]))
  const fair = fairValue(state.market) ?? state.market.mid
  const common = {
    settings,
    fairValue: fair === null ? null : rateToNumber(fair),
    gasPriceWei: state.rfq.chain?.gasPriceWei ?? null,
    now: now + (state.orders.venueOffsetMs ?? 0),
  }
  // What nobody wants any more may go with a pair's cancellation, also where its own would not pay.
  const kept = standing.filter((owed) => ![must, asked, unwanted].some((gone) => gone.includes(owed)))
  // `never` is for the daemon's own judgement; a person's word goes before it.
  const always: RfqSettings = { ...settings, cancel: { ...settings.cancel, policy: 'always' } }
  send(turn, { ...common, settings: always, unwanted: asked, kept, must: true })
  send(turn, { ...common, unwanted: must, kept, must: true })
  const may = unwanted.filter((owed) => owed.cancel === null)
  send(turn, { ...common, unwanted: may, kept, must: false })
  state.orders.doomed = state.orders.doomed.filter((salt) => state.rfq.owed[salt.toString()] !== undefined)
}

/** Orders to take back, the largest first, until the rest is covered by the wallet. */
function overdrawn(
  { state }: Turn,
  settings: RfqSettings,
  standing: readonly OwedOrder[],
  must: readonly OwedOrder[],
): OwedOrder[] {
  if (!state.orders.isOverPromised) return []
  const free = freeToPromise(state.rfq, settings)
  const left = (owed: OwedOrder) => owed.order.makerAmount - owed.makerFilled
  for (const owed of must) free[owed.makerAsset] += left(owed)
  // Those that have ended, and those whose cancellation is under way, will free theirs too.
  for (const owed of Object.values(state.rfq.owed))
    if (owed.cancel !== null || !isStanding(owed)) free[owed.makerAsset] += left(owed)
  const largestFirst = standing
    .filter((owed) => !must.includes(owed))
    .toSorted((a, b) => (left(a) < left(b) ? 1 : -1))
  const gone: OwedOrder[] = []
  for (const owed of largestFirst) {
    if (free[owed.makerAsset] >= 0n) continue
    free[owed.makerAsset] += left(owed)
    gone.push(owed)
  }
  return gone
}

function send(turn: Turn, parts: CancelParts): void {
  const { now, effects, observations } = turn
  for (const { cancel, orders, why } of planCancels(parts)) {
    const salts = orders.map(({ order }) => order.salt)
    const id = openRequest(turn, { what: 'cancelOrders', sentAt: now, salts }, null)
    for (const owed of orders) owed.cancel = { sentAt: now, txHash: null }
    effects.push({ type: 'cancelOrders', id, cancel })
    observations.push({ type: 'cancelSent', t: now, salts, how: cancel.kind, txHash: null, why })
  }
}

/** When the last of what stands can no longer be filled, on the venue's clock; 0 = nothing stands. */
export function lastExpiry(orders: Readonly<Record<string, OwedOrder>>): Ms {
  return Object.values(orders).reduce(
    (last, owed) => (isStanding(owed) ? Math.max(last, expiresAt(owed)) : last),
    0,
  )
}

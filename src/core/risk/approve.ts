import type { Approval, ApprovalSettings, Clamp, OrderBounds, Target } from './approval.ts'
import { MAX_SPREAD_BPS, MIN_SPREAD_BPS } from '../../base/money/bps.ts'
import type { Side } from '../../base/money/side.ts'
import type { StrategyQuote } from '../strategy/define-strategy.ts'
import { approved, type Approved } from './approved.ts'
import type { RuleBreach } from './rule-breach.ts'
import type { Latch } from './latch.ts'
import type { TargetOrder } from '../rfq/build-order.ts'

/**
 * Approves a target from the strategy's quote, the breached rules and the latch. The only source of an `Approved<Target>`.
 */
export function approve(
  wanted: StrategyQuote | null,
  breaches: readonly RuleBreach[],
  latch: Latch,
  inventoryImbalance: number,
  settings: ApprovalSettings,
): Approval {
  if (settings.orders !== null)
    return approveOrders(wanted, breaches, latch, inventoryImbalance, settings.orders)
  const closed = closedSides(breaches, inventoryImbalance)
  const safeQuote = (because: readonly string[]) =>
    withSides(settings.safeBps, settings.safeBps, closed, true, because, settings)
  const whyLeave = leavesInstead(breaches, settings)
  if (latch.halted !== null) {
    const because = [`halted: ${latch.halted.why}`, ...(whyLeave === null ? [] : [whyLeave])]
    const deactivates = settings.onHalt === 'deactivate' && settings.mayDeactivate
    const target =
      deactivates || whyLeave !== null ? bothAtSafe('deactivate', settings, because) : safeQuote(because)
    return { target, state: 'HALTED', clamps: [], refusal: null }
  }
  if (whyLeave !== null)
    return {
      target: bothAtSafe('deactivate', settings, [whyLeave]),
      state: 'REDUCING',
      clamps: [],
      refusal: null,
    }
  const safe = breaches.find(({ effect }) => effect === 'safe')
  if (safe !== undefined || wanted === null) {
    const target = safeQuote([safe === undefined ? 'no decision yet' : safe.message])
    return { target, state: 'REDUCING', clamps: [], refusal: null }
  }
  const crossed = crossing(wanted)
  if (crossed !== null)
    return { target: safeQuote([crossed.message]), state: 'REDUCING', clamps: [], refusal: crossed }
  const clamps: Clamp[] = []
  const bid = clampSide('bid', wanted.bidBps, clamps)
  const ask = clampSide('ask', wanted.askBps, clamps)
  const because = reasonsFor(breaches, wanted)
  return {
    target: withSides(bid, ask, closed, closed.length > 0, because, settings),
    state: closed.length > 0 ? 'REDUCING' : 'ACTIVE',
    clamps,
    refusal: null,
  }
}

/** Outside the corridor even the widest spread loses money, so deactivate. Null = not needed. */
function leavesInstead(breaches: readonly RuleBreach[], settings: ApprovalSettings): string | null {
  if (settings.cannotClose !== true || !settings.mayDeactivate) return null
  const breach = breaches.find(({ rule }) => rule === 'price-corridor')
  return breach === undefined
    ? null
    : `${breach.message}; this venue cannot close a side, so the position is deactivated`
}

/** Returns a sentence about sides that should be off but that the venue keeps open; null = no such side. */
export function unclosable(
  { bidBps, askBps, idleBps }: Pick<Target, 'bidBps' | 'askBps' | 'idleBps'>,
  cannotClose: boolean,
): string | null {
  const off = [...(bidBps === null ? ['bid'] : []), ...(askBps === null ? ['ask'] : [])]
  if (!cannotClose || off.length === 0) return null
  return `the ${off.join(' and the ')} cannot be closed at this venue, so quoted at ${idleBps} bps`
}

/** Lists the breached rules first. */
function reasonsFor(breaches: readonly RuleBreach[], { reasons }: StrategyQuote): readonly string[] {
  return breaches.length === 0 ? reasons : [...breaches.map(({ message }) => message), ...reasons]
}

function withSides(
  bid: number | null,
  ask: number | null,
  closed: readonly Side[],
  safety: boolean,
  because: readonly string[],
  settings: ApprovalSettings,
): Approved<Target> {
  const bidBps = closed.includes('bid') ? null : bid
  const askBps = closed.includes('ask') ? null : ask
  if (bidBps !== null || askBps !== null) {
    const idleBps = settings.cannotClose === true ? MAX_SPREAD_BPS : settings.safeBps
    const open = unclosable({ bidBps, askBps, idleBps }, settings.cannotClose === true)
    const reasons =
      open === null ? because : [`${because[0] ?? 'the strategy wants it'}; ${open}`, ...because.slice(1)]
    return approved({ kind: 'quote', bidBps, askBps, idleBps, safety, because: reasons, orders: [] })
  }
  const deactivates = settings.whenBothOff === 'deactivate' && settings.mayDeactivate
  return bothAtSafe(deactivates ? 'deactivate' : 'quote', settings, ['both sides are off', ...because])
}

function bothAtSafe(
  kind: Target['kind'],
  { safeBps }: ApprovalSettings,
  because: readonly string[],
): Approved<Target> {
  const spread = { bidBps: safeBps, askBps: safeBps, idleBps: safeBps }
  return approved({ kind, ...spread, safety: true, because, orders: [] })
}

/** Prices cross when buying costs more than selling brings: S(1 + bid) under S(1 - ask). */
function crossing(wanted: StrategyQuote): RuleBreach | null {
  if (wanted.bidBps === null || wanted.askBps === null || wanted.bidBps + wanted.askBps >= 0) return null
  return {
    rule: 'crossed',
    effect: 'safe',
    limit: 'bidBps + askBps >= 0',
    actual: `${wanted.bidBps} + ${wanted.askBps}`,
    message: 'the strategy wants a crossed quote',
  }
}

function clampSide(side: Side, wanted: number | null, clamps: Clamp[]): number | null {
  if (wanted === null) return null
  const sent = Math.min(MAX_SPREAD_BPS, Math.max(MIN_SPREAD_BPS, Math.round(wanted)))
  if (wanted < MIN_SPREAD_BPS || wanted > MAX_SPREAD_BPS) clamps.push({ side, wanted, sent })
  return sent
}

const NONE: readonly Side[] = []

/** The sides that breached rules close. `reduce` closes the side that would increase the imbalance. */
function closedSides(breaches: readonly RuleBreach[], inventoryImbalance: number): readonly Side[] {
  if (breaches.length === 0) return NONE
  const closed = new Set<Side>()
  for (const { effect } of breaches) {
    if (effect === 'bid-off') closed.add('bid')
    if (effect === 'ask-off') closed.add('ask')
    // Too many dollars: the ask would buy more of them. Too few: the bid would sell more.
    if (effect === 'reduce') closed.add(inventoryImbalance >= 0 ? 'ask' : 'bid')
  }
  return [...closed]
}

/**
 * Approves the orders in self-custody. There is no safe quote to fall back to: an order that is not approved is cancelled. A
 * price too good for the taker moves to the bound.
 */
function approveOrders(
  wanted: StrategyQuote | null,
  breaches: readonly RuleBreach[],
  latch: Latch,
  inventoryImbalance: number,
  bounds: OrderBounds,
): Approval {
  const safe = breaches.find(({ effect }) => effect === 'safe')
  if (latch.halted !== null) return noOrders('HALTED', [`halted: ${latch.halted.why}`])
  if (safe !== undefined) return noOrders('REDUCING', [safe.message])
  if (wanted === null || bounds.mid === null) return noOrders('REDUCING', ['no decision yet'])
  const closed = closedSides(breaches, inventoryImbalance)
  const clamps: Clamp[] = []
  const orders: TargetOrder[] = []
  for (const order of wanted.orders ?? []) {
    if (!closed.includes(order.side)) orders.push(withinBounds(order, bounds.mid, bounds.minEdgeBps, clamps))
  }
  const reasons = reasonsFor(breaches, wanted)
  const because =
    wanted.orders === undefined
      ? [...reasons, 'the strategy returned no orders, so none are open in self-custody']
      : reasons
  return {
    target: approved({ ...NO_SPREAD, safety: closed.length > 0, because, orders }),
    state: closed.length > 0 ? 'REDUCING' : 'ACTIVE',
    clamps,
    refusal: null,
  }
}

const NO_SPREAD = { kind: 'quote', bidBps: null, askBps: null, idleBps: MAX_SPREAD_BPS } as const

function noOrders(state: Approval['state'], because: readonly string[]): Approval {
  const target = approved({ ...NO_SPREAD, safety: true, because, orders: [] })
  return { target, state, clamps: [], refusal: null }
}

/** An ask gives at most mid * (1 - edge) per dollar, a bid asks for at least mid * (1 + edge). */
function withinBounds(order: TargetOrder, mid: number, minEdgeBps: number, clamps: Clamp[]): TargetOrder {
  const { side, tzsPerUsd } = order
  const edge = minEdgeBps / 10_000
  const limit = side === 'ask' ? mid * (1 - edge) : mid * (1 + edge)
  const isWithin = side === 'ask' ? tzsPerUsd <= limit : tzsPerUsd >= limit
  if (isWithin) return order
  const wanted = (side === 'ask' ? 1 - tzsPerUsd / mid : tzsPerUsd / mid - 1) * 10_000
  clamps.push({ side, wanted, sent: minEdgeBps })
  return { ...order, tzsPerUsd: limit }
}

import type { Approval, Clamp, OrderBounds } from './approval.ts'
import type { TargetOrder } from '../rfq/build-order.ts'
import type { StrategyQuote } from '../strategy/define-strategy.ts'
import { approved } from './approved.ts'
import { closedSides } from './approve.ts'
import type { RuleBreach } from './rule-breach.ts'
import type { Latch } from './latch.ts'

/**
 * Stamps which orders may stand in self-custody. There is no safe quote to fall back to: what must not
 * stand is taken back. Prices too good for the taker are moved to the bound.
 */
export function approveOrders(
  wanted: StrategyQuote | null,
  findings: readonly RuleBreach[],
  latch: Latch,
  deviation: number,
  bounds: OrderBounds,
): Approval {
  const safe = findings.find(({ effect }) => effect === 'safe')
  if (latch.halted !== null) return nothing('HALTED', [`halted: ${latch.halted.why}`])
  if (safe !== undefined) return nothing('REDUCING', [safe.message])
  if (wanted === null || bounds.mid === null) return nothing('REDUCING', ['no decision yet'])
  const closed = closedSides(findings, deviation)
  const clamps: Clamp[] = []
  const orders: TargetOrder[] = []
  for (const wish of wanted.orders ?? []) {
    if (!closed.includes(wish.side)) orders.push(withinBounds(wish, bounds.mid, bounds.minEdgeBps, clamps))
  }
  const because = [...findings.map(({ message }) => message), ...wanted.because]
  if (wanted.orders === undefined)
    because.push('the strategy returns no orders: nothing stands in self-custody')
  return {
    stance: approved({ ...NO_SPREAD, safety: closed.length > 0, because, orders }),
    state: closed.length > 0 ? 'REDUCING' : 'ACTIVE',
    clamps,
    refusal: null,
  }
}

const NO_SPREAD = { kind: 'quote', bidBps: null, askBps: null, idleBps: 500 } as const

function nothing(state: Approval['state'], because: readonly string[]): Approval {
  const stance = approved({ ...NO_SPREAD, safety: true, because, orders: [] })
  return { stance, state, clamps: [], refusal: null }
}

/** An ask gives at most mid * (1 - edge) per dollar, a bid asks for at least mid * (1 + edge). */
function withinBounds(wish: TargetOrder, mid: number, minEdgeBps: number, clamps: Clamp[]): TargetOrder {
  const edge = minEdgeBps / 10_000
  const limit = wish.side === 'ask' ? mid * (1 - edge) : mid * (1 + edge)
  const isWithin = wish.side === 'ask' ? wish.tzsPerUsd <= limit : wish.tzsPerUsd >= limit
  if (isWithin) return wish
  const wantedBps = (wish.side === 'ask' ? 1 - wish.tzsPerUsd / mid : wish.tzsPerUsd / mid - 1) * 10_000
  clamps.push({ side: wish.side, wanted: wantedBps, sent: minEdgeBps })
  return { ...wish, tzsPerUsd: limit }
}

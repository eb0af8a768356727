import type { OrderView, RfqView } from '../../../view/rfq-view.ts'

/** The open orders of one side, the best price for a taker first. */
export type LadderSide = {
  readonly side: 'bid' | 'ask'
  readonly orders: readonly OrderView[]
  /** What takers may still take of them, in dollars; a float for the note. */
  readonly remainingUsd: number
}

/** Returns both sides of the open orders. A bid sells dollars, so its lowest price is the best; an ask's highest. */
export function ladderOf({ orders }: Pick<RfqView, 'orders'>): readonly LadderSide[] {
  return (['bid', 'ask'] as const).map((side) => {
    const way = side === 'bid' ? 1 : -1
    const own = orders
      .filter((order) => order.side === side)
      .toSorted((a, b) => way * (Number(a.priceTzs) - Number(b.priceTzs)) || a.expiresAt - b.expiresAt)
    return {
      side,
      orders: own,
      remainingUsd: own.reduce((sum, order) => sum + Number(order.remainingUsd), 0),
    }
  })
}

/** Returns how far the price of an order is from the mid, in bps, positive if we earn; null without a mid. For the drawing only. */
export function orderBps(order: Pick<OrderView, 'side' | 'priceTzs'>, mid: string | null): number | null {
  const bps = (Number(order.priceTzs) / Number(mid ?? Number.NaN) - 1) * 10_000
  return Number.isFinite(bps) ? (order.side === 'bid' ? bps : -bps) : null
}

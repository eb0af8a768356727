import type { RateBand } from '../money/rate-band.ts'
import { rateToNumber } from '../money/rate.ts'
import { TO_18_DECIMALS } from '../money/asset.ts'
import type { OrderWish } from './order-wish.ts'
import type { OwedOrder } from './owed-order.ts'
import type { RfqSettings } from './rfq-settings.ts'
import type { RfqState } from './rfq-state.ts'

/**
 * What of a ladder the signer can be asked for: levels outside the price corridor are left out, and larger ones than
 * `maxOrderUsd` become that large. The signer has the last word; this only spares it questions.
 */
export function signableWishes(
  wishes: readonly OrderWish[],
  corridor: RateBand | null,
  { maxOrderUsd }: RfqSettings,
): readonly OrderWish[] {
  const most = maxOrderUsd === undefined ? null : Number(maxOrderUsd) / 1e18
  const inside = wishes.filter((wish) => corridorProblem(wish, corridor) === null)
  return most === null ? inside : inside.map((wish) => (wish.usd > most ? { ...wish, usd: most } : wish))
}

/** Why no order of this level is asked of the signer; null = its price is inside. */
export function corridorProblem({ tzsPerUsd }: OrderWish, corridor: RateBand | null): string | null {
  if (corridor === null) return null
  const [min, max] = [rateToNumber(corridor.min), rateToNumber(corridor.max)]
  if (tzsPerUsd > min && tzsPerUsd < max) return null
  return `its price of ${tzsPerUsd} TZS per USD is outside risk.priceCorridor, ${min} to ${max}`
}

/** Why this order does not fit beside what is outstanding; null = it does. */
export function outstandingProblem(
  order: OwedOrder,
  { owed }: RfqState,
  { maxOutstandingUsd }: RfqSettings,
): string | null {
  if (maxOutstandingUsd === undefined) return null
  let total = usdLeft(order)
  for (const one of Object.values(owed)) if (one !== order) total += usdLeft(one)
  if (total <= maxOutstandingUsd) return null
  const [now, most] = [Number(total) / 1e18, Number(maxOutstandingUsd) / 1e18]
  return `with it ${now.toFixed(2)} dollars would be outstanding, and rfq.maxOutstandingUsd is ${most}`
}

/** What can still be filled of an order, dollars with 18 decimals; a part of a unit counts as one. */
function usdLeft({ order, side, stable, makerFilled, takerFilled }: OwedOrder): bigint {
  const left = side === 'ask' ? order.takerAmount - takerFilled : order.makerAmount - makerFilled
  return left * TO_18_DECIMALS[stable]
}

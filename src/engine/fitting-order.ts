import { err, type Result } from '../base/result.ts'
import type { Amounts } from '../money/asset.ts'
import { buildOrder, type BuildParts } from '../rfq/build-order.ts'
import type { OrderWish } from '../rfq/order-wish.ts'
import type { OwedOrder } from '../rfq/owed-order.ts'

/** A part of a wish that floating point may have made too large by a unit. */
const A_LITTLE_LESS = 1 - 1e-9

/** The order of a wish, smaller where the wallet covers less. The error says why there is none. */
export function fittingOrder(
  wish: OrderWish,
  parts: BuildParts,
  free: Readonly<Amounts>,
): Result<OwedOrder, string> {
  const whole = buildOrder(wish, parts)
  if (!whole.ok) return whole
  const { minOrderUsd } = parts.settings
  const { makerAsset, order } = whole.value
  if (order.makerAmount <= free[makerAsset])
    return wish.usd >= minOrderUsd
      ? whole
      : err(`it is of ${wish.usd} dollars, and rfq.minOrderUsd is ${minOrderUsd}`)
  if (free[makerAsset] <= 0n) return err(`no ${makerAsset} is left to promise`)
  const share = (Number(free[makerAsset]) / Number(order.makerAmount)) * A_LITTLE_LESS
  const usd = wish.usd * share
  if (usd < minOrderUsd)
    return err(
      `the ${makerAsset} left to promise make ${usd.toFixed(2)} dollars, and rfq.minOrderUsd is ${minOrderUsd}`,
    )
  const part = buildOrder({ ...wish, usd }, parts)
  if (!part.ok || part.value.order.makerAmount <= free[makerAsset]) return part
  return err(`no ${makerAsset} is left to promise`)
}

import { type Amounts, ASSETS, TO_18_DECIMALS, zeroAmounts } from '../money/asset.ts'
import { outstandingAmount, type OpenOrder } from './open-order.ts'
import type { RfqSettings } from './rfq-settings.ts'
import type { RfqState, SeenChain } from './state.ts'
import { type RateBand, rateToNumber } from '../money/rate.ts'
import type { TargetOrder } from './build-order.ts'

const FACTOR_PARTS = 1_000_000

/** What may still be taken of each token, by every order that has not finally ended. */
export function committed(state: RfqState): Amounts {
  const sums = zeroAmounts()
  for (const owed of Object.values(state.owed)) sums[owed.makerAsset] += outstandingAmount(owed)
  return sums
}

/** The configured part of min(balance, allowance), per token. What the chain did not say is zero. */
export function coveredByWallet(chain: SeenChain, settings: RfqSettings): Amounts {
  const covered = zeroAmounts()
  const factor = BigInt(Math.floor(settings.promiseFactor * FACTOR_PARTS))
  for (const asset of ASSETS) {
    const balance = chain.balances[asset] ?? 0n
    const allowance = chain.allowances[asset] ?? 0n
    covered[asset] = ((balance < allowance ? balance : allowance) * factor) / BigInt(FACTOR_PARTS)
  }
  return covered
}

/** What may be promised on top of what is, per token; negative where too much is promised already. */
export function available(state: RfqState, settings: RfqSettings): Amounts {
  const free = state.chain === null ? zeroAmounts() : coveredByWallet(state.chain, settings)
  const owed = committed(state)
  for (const asset of ASSETS) free[asset] -= owed[asset]
  return free
}

/**
 * What of a ladder the signer can be asked for: levels outside the price corridor are left out, and larger ones than
 * `maxOrderUsd` become that large. The signer has the last word; this only spares it questions.
 */
export function signableOrders(
  wishes: readonly TargetOrder[],
  corridor: RateBand | null,
  { maxOrderUsd }: RfqSettings,
): readonly TargetOrder[] {
  const most = maxOrderUsd === undefined ? null : Number(maxOrderUsd) / 1e18
  const inside = wishes.filter((wish) => corridorProblem(wish, corridor) === null)
  return most === null ? inside : inside.map((wish) => (wish.usd > most ? { ...wish, usd: most } : wish))
}

/** Why no order of this level is asked of the signer; null = its price is inside. */
export function corridorProblem({ tzsPerUsd }: TargetOrder, corridor: RateBand | null): string | null {
  if (corridor === null) return null
  const [min, max] = [rateToNumber(corridor.min), rateToNumber(corridor.max)]
  if (tzsPerUsd > min && tzsPerUsd < max) return null
  return `its price of ${tzsPerUsd} TZS per USD is outside risk.priceCorridor, ${min} to ${max}`
}

/** Why this order does not fit beside what is outstanding; null = it does. */
export function outstandingProblem(
  order: OpenOrder,
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
function usdLeft({ order, side, stable, makerFilled, takerFilled }: OpenOrder): bigint {
  const left = side === 'ask' ? order.takerAmount - takerFilled : order.makerAmount - makerFilled
  return left * TO_18_DECIMALS[stable]
}

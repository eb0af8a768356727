import { type Amounts, ASSETS, zeroAmounts } from '../../base/money/asset.ts'
import { type OpenOrder, outstandingAmount, outstandingUsd } from './open-order.ts'
import type { RfqSettings } from './rfq-settings.ts'
import type { RfqState, SeenChain } from './state.ts'
import { type RateBand, rateToNumber } from '../../base/money/rate.ts'
import type { TargetOrder } from './build-order.ts'

const FACTOR_PARTS = 1_000_000

/** Returns the amount of each token that takers can still take through open orders. */
export function committed(state: RfqState): Amounts {
  const sums = zeroAmounts()
  for (const open of Object.values(state.openOrders)) sums[open.makerAsset] += outstandingAmount(open)
  return sums
}

/** The configured part of min(balance, allowance), per token; zero for a token that the chain did not show. */
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

/** Returns the amount that further orders may commit, per token; negative if the token is overcommitted. */
export function available(state: RfqState, settings: RfqSettings): Amounts {
  const amounts = state.chain === null ? zeroAmounts() : coveredByWallet(state.chain, settings)
  const taken = committed(state)
  for (const asset of ASSETS) amounts[asset] -= taken[asset]
  return amounts
}

/**
 * Returns the part of a ladder that the signer's policy permits: drops levels outside the price corridor and cuts larger ones
 * to `maxOrderUsd`. The signer checks again; this only avoids refusals.
 */
export function signableOrders(
  targets: readonly TargetOrder[],
  corridor: RateBand | null,
  { maxOrderUsd }: RfqSettings,
): readonly TargetOrder[] {
  const most = maxOrderUsd === null ? Infinity : Number(maxOrderUsd) / 1e18
  return targets
    .filter((target) => corridorProblem(target, corridor) === null)
    .map((target) => (target.usd > most ? { ...target, usd: most } : target))
}

/** Returns why this level is not signed; null = the price is inside the corridor. */
export function corridorProblem({ tzsPerUsd }: TargetOrder, corridor: RateBand | null): string | null {
  if (corridor === null) return null
  const [min, max] = [rateToNumber(corridor.min), rateToNumber(corridor.max)]
  if (tzsPerUsd > min && tzsPerUsd < max) return null
  return `its price of ${tzsPerUsd} TZS per USD is outside risk.priceCorridor, ${min} to ${max}`
}

/** Returns why this order together with the other open orders exceeds `maxOutstandingUsd`, or null. */
export function outstandingProblem(
  order: OpenOrder,
  { openOrders }: RfqState,
  { maxOutstandingUsd }: RfqSettings,
): string | null {
  if (maxOutstandingUsd === null) return null
  let total = outstandingUsd(order)
  for (const one of Object.values(openOrders)) if (one !== order) total += outstandingUsd(one)
  if (total <= maxOutstandingUsd) return null
  const [now, most] = [Number(total) / 1e18, Number(maxOutstandingUsd) / 1e18]
  return `it would raise the outstanding orders to ${now.toFixed(2)} dollars, above rfq.maxOutstandingUsd of ${most}`
}

import type { Fill } from '../../ledger/fills/fill.ts'
import type { PricingCandidates } from '../../ledger/fills/pricing.ts'
import { grainOf } from '../../ledger/reconciliation/state.ts'
import { namedFees } from '../../market/fee-words.ts'
import { pairCandidates } from '../../market/pair-mids.ts'
import { pairOf } from '../../../base/money/asset.ts'
import type { EngineState } from '../model/state.ts'

/** The venue's default slippage tolerance. Some implementations pay the taker exactly this floor. */
const SLIPPAGE_BPS = [100] as const

/** Returns the recent mids and own spreads, and the named fees, that may have priced a fill of the pool. */
export function pricingCandidates(
  { market, config, history, reconciliation }: EngineState,
  fill: Fill,
): PricingCandidates {
  return {
    grain: grainOf(reconciliation)[fill.outAsset],
    isFine: reconciliation.isFine === true || fill.fee !== null,
    mids: [...pairCandidates(market, pairOf(fill)), ...history.mids],
    spreads: history.spreads,
    protocolFeeBps: market.protocolFeeBps ?? config.fees.protocolFeeBps,
    otherFeesBps: namedFees(market, config.fees.protocolFeeBps),
    slippageBps: SLIPPAGE_BPS,
  }
}

import { MINUTE_MS, type Ms } from '../../../base/time.ts'
import type { Fill } from '../../ledger/fills/fill.ts'
import { inferPricing, type PricingCandidates } from '../../ledger/fills/pricing.ts'
import type { EngineState } from '../model/state.ts'
import type { Transition } from '../transition.ts'
import { grainOf } from '../../ledger/reconciliation/state.ts'
import { statedFees } from '../../market/stated-fees.ts'
import { pairCandidates } from '../../market/pair-mids.ts'
import { pairOf } from '../../../base/money/asset.ts'

/** A new mid prices fills before the public rate and GET /rate show it, by at most this. */
const SHOWN_WITHIN_MS: Ms = MINUTE_MS

/** Alerts about a fill that no formula explains. If the public rate is polled, first waits a minute for a mid that explains it. */
export function reportUnexplained(transition: Transition, fill: Fill): void {
  const { state, now } = transition
  if (state.config.publicRate === null) return alertUnexplained(transition, fill)
  state.flow.unexplained = [...state.flow.unexplained, { fill, at: now }]
  transition.expedite('rate')
}

/** Tries to explain the waiting fills with the mids that an answer has added. */
export function explainAgain(transition: Transition): void {
  const { state, now } = transition
  const waiting = state.flow.unexplained
  if (waiting.length === 0) return
  const stillWaiting = waiting.filter(({ fill }) => !isExplained(state, fill))
  const isOver = ({ at }: { readonly at: Ms }) => now - at >= SHOWN_WITHIN_MS
  for (const one of stillWaiting) if (isOver(one)) alertUnexplained(transition, one.fill)
  state.flow.unexplained = stillWaiting.filter((one) => !isOver(one))
}

function isExplained(state: EngineState, fill: Fill): boolean {
  return inferPricing(fill, pricingCandidates(state, fill)).formula !== 'unexplained'
}

function alertUnexplained(transition: Transition, { id }: Fill): void {
  transition.alert('fill-unexplained', `no formula explains fill ${id}: the payout differs from the quote`)
}

/** The venue's default slippage tolerance. Some implementations pay the taker exactly this floor. */
const SLIPPAGE_BPS = [100] as const

/** Returns the recent mids and own spreads, and the named fees, that may have priced a fill of the pool. */
export function pricingCandidates(
  { market, config, history, reconciliation }: EngineState,
  fill: Fill,
): PricingCandidates {
  const ofPair = pairCandidates(market, pairOf(fill))
  return {
    grain: grainOf(reconciliation)[fill.outAsset],
    isFine: reconciliation.isFine || fill.fee !== null,
    mids: ofPair.length === 0 ? history.mids : [...ofPair, ...history.mids],
    spreads: history.spreads,
    protocolFeeBps: market.protocolFeeBps ?? config.fees.protocolFeeBps,
    otherFeesBps: statedFees(market, config.fees.protocolFeeBps),
    slippageBps: SLIPPAGE_BPS,
  }
}

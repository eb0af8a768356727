import { applyFill, postFill } from '../ledger/post-fill.ts'
import { explainFill } from '../ledger/explain-fill.ts'
import { feeDebit, postedFill, type PostedFill } from '../ledger/fee-model.ts'
import type { Fill } from '../ledger/fill.ts'
import { fairValue } from '../market/fair-value.ts'
import { isStable, TO_18_DECIMALS, type StableAsset } from '../money/asset.ts'
import { countFill } from './count-fill.ts'
import type { Turn } from './turn.ts'

/** Tolerances of takers that implementations have been seen to pay out in full: the venue's default. */
const SLIPPAGE_BPS = [100] as const

/** Books one fill: which formula explains it, what the fee was, what it did to the position. */
export function bookFill(turn: Turn, fill: Fill): PostedFill {
  const { state, now } = turn
  const { market, book, completeness, config } = state
  const explanation = explainFill(fill, {
    mids: state.history.mids,
    spreads: state.history.spreads,
    protocolFeeBps: market.protocolFeeBps ?? config.fees.protocolFeeBps,
    slippageBps: SLIPPAGE_BPS,
  })
  const { fee, formula } = explanation
  const venueMid = explanation.mid ?? market.mid
  const stable: StableAsset = isStable(fill.inAsset) ? fill.inAsset : (fill.outAsset as StableAsset)
  const dollars = isStable(fill.inAsset) ? fill.amountIn : fill.amountOut
  const volumeUsd = dollars * TO_18_DECIMALS[stable]
  const { id, side, inAsset, amountIn, outAsset, amountOut } = fill
  const shown = { id, side, inAsset, amountIn, outAsset, amountOut, at: fill.createdAt, seenAt: now }
  const recent = { at: now, side: fill.side, stable, usd: Number(volumeUsd) / 1e18 }
  countFill(state.flow, recent, volumeUsd, shown)
  const debit = feeDebit(completeness.fees.model, fee)
  if (!turn.observes) {
    applyFill(book, fill, debit, venueMid, fairValue(market))
    return postedFill(fill, fee)
  }
  const entry = postFill(book, now, fill, debit, venueMid, fairValue(market))
  turn.observations.push({
    type: 'fillPosted',
    t: now,
    fill,
    fee,
    feeSource: fill.fee === null ? 'computed' : 'row',
    midAtFill: venueMid,
    formula,
    volumeUsd,
  })
  turn.observations.push({ type: 'entryPosted', entry })
  if (formula === 'unexplained' && state.heard.rate) {
    const message = `no formula explains fill ${fill.id}: what was paid is not what was quoted`
    turn.observations.push({ type: 'alert', t: now, severity: 'warning', code: 'fill-unexplained', message })
  }
  return postedFill(fill, fee)
}

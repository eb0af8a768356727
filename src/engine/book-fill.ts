import { applyFill, postFill } from '../ledger/post-fill.ts'
import { explainFill, type FillCandidates } from '../ledger/explain-fill.ts'
import type { FeeLearning } from '../ledger/fee-learning.ts'
import { feeAtRate } from '../ledger/fee-rate.ts'
import { namedFees } from '../market/fee-words.ts'
import { feeDebit, postedFill, type PostedFill } from '../ledger/fee-model.ts'
import type { Fill } from '../ledger/fill.ts'
import { fillAsLastSeen, fillElsewhere } from '../ledger/other-chain.ts'
import type { Rate } from '../money/rate.ts'
import { fairValue } from '../market/fair-value.ts'
import { checkFillPrice } from './safeguards/fill-price.ts'
import { countFill } from './count-fill.ts'
import { reviewFill } from './safeguards/review.ts'
import { showFill } from './show-fill.ts'
import type { Transition } from './transition.ts'

/** Tolerances of takers that implementations have been seen to pay out in full: the venue's default. */
const SLIPPAGE_BPS = [100] as const

/** Books one fill: which formula explains it, what the fee was, what it did to the position. */
export function bookFill(turn: Transition, row: Fill): PostedFill {
  const { state, now } = turn
  const fill = fillAsLastSeen(row, state.completeness.bareChain)
  if (!turn.observes && fill.fee !== null) return bookUnobserved(turn, fill, fill.fee)
  const { market, book, completeness, config } = state
  const candidates: FillCandidates = {
    mids: state.history.mids,
    spreads: state.history.spreads,
    protocolFeeBps: market.protocolFeeBps ?? config.fees.protocolFeeBps,
    otherFeesBps: namedFees(market, config.fees.protocolFeeBps),
    slippageBps: SLIPPAGE_BPS,
  }
  const explanation = explainFill(fill, candidates)
  const { fee: word, formula } = explanation
  const fee = feeTaken(completeness.fees, fill, word)
  const venueMid = explanation.mid ?? market.mid
  const { id, side, inAsset, amountIn, outAsset, amountOut } = fill
  const shown = { id, side, inAsset, amountIn, outAsset, amountOut, at: fill.createdAt, seenAt: now }
  const volumeUsd = countFill(state.flow, now, fill)
  showFill(state.flow, shown)
  const debit = feeDebit(completeness.fees.model, fee)
  const entry = postFill(book, now, fill, debit, venueMid, fairValue(market))
  checkFillPrice(turn, fill, debit)
  reviewFill(turn, { side, usd18: volumeUsd })
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
  const posted = postedFill(fill, fee, word, fill.fee === null || completeness.fees.rate !== null)
  return withElsewhere(
    posted,
    fill,
    completeness.fees,
    venueMid ?? book.pnl.mark,
    (other) => explainFill(other, candidates).fee,
  )
}

/** What a fill whose row names no chain is on the other one, should the balances show it there. */
function withElsewhere(
  posted: PostedFill,
  fill: Fill,
  fees: FeeLearning,
  mid: Rate | null,
  wordOf: (other: Fill) => bigint,
): PostedFill {
  if (fill.chainNamed !== false) return posted
  const other = fillElsewhere(fill)
  const word = other.fee ?? wordOf(other)
  return { ...posted, elsewhere: { id: fill.id, fee: feeTaken(fees, other, word), word, mid } }
}

/** The fee that the balances showed, where they showed another one than the rows name. */
function feeTaken({ rate }: FeeLearning, { amountOut }: Fill, word: bigint): bigint {
  return rate === null ? word : feeAtRate(rate, { amountOut, word })
}

/**
 * The same for a shell that wants to hear of no fill: which formula explains it is not asked. What the
 * ledger holds and the total of its PnL do not depend on that, so no decision does; only how the total is
 * divided between spread and stale mid, for which a backtest keeps a book of its own.
 */
function bookUnobserved({ state, now }: Transition, fill: Fill, word: bigint): PostedFill {
  const { market, book, completeness } = state
  const fee = feeTaken(completeness.fees, fill, word)
  applyFill(book, fill, feeDebit(completeness.fees.model, fee), market.mid, fairValue(market))
  countFill(state.flow, now, fill)
  const posted = postedFill(fill, fee, word, fill.fee === null || completeness.fees.rate !== null)
  return withElsewhere(posted, fill, completeness.fees, market.mid ?? book.pnl.mark, () => word)
}

import { applyActions, reconciliationTerms } from './reconcile.ts'
import { dedupeFills } from '../../ledger/fills/dedupe.ts'
import { reconcile } from '../../ledger/reconciliation/reconcile.ts'
import { bringForward } from '../../pacing/reschedule.ts'
import type { FillsEvent } from '../model/event.ts'
import { deferFills } from './deferred-fills.ts'
import { priceMemory } from '../safeguards/quote-history.ts'
import type { Transition } from '../transition.ts'
import { applyFill, postFill } from '../../ledger/book/post-fill.ts'
import { inferPricing, type PricingCandidates } from '../../ledger/fills/pricing.ts'
import {
  feeAtRate,
  feeDebit,
  type FeeLearning,
  postedFill,
  type PostedFill,
} from '../../ledger/fills/fees.ts'
import { namedFees } from '../../market/fee-words.ts'
import type { Fill } from '../../ledger/fills/fill.ts'
import { fillAsLastSeen, fillElsewhere } from '../../ledger/fills/other-chain.ts'
import type { Rate } from '../../money/rate.ts'
import { fairValue } from '../../market/fair-value.ts'
import { checkFillPrice } from '../safeguards/fill-price.ts'
import { countFill, showFill } from './flow.ts'
import { reviewFill } from '../safeguards/review.ts'

/** GET /fills: every new row is booked once, what cannot be judged is said, completeness is judged. */
export function handleFills(transition: Transition, event: FillsEvent): void {
  const { state, now } = transition
  state.heard.fills = true
  const admission = dedupeFills(state.completeness, deferFills(transition, event.fills))
  const posted = admission.fresh.map((fill) => bookFill(transition, fill))
  for (const row of event.quarantined) transition.emit({ type: 'rowQuarantined', t: now, row })
  for (const fill of [...admission.changed, ...admission.tooOld]) {
    const reason = admission.changed.includes(fill)
      ? 'the venue changed a fill that was booked already'
      : 'older than the fills that are remembered'
    transition.emit({ type: 'rowQuarantined', t: now, row: { id: fill.id, reason, raw: fill.raw } })
  }
  if (posted.length > 0) {
    transition.requestDecision('fill')
    // What a fill really moved is seen in the balances, and nowhere else.
    bringForward(state.pacing, state.config.pacing, now, 'balances')
  }
  priceMemory(state).polledAt = now
  applyActions(
    transition,
    reconcile(state.completeness, {
      t: now,
      sentAt: event.sentAt,
      repeated: event.repeated,
      windowFull: event.windowFull,
      admission,
      posted,
      accounts: state.book.accounts,
      ...reconciliationTerms(state),
    }),
  )
}

/** Tolerances of takers that implementations have been seen to pay out in full: the venue's default. */
const SLIPPAGE_BPS = [100] as const

/** Books one fill: which formula explains it, what the fee was, what it did to the position. */
export function bookFill(transition: Transition, row: Fill): PostedFill {
  const { state, now } = transition
  const fill = fillAsLastSeen(row, state.completeness.bareChain)
  if (!transition.observes && fill.fee !== null) return bookUnobserved(transition, fill, fill.fee)
  const { market, book, completeness, config } = state
  const candidates: PricingCandidates = {
    mids: state.history.mids,
    spreads: state.history.spreads,
    protocolFeeBps: market.protocolFeeBps ?? config.fees.protocolFeeBps,
    otherFeesBps: namedFees(market, config.fees.protocolFeeBps),
    slippageBps: SLIPPAGE_BPS,
  }
  const explanation = inferPricing(fill, candidates)
  const { fee: word, formula } = explanation
  const fee = feeTaken(completeness.fees, fill, word)
  const venueMid = explanation.mid ?? market.mid
  const { id, side, inAsset, amountIn, outAsset, amountOut } = fill
  const shown = { id, side, inAsset, amountIn, outAsset, amountOut, at: fill.createdAt, seenAt: now }
  const volumeUsd = countFill(state.flow, now, fill)
  showFill(state.flow, shown)
  const debit = feeDebit(completeness.fees.model, fee)
  const entry = postFill(book, now, fill, debit, venueMid, fairValue(market))
  checkFillPrice(transition, fill, debit)
  reviewFill(transition, { side, usd18: volumeUsd })
  transition.emit({
    type: 'fillPosted',
    t: now,
    fill,
    fee,
    feeSource: fill.fee === null ? 'computed' : 'row',
    midAtFill: venueMid,
    formula,
    volumeUsd,
  })
  transition.emit({ type: 'entryPosted', entry })
  if (formula === 'unexplained' && state.heard.rate) {
    const message = `no formula explains fill ${fill.id}: what was paid is not what was quoted`
    transition.alert('warning', 'fill-unexplained', message)
  }
  const posted = postedFill(fill, fee, word, fill.fee === null || completeness.fees.rate !== null)
  return withElsewhere(
    posted,
    fill,
    completeness.fees,
    venueMid ?? book.pnl.mark,
    (other) => inferPricing(other, candidates).fee,
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

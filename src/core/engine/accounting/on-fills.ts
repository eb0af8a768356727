import { applyFill, postFill } from '../../ledger/book/post-fill.ts'
import type { Location } from '../../ledger/book/book.ts'
import { dedupeFills } from '../../ledger/fills/dedupe.ts'
import {
  feeAtRate,
  feeDebit,
  type FeeLearning,
  postedFill,
  type PostedFill,
} from '../../ledger/fills/fees.ts'
import type { Fill } from '../../ledger/fills/fill.ts'
import { fillAsLastSeen, fillElsewhere } from '../../ledger/fills/other-chain.ts'
import { explanationsOf, type FillFormula, inferPricing } from '../../ledger/fills/pricing.ts'
import { movedText, recordFillsInCall } from '../../ledger/reconciliation/deactivation.ts'
import { settleFillsPoll } from '../../ledger/reconciliation/reconcile.ts'
import { grainOf, learnGrain, type ReconciliationState } from '../../ledger/reconciliation/state.ts'
import { fairValue } from '../../market/fair-value.ts'
import { executionMidOf, publicMidNamedAt } from '../../market/pair-mids.ts'
import { type BookAmount, pairOf, type RoutedStable } from '../../../base/money/asset.ts'
import type { Rate } from '../../../base/money/rate.ts'
import { recordFilledSide } from '../../quoting/confirmation.ts'
import { bringForward } from '../../pacing/reschedule.ts'
import { isPublicRateFailing } from '../../pacing/state.ts'
import { quoteStableOf } from '../model/config.ts'
import type { EngineState } from '../model/state.ts'
import type { FillsEvent } from '../model/event.ts'
import { recordPollWhileLeaving } from '../model/activation-state.ts'
import { checkFillPrice } from '../safeguards/check-fill-price.ts'
import { priceMemory } from '../safeguards/quote-history.ts'
import { reviewFill } from '../safeguards/review.ts'
import type { Transition } from '../transition.ts'
import { deferFills } from './deferred-fills.ts'
import { pricingCandidates, reportUnexplained } from './unexplained.ts'
import { countFill, countSlippage, showFill } from '../model/flow-state.ts'
import { countMarkout } from './markouts.ts'
import { applyActions, emitEntry, reconciliationTerms } from './reconcile.ts'
import { recordSeen } from '../requests/requests.ts'
import { recordReadableRows } from './unreadable.ts'

const CHANGED = 'the venue changed a fill that is already booked'

/** Handles GET /fills: books each new row once, reports rows that cannot be booked, and reconciles the balances. */
export function handleFills(transition: Transition, event: FillsEvent): void {
  const { state, now } = transition
  recordSeen(state, 'fills')
  const deduped = dedupeFills(state.reconciliation, deferFills(transition, event.fills))
  const posted = deduped.fresh.map((fill) => bookPoolFill(transition, fill))
  reportFillsInDeactivation(transition, deduped.fresh, posted)
  for (const row of event.quarantined) transition.emit({ type: 'rowQuarantined', t: now, row })
  quarantine(transition, deduped.changed, CHANGED)
  quarantine(transition, deduped.tooOld, 'older than the fills that are remembered')
  if (posted.length > 0) {
    transition.requestDecision('fill')
    // Only the balances show what a fill actually moved.
    bringForward(state.pacing, state.config.pacing, now, 'balances')
  }
  priceMemory(state).polledAt = now
  // A row older than the remembered fills is readable: the balances show whether it was booked.
  const changed = deduped.changed.map(({ id, raw }) => ({ id, raw, reason: CHANGED }))
  recordReadableRows(transition, event.fills, event.quarantined.concat(changed))
  const { sentAt, repeated, windowFull } = event
  recordPollWhileLeaving(state.activation, now, { sentAt, fills: posted.length })
  const terms = reconciliationTerms(state, now, sentAt, posted)
  applyActions(transition, settleFillsPoll(state.reconciliation, terms, { repeated, windowFull, deduped }))
}

/** Reports fills that arrive after a deactivation was sent: it may not pay them out. */
function reportFillsInDeactivation(
  transition: Transition,
  fresh: readonly Fill[],
  posted: readonly PostedFill[],
): void {
  const { reconciliation } = transition.state
  if (reconciliation.deactivation === null || fresh.length === 0) return
  const fills = posted.map((fill, n) => ({ ...fill, id: fresh[n]?.id ?? '' }))
  recordFillsInCall(reconciliation, fills)
  const named = fills.map((fill) => `${fill.id} (${movedText([fill], reconciliation.fees.model)})`)
  transition.alert(
    'void-fills',
    `fills came during the deactivation and may be void; the wallet will show it: ${named.join(', ')}`,
  )
}

/** Reports rows that are not booked: the books hold another version of them, or may already include them. */
function quarantine({ now, emit }: Transition, fills: readonly Fill[], reason: string): void {
  for (const { id, raw } of fills) emit({ type: 'rowQuarantined', t: now, row: { id, reason, raw } })
}

/** Books one fill of the pool with its pricing formula and its fee. */
export function bookPoolFill(transition: Transition, row: Fill): PostedFill {
  const { state } = transition
  const fill = fillAsLastSeen(row, state.reconciliation.bareChain)
  if (!transition.observes && fill.fee !== null) return bookUnobserved(transition, fill, fill.fee)
  const { market, book, reconciliation } = state
  learnGrain(reconciliation, fill.inAsset, fill.amountIn)
  learnGrain(reconciliation, fill.outAsset, fill.amountOut)
  learnGrain(reconciliation, fill.outAsset, fill.fee ?? 0n)
  const grain = grainOf(reconciliation)[fill.outAsset]
  const candidates = pricingCandidates(state, fill)
  const pricing = inferPricing(fill, candidates)
  const { fee: statedFee, formula } = pricing
  const fee = feeTaken(reconciliation.fees, fill, statedFee, grain)
  const midAtFill =
    pricing.mid ?? (isMidOld(state, pairOf(fill)) ? null : executionMidOf(market, pairOf(fill), state.now))
  const debit = feeDebit(reconciliation.fees.model, fee)
  countSlippage(state.flow, fill, pricing)
  // Journals from before drainMs were decided without it.
  if (state.config.quote.drainMs !== null)
    recordFilledSide(state.quoting, fill.side, priceMemory(state).polledAt)
  const alternatives = candidates.isFine && formula !== 'unexplained' ? explanationsOf(fill, candidates) : []
  recordFill(transition, fill, { fee, debit, midAtFill, formula, where: 'pool', alternatives })
  if (formula === 'unexplained' && state.received.rate) reportUnexplained(transition, fill)
  const posted = postedFill(fill, fee, statedFee, fill.fee === null || reconciliation.fees.rate !== null)
  return withElsewhere(
    posted,
    fill,
    reconciliation,
    midAtFill ?? book.pnl.mark,
    (other) => inferPricing(other, { ...candidates, grain: grainOf(reconciliation)[other.outAsset] }).fee,
  )
}

/** Returns whether the mid of this pair comes from a public rate that currently fails, so that the mid of the fill is unknown. */
function isMidOld({ config, pacing, market, now }: EngineState, stable: RoutedStable): boolean {
  if (!config.strictReadings || !isPublicRateFailing(pacing)) return false
  return publicMidNamedAt(market, stable, quoteStableOf(config), now) !== null
}

/** The booking of a fill: the full fee, the part that our position pays (`debit`), and the location of our units. */
type FillBooking = {
  readonly fee: bigint
  readonly debit: bigint
  readonly midAtFill: Rate | null
  readonly formula: FillFormula | 'order'
  readonly where: Location
  readonly alternatives?: readonly string[]
}

/** Books a fill of the pool or of an order: counts it, posts it at the fair value and reports it. */
export function recordFill(transition: Transition, fill: Fill, booking: FillBooking): void {
  const { state, now } = transition
  const { fee, debit, midAtFill, formula, where, alternatives = [] } = booking
  const volumeUsd = countFill(state.flow, now, fill)
  showFill(state.flow, now, fill)
  countMarkout(state, fill, debit)
  const entry = postFill(state.book, now, fill, {
    paidFee: debit,
    venueMid: midAtFill,
    fairValue: fairValue(state.market),
    where,
  })
  // An order fixes its own price: only a fill of the pool can have a wrong one.
  if (where === 'pool') checkFillPrice(transition, fill, debit)
  reviewFill(transition, { side: fill.side, usd18: volumeUsd })
  // Replays compare observations in order: the entry of an order's fill comes first.
  if (where === 'wallet') emitEntry(transition, entry)
  const feeSource = fill.fee === null ? 'computed' : 'row'
  const posted = { type: 'fillPosted', t: now, fill, fee, feeSource, midAtFill, formula, volumeUsd } as const
  transition.emit(alternatives.length > 1 ? { ...posted, alternatives } : posted)
  if (where === 'pool') emitEntry(transition, entry)
}

/**
 * Books a fill for a shell that reads no observations, without inferring its formula. Holdings and total PnL do not depend on
 * the formula; only the split of the PnL between spread and stale mid does, and a backtest computes that itself. Also skips
 * the price check, the check that a closed side was not filled, and the review, so the rules that depend on them cannot fire.
 */
function bookUnobserved({ state, now }: Transition, fill: Fill, statedFee: bigint): PostedFill {
  const { market, book, reconciliation } = state
  const fee = feeTaken(reconciliation.fees, fill, statedFee, grainOf(reconciliation)[fill.outAsset])
  const debit = feeDebit(reconciliation.fees.model, fee)
  applyFill(book, fill, { paidFee: debit, venueMid: market.mid, fairValue: fairValue(market) })
  countFill(state.flow, now, fill)
  countMarkout(state, fill, debit)
  const posted = postedFill(fill, fee, statedFee, fill.fee === null || reconciliation.fees.rate !== null)
  return withElsewhere(posted, fill, reconciliation, market.mid ?? book.pnl.mark, () => statedFee)
}

/** Adds the fee of the fill on the other chain, for a row without a chain that the balances may show there. */
function withElsewhere(
  posted: PostedFill,
  fill: Fill,
  reconciliation: ReconciliationState,
  mid: Rate | null,
  statedFeeOf: (other: Fill) => BookAmount,
): PostedFill {
  if (fill.chainNamed !== false) return posted
  const other = fillElsewhere(fill)
  const statedFee = other.fee ?? statedFeeOf(other)
  const fee = feeTaken(reconciliation.fees, other, statedFee, grainOf(reconciliation)[other.outAsset])
  return { ...posted, elsewhere: { id: fill.id, fee, word: statedFee, mid } }
}

/** Returns the fee at the rate that the balances showed, if it differs from the rows; else the fee of the row. */
function feeTaken(
  { rate }: FeeLearning,
  { amountOut }: Fill,
  statedFee: BookAmount,
  grain: BookAmount,
): BookAmount {
  return rate === null ? statedFee : feeAtRate(rate, { amountOut, word: statedFee }, grain)
}

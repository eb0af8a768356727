import { postedFill, type PostedFill } from '../../ledger/fills/fees.ts'
import type { Fill } from '../../ledger/fills/fill.ts'
import { postFill, postFillUndone } from '../../ledger/book/post-fill.ts'
import { fairValue } from '../../market/fair-value.ts'
import { ASSETS, isStable, type Asset } from '../../money/asset.ts'
import type { ChainFill } from '../../rfq/chain-reading.ts'
import type { Hex } from '../../rfq/rfq-order.ts'
import type { RecentOrderFill } from '../../rfq/state.ts'
import type { RfqSettings } from '../../rfq/rfq-settings.ts'
import { recordBookedFill, type NewFill } from '../../rfq/apply-reading.ts'
import { countFill, showFill } from './flow.ts'
import { emitEntry } from './reconcile.ts'
import { reviewFill } from '../safeguards/review.ts'
import type { Transition } from '../transition.ts'

/** A fill of an order left and entered our wallet: booked there, once, without a protocol fee. */
export function bookOrderFill(
  transition: Transition,
  settings: RfqSettings,
  { fill: chainFill, owed }: NewFill,
): PostedFill | null {
  const { state, now } = transition
  const { market, book } = state
  const fill = ledgerFill(settings, chainFill)
  if (fill === null) {
    recordBookedFill(state.rfq, { fill: chainFill, mid: null })
    alertUnnamedTokens(transition, chainFill)
    return null
  }
  const { id, side, inAsset, amountIn, outAsset, amountOut } = fill
  const volumeUsd = countFill(state.flow, now, fill)
  reviewFill(transition, { side, usd18: volumeUsd })
  showFill(state.flow, { id, side, inAsset, amountIn, outAsset, amountOut, at: null, seenAt: now })
  emitEntry(transition, postFill(book, now, fill, 0n, market.mid, fairValue(market), 'wallet'))
  recordBookedFill(state.rfq, { fill: chainFill, mid: market.mid })
  state.rfq.counts.fills += 1
  const isWhole = owed !== null && owed.takerFilled === owed.order.takerAmount
  transition.emit({
    type: 'fillPosted',
    t: now,
    fill,
    fee: 0n,
    feeSource: 'row',
    midAtFill: market.mid,
    formula: 'order',
    volumeUsd,
  })
  const salt = owed?.order.salt ?? null
  transition.emit({ type: 'orderFilled', t: now, salt, fill: chainFill, isWhole })
  if (owed === null) alertUnknownOrder(transition, chainFill)
  return postedFill(fill, 0n)
}

function alertUnknownOrder({ alert }: Transition, { txHash }: ChainFill): void {
  const message = `transaction ${txHash} filled an order of our wallet that this store does not know: somebody else signs with this key, or the store is not the one it was`
  alert('critical', 'order-unknown', message)
}

/** A reorganisation took a booked fill from the chain: it is taken back by name. */
export function undoOrderFill(
  transition: Transition,
  settings: RfqSettings,
  { fill: chainFill, mid }: RecentOrderFill,
): void {
  const { state, now } = transition
  const fill = ledgerFill(settings, chainFill)
  if (fill === null) return
  emitEntry(transition, postFillUndone(state.book, now, fill, mid, fairValue(state.market), 'wallet'))
  transition.emit({ type: 'orderFillUndone', t: now, fill: chainFill })
  transition.alert(
    'warning',
    'fill-undone',
    `fill ${fill.id} is not on the chain any more: the chain was reorganised, and the fill is taken back`,
  )
}

/** As the ledger books it; null where a token of it is none of ours. */
function ledgerFill(settings: RfqSettings, fill: ChainFill): Fill | null {
  const inAsset = assetAt(settings, fill.takerToken)
  const outAsset = assetAt(settings, fill.makerToken)
  if (inAsset === null || outAsset === null) return null
  return {
    id: fill.key,
    side: isStable(inAsset) ? 'ask' : 'bid',
    inAsset,
    amountIn: fill.takerAmount,
    outAsset,
    amountOut: fill.makerAmount,
    fee: 0n,
    earnedText: null,
    txHash: fill.txHash,
    createdAt: null,
    raw: '',
  }
}

function assetAt({ tokens }: RfqSettings, token: Hex): Asset | null {
  return ASSETS.find((asset) => tokens[asset] === token) ?? null
}

function alertUnnamedTokens(transition: Transition, { txHash, makerToken, takerToken }: ChainFill): void {
  transition.alert(
    'critical',
    'order-unknown',
    `transaction ${txHash} filled an order of our wallet in tokens that rfq.tokens does not name (${makerToken} for ${takerToken})`,
  )
}

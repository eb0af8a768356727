import { postedFill, type PostedFill } from '../../ledger/fills/fees.ts'
import type { Fill } from '../../ledger/fills/fill.ts'
import { postFillUndone } from '../../ledger/book/post-fill.ts'
import { fairValue } from '../../market/fair-value.ts'
import { ASSETS, isStable, toBook, type Asset } from '../../../base/money/asset.ts'
import type { ChainFill } from '../../rfq/chain-reading.ts'
import type { Hex } from '../../rfq/rfq-order.ts'
import { recordBookedFill, type RecentOrderFill } from '../../rfq/state.ts'
import type { RfqSettings } from '../../rfq/rfq-settings.ts'
import type { NewFill } from '../../rfq/apply-reading.ts'
import { recordFill } from './on-fills.ts'
import { emitEntry } from './reconcile.ts'
import type { Transition } from '../transition.ts'

/** Books a fill of an order in our wallet, once and without a protocol fee. */
export function bookOrderFill(
  transition: Transition,
  settings: RfqSettings,
  { fill: chainFill, open }: NewFill,
): PostedFill | null {
  const { state, now } = transition
  const { mid } = state.market
  const fill = ledgerFill(settings, chainFill)
  recordBookedFill(state.rfq, { fill: chainFill, mid: fill === null ? null : mid }, fill !== null)
  if (fill === null) {
    alertUnnamedTokens(transition, chainFill)
    return null
  }
  recordFill(transition, fill, { fee: 0n, debit: 0n, midAtFill: mid, formula: 'order', where: 'wallet' })
  const isWhole = open !== null && open.takerFilled === open.order.takerAmount
  const salt = open?.order.salt ?? null
  transition.emit({ type: 'orderFilled', t: now, salt, fill: chainFill, isWhole })
  if (open === null) alertUnknownOrder(transition, chainFill)
  return postedFill(fill, 0n)
}

function alertUnknownOrder({ alert }: Transition, { txHash }: ChainFill): void {
  const message = `transaction ${txHash} filled an order of our wallet that this store does not know: someone else signs with this key, or this is not the original store`
  alert('order-unknown', message)
}

/** Reverses a booked fill that a reorganisation removed from the chain. */
export function undoOrderFill(
  transition: Transition,
  settings: RfqSettings,
  { fill: chainFill, mid }: RecentOrderFill,
): void {
  const { state, now } = transition
  const fill = ledgerFill(settings, chainFill)
  if (fill === null) return
  emitEntry(
    transition,
    postFillUndone(state.book, now, fill, { venueMid: mid, fairValue: fairValue(state.market) }),
  )
  transition.emit({ type: 'orderFillUndone', t: now, fill: chainFill })
  transition.alert(
    'fill-undone',
    `fill ${fill.id} is no longer on the chain: the chain was reorganised, and the fill is reversed`,
  )
}

/** Returns the fill as the ledger books it; null = one of its tokens is not ours. */
function ledgerFill(settings: RfqSettings, fill: ChainFill): Fill | null {
  const inAsset = assetAt(settings, fill.takerToken)
  const outAsset = assetAt(settings, fill.makerToken)
  if (inAsset === null || outAsset === null) return null
  return {
    id: fill.key,
    side: isStable(inAsset) ? 'ask' : 'bid',
    inAsset,
    amountIn: toBook(fill.takerAmount, inAsset),
    outAsset,
    amountOut: toBook(fill.makerAmount, outAsset),
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
    'order-unknown',
    `transaction ${txHash} filled an order of our wallet in tokens that rfq.tokens does not name (${makerToken} for ${takerToken})`,
  )
}

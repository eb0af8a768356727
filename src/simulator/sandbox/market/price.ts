import {
  isStable,
  toBook,
  TOKEN_UNIT,
  toTokens,
  type Asset,
  type StableAsset,
  type TokenAmount,
} from '../../../base/money/asset.ts'
import { grossPayout, splitProtocolFee, type BidFormula } from '../../../base/money/payout.ts'
import { type Rate, parseRate } from '../../../base/money/rate.ts'
import type { Side } from '../../../base/money/side.ts'
import { invariant } from '../../../base/result.ts'
import type { VenueState } from '../state.ts'

/** A swap that the venue can price: exactly one end is the shilling. */
export type Pair = {
  readonly side: Side
  readonly from: Asset
  readonly to: Asset
  readonly stable: StableAsset
}

/** Returns null unless exactly one end is the shilling. */
export function pricedPairOf(from: Asset, to: Asset): Pair | null {
  if (isStable(from) && to === 'NTZS') return { side: 'ask', from, to, stable: from }
  if (from === 'NTZS' && isStable(to)) return { side: 'bid', from, to, stable: to }
  return null
}

export type Price = {
  readonly gross: bigint
  /** The taker's proceeds after the protocol fee: expectedOutput. */
  readonly net: bigint
  readonly fee: bigint
  /** The taker's minimum: net less slippage. */
  readonly floor: bigint
}

export function priceSwap(
  pair: Pair,
  amountIn: bigint,
  mid: Rate,
  spreadBps: number,
  terms: { readonly bidFormula: BidFormula; readonly protocolFeeBps: number },
  slippageBps: number,
): Price {
  const gross = grossTokens(pair, amountIn, mid, spreadBps, terms.bidFormula)
  const { net, fee } = splitProtocolFee(gross, terms.protocolFeeBps)
  return { gross, net, fee, floor: (net * BigInt(10_000 - slippageBps)) / 10_000n }
}

/** Returns the provider's payout before the protocol fee, rounded down to a unit of the token. */
export function grossTokens(
  pair: Pair,
  amountIn: TokenAmount,
  mid: Rate,
  spreadBps: number,
  formula: BidFormula,
): TokenAmount {
  const swap = { side: pair.side, grain: TOKEN_UNIT[pair.to] }
  return toTokens(grossPayout(swap, toBook(amountIn, pair.from), mid, spreadBps, formula), pair.to)
}

/** Returns the taker's effective rate in TZS per dollar, spread and fee included; for display only. */
export function effectiveRate(
  side: Side,
  mid: number,
  spreadBps: number,
  feeBps: number,
  formula: BidFormula,
): number {
  const keep = 1 - feeBps / 10_000
  const spread = spreadBps / 10_000
  if (side === 'ask') return mid * (1 - spread) * keep
  return formula === 'divide' ? (mid * (1 + spread)) / keep : mid / ((1 - spread) * keep)
}

/** The rate in GET /rate if the configuration has no row. */
const RATE_WITHOUT_ROW = 3_750

/** Returns the mid of the configuration row, used by GET /rate and GET /quote: a whole number of shillings. */
export function configuredMid({ midNumber, options }: VenueState): number {
  const { rateBps } = options.measured
  return rateBps === null ? RATE_WITHOUT_ROW : Math.round(midNumber * (1 + rateBps / 10_000))
}

/** Returns the mid at which fills of a pair execute. In `contract` it is the venue's only mid. */
export function pairMid(
  { mid, midNumber, options }: VenueState,
  stable: StableAsset,
): { readonly rate: Rate; readonly number: number } {
  const shift = options.measured.pairBps[stable === 'USDC' ? 'USDC' : 'USDT']
  if (options.venue === 'contract' || shift === 0) return { rate: mid, number: midNumber }
  const number = Math.round(midNumber * (10_000 + shift)) / 10_000
  const rate = parseRate(number)
  invariant(rate.ok, 'the mid of a pair must be a rate')
  return { rate: rate.value, number }
}

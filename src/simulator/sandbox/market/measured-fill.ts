import {
  toBook,
  toTokens,
  TOKEN_DECIMALS,
  type BookAmount,
  type TokenAmount,
} from '../../../base/money/asset.ts'
import { formatDecimalText } from '../../../base/money/decimal-text.ts'
import { divide } from '../../../base/money/rounding.ts'
import type { Pair } from './price.ts'
import { addToPool, type Provider, type VenueFill } from './provider.ts'
import type { VenueState } from '../state.ts'
import { type FillSource, priceMeasured } from './measured-price.ts'

type FillAmounts = Pick<VenueFill, 'amountOut' | 'fee' | 'debit' | 'earned' | 'measured'>

type MeasuredWish = {
  readonly pair: Pair
  readonly amountIn: TokenAmount
  readonly slippageBps: number
  readonly source?: FillSource
}

/** Returns the amounts of a fill: whole units of the token are paid on the chain, and `measured` has the amounts in the venue's book. */
export function fillMeasured(
  { faults }: VenueState,
  { pair, amountIn, slippageBps, source = 'waas' }: MeasuredWish,
  mid: number,
  spreadBps: number,
): FillAmounts {
  const { side, from, to } = pair
  const price = priceMeasured({
    side,
    to,
    amountIn: Number(formatDecimalText(amountIn, TOKEN_DECIMALS[from])),
    mid,
    spreadBps,
    slippageBps,
    source,
  })
  const debitedFee =
    faults.debitedFeeBps === null
      ? price.fee
      : divide(price.amountOut * BigInt(faults.debitedFeeBps), 10_000n, 'down')
  return {
    amountOut: toTokens(price.amountOut, to),
    fee: toTokens(price.fee, to),
    debit: toTokens(price.amountOut + debitedFee, to),
    earned: toTokens(price.earned, to),
    measured: { ...price, debit: price.amountOut + debitedFee, source },
  }
}

/** Settles a fill: positions in the venue's book, the taker and the fees in whole units. */
export function settleMeasured(
  venue: VenueState,
  provider: Provider,
  fill: VenueFill,
  measured: NonNullable<VenueFill['measured']>,
): void {
  const { from, to } = fill
  venue.takers[from] -= fill.amountIn
  addToPool(provider, from, toBook(fill.credit, from))
  venue.reserve[from] += fill.amountIn - fill.credit
  addToPool(provider, to, 0n - measured.debit)
  provider.earned[to] += measured.earned
  venue.takers[to] += fill.amountOut
  venue.fees[to] += fill.fee
  const paid: BookAmount = toBook(fill.amountOut, to) + toBook(fill.fee, to)
  venue.rests[to] += measured.debit - paid
}

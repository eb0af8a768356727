import { parseAmount } from '../../money/amount.ts'
import { pairOf, type Pair } from '../pair.ts'
import { assetOf, type Chain } from '../tokens.ts'
import { refusePublic } from '../venue-error.ts'
import type { VenueState } from '../venue-state.ts'
import type { Answer } from '../venue-request.ts'

export type PublicPair = {
  readonly pair: Pair
  readonly amountIn: bigint
  readonly from: string
  readonly to: string
  readonly fromChain: Chain
  readonly toChain: Chain
}

/** What the public routes take: symbols (the shilling under the names of the options), chains, an amount. */
export function readPublicPair(
  venue: VenueState,
  fields: Readonly<Record<string, unknown>>,
): PublicPair | Answer {
  const { from, to, amount } = fields
  if (
    typeof from !== 'string' ||
    typeof to !== 'string' ||
    amount === undefined ||
    from === '' ||
    to === ''
  ) {
    return refusePublic(400, 'missing_required_fields', 'from, to and amount are required')
  }
  const fromChain = fields['fromChain'] ?? 'base'
  const toChain = fields['toChain'] ?? 'base'
  if (!isChain(fromChain) || !isChain(toChain)) return refusePublic(400, 'invalid_chain', 'unknown chain')
  const fromAsset = assetOf(lpSymbol(venue, from), fromChain)
  const toAsset = assetOf(lpSymbol(venue, to), toChain)
  const pair = fromAsset === null || toAsset === null ? null : pairOf(fromAsset, toAsset)
  // The partner API swaps USDT on bnb to the token and not the other way round.
  if (pair === null || pair.to === 'USDT.bnb')
    return refusePublic(400, 'invalid_token', `${from} to ${to} is not a supported pair`)
  const parsed = parseAmount(amountText(amount), pair.from)
  if (!parsed.ok || parsed.value <= 0n) {
    return refusePublic(400, 'invalid_amount', "amount must be a positive number within the token's decimals")
  }
  return { pair, amountIn: parsed.value, from, to, fromChain, toChain }
}

/** A JSON number or a decimal string as text; empty, which is no amount, for anything else. */
export function amountText(value: unknown): string {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' ? value : ''
}

/** Our symbol for a public one; a shilling name that is not in the options means nothing. */
function lpSymbol(venue: VenueState, symbol: string): string {
  const { shillingSymbol } = venue.options
  const names: readonly string[] = typeof shillingSymbol === 'string' ? [shillingSymbol] : shillingSymbol
  if (names.includes(symbol)) return 'NTZS'
  return symbol === 'NTZS' ? 'unknown' : symbol
}

function isChain(value: unknown): value is Chain {
  return value === 'base' || value === 'bnb'
}

import { formatTokens, parseTokens } from '../../../base/money/asset.ts'
import { isoTime } from '../state.ts'
import { answer, type Handler, refusal } from './request.ts'
import { effectiveRate, pricedPairOf, priceSwap } from '../market/price.ts'
import { spreadOn } from '../market/provider.ts'
import { assetOf } from '../market/tokens.ts'
import type { SimulatedApi } from '../options.ts'

const PROVIDER_ID = 'sandbox-provider'

/** GET /account. */
export const readAccount: Handler = (venue) => {
  const account = {
    id: PROVIDER_ID,
    email: 'provider@sandbox.invalid',
    walletAddress: venue.options.walletAddress,
    isActive: venue.ours.isActive,
    createdAt: isoTime(venue.startMs),
  }
  return answer(200, account)
}

/** GET /balances: the pool's balance while active, the wallet's while inactive. */
export const readBalances: Handler = (venue) => {
  const { ours } = venue
  const amounts = ours.isActive ? ours.pool : ours.wallet
  return answer(200, {
    ntzs: formatTokens(amounts.NTZS, 'NTZS'),
    usdc: formatTokens(amounts.USDC, 'USDC'),
    wallet: { address: venue.options.walletAddress, chain: 'base' },
    usdt: formatTokens(amounts.USDT, 'USDT'),
  })
}

/** GET /rate. */
export const readRate: Handler = (venue) =>
  answer(200, {
    midRateTZS: venue.midNumber,
    rateUpdatedAt: isoTime(venue.rateUpdatedAt),
    quotable: venue.now >= venue.notQuotableUntil,
  })

/** GET /fills: the same object until something changes. */
export const answerFills: Handler = (venue) => answer(200, venue.fillRows.body())

/** GET /rfq/info: the addresses that orders must name, and where they are filled. */
export const readRfqInfo: Handler = (venue) => answer(200, { ...venue.options.rfq })

const MAX_SLIPPAGE_BPS = 500
const QUOTE_VALID_MS = 30_000

/**
 * GET /quote: a taker's proceeds IF the position filled, even while a side is off or the position is inactive. This
 * is the only way to read back the venue's quote for us.
 */
export const readQuote: Handler = (venue, { query }) => {
  const { fromToken, toToken } = query
  const from = fromToken === undefined ? null : assetOf(fromToken, 'base')
  const to = toToken === undefined ? null : assetOf(toToken, 'base')
  if (from === null || to === null) {
    return refusal('INVALID_REQUEST', 'fromToken and toToken are required and one of NTZS, USDC, USDT')
  }
  const pair = pricedPairOf(from, to)
  if (pair === null)
    return refusal('INVALID_REQUEST', `${fromToken} to ${toToken} is not a pair of the venue`)
  const amount = parseTokens(query['amount'] ?? '', from)
  if (!amount.ok || amount.value <= 0n) {
    return refusal('INVALID_AMOUNT', "amount must be a positive decimal number within the token's decimals")
  }
  const slippageBps = slippageFrom(query['slippageBps'])
  if (slippageBps === null)
    return refusal('INVALID_REQUEST', `slippageBps must be an integer from 0 to ${MAX_SLIPPAGE_BPS}`)
  const { options } = venue
  const spreadBps = spreadOn(venue.ours, pair.side)
  const price = priceSwap(pair, amount.value, venue.mid, spreadBps, options, slippageBps)
  return answer(200, {
    fromToken,
    toToken,
    amountIn: formatTokens(amount.value, from),
    expectedOutput: Number(formatTokens(price.net, to)),
    minOutput: Number(formatTokens(price.floor, to)),
    minAmountOut: formatTokens(price.floor, to),
    rate: effectiveRate(pair.side, venue.midNumber, spreadBps, options.protocolFeeBps, options.bidFormula),
    midRate: venue.midNumber,
    rateUpdatedAt: isoTime(venue.rateUpdatedAt),
    spreadBps,
    slippageBps,
    protocolFeeBps: options.protocolFeeBps,
    expiresAt: isoTime(venue.now + QUOTE_VALID_MS),
  })
}

/** Returns the default if absent; null = not a valid slippage. The measured venue's only cap is below 100 %. */
export function slippageFrom(value: unknown, venue: SimulatedApi = 'contract'): number | null {
  if (value === undefined) return 100
  const number = typeof value === 'string' && /^\d{1,4}$/.test(value) ? Number(value) : value
  if (typeof number !== 'number' || !Number.isInteger(number)) return null
  return number >= 0 && number <= (venue === 'measured' ? 9_999 : MAX_SLIPPAGE_BPS) ? number : null
}

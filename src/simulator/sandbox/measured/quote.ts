import { formatTokens, parseTokens } from '../../../base/money/asset.ts'
import { slippageFrom } from '../api/quote.ts'
import { answer, type Handler, refusal } from '../api/request.ts'
import { pricedPairOf } from '../market/price.ts'
import { spreadOn } from '../market/provider.ts'
import { assetOf } from '../market/tokens.ts'
import { configuredMid } from '../market/mids.ts'
import { QUOTED_FEE_BPS } from '../market/measured-price.ts'

/**
 * GET /quote, at the mid of the configuration row. It names half the fee that fills take, and takes none; the slippage is
 * added to the spread.
 */
export const readMeasuredQuote: Handler = (venue, { query }) => {
  const { fromToken = '', toToken = '' } = query
  const from = assetOf(fromToken, 'base')
  const to = assetOf(toToken, 'base')
  const pair = from === null || to === null ? null : pricedPairOf(from, to)
  if (pair === null) return refusal('INVALID_REQUEST', 'Unsupported token pair')
  const amount = parseTokens(query['amount'] ?? '', pair.from)
  const slippageBps = slippageFrom(query['slippageBps'], 'measured')
  if (!amount.ok || amount.value <= 0n || slippageBps === null)
    return refusal('INVALID_AMOUNT', 'Invalid amount')
  const amountIn = formatTokens(amount.value, pair.from)
  const mid = configuredMid(venue)
  const spreadBps = spreadOn(venue.ours, pair.side)
  const sign = pair.side === 'ask' ? -1 : 1
  const rateAt = (bps: number) => mid * (1 + (sign * bps) / 10_000)
  const floor = rateAt(spreadBps + slippageBps)
  const minAmountOut = pair.side === 'ask' ? Number(amountIn) * floor : Number(amountIn) / floor
  return answer(200, {
    fromToken,
    toToken,
    amountIn,
    minAmountOut: minAmountOut.toFixed(6),
    effectiveRate: rateAt(spreadBps).toFixed(6),
    midRate: mid,
    spreadBps,
    slippageBps,
    protocolFeeBps: QUOTED_FEE_BPS,
  })
}

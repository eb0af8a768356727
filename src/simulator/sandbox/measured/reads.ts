import { ASSETS, type Asset, formatTokens, parseTokens } from '../../../base/money/asset.ts'
import { answer, type Handler, refusal } from '../api/request.ts'
import { poolInBook, spreadOn } from '../market/provider.ts'
import { TOKENS, assetOf } from '../market/tokens.ts'
import { isoTime } from '../state.ts'
import { chainText, columnText, LP_ID } from '../market/measured-row.ts'
import { configuredMid, pricedPairOf, pairMid } from '../market/price.ts'
import { slippageFrom } from '../api/reads.ts'
import { QUOTED_FEE_BPS, MEASURED_FEE_BPS, measuredOutput } from '../market/measured-price.ts'
import { readPublicPair } from '../api/public-swap.ts'
import { DEFAULT_SLIPPAGE_BPS } from '../market/execute-swap.ts'
import { pickProvider, pickQuoter, routerTerms } from '../market/router.ts'

/** The tokens known to the venue's routes: those of one chain. */
export const PRIMARY_ASSETS = ASSETS.filter((asset) => TOKENS[asset].chain === 'base')

/** GET /account. */
export const readMeasuredAccount: Handler = (venue) =>
  answer(200, {
    account: {
      id: LP_ID,
      email: 'provider@sandbox.invalid',
      displayName: 'Sandbox provider',
      walletAddress: venue.options.walletAddress,
      isActive: venue.ours.isActive,
      kycStatus: 'approved',
      createdAt: isoTime(venue.startMs),
    },
  })

/** GET /balances: the wallet while inactive, without USDT; the pool and its positions while active. */
export const readMeasuredBalances: Handler = (venue) => {
  const { ours, options } = venue
  const inWallet = (asset: Asset) => chainText(ours.wallet[asset], asset)
  const wallet = { address: options.walletAddress, chain: 'base' }
  if (!ours.isActive)
    return answer(200, { source: 'wallet', ntzs: inWallet('NTZS'), usdc: inWallet('USDC'), wallet })
  const inPool = (asset: Asset) => columnText(poolInBook(ours, asset))
  const positions = PRIMARY_ASSETS.filter((asset) => poolInBook(ours, asset) !== 0n).map((asset) => {
    const position = {
      contributed: inPool(asset),
      earned: columnText(ours.earned[asset]),
      total: inPool(asset),
    }
    return [TOKENS[asset].symbol.toLowerCase(), position] as const
  })
  return answer(200, {
    source: 'pool',
    ntzs: inPool('NTZS'),
    usdc: inPool('USDC'),
    positions: Object.fromEntries(positions),
    wallet: { ...wallet, ntzs: inWallet('NTZS'), usdc: inWallet('USDC') },
  })
}

/** GET /rate: the configuration row, without a date. */
export const readMeasuredRate: Handler = (venue) => answer(200, { midRateTZS: configuredMid(venue) })

/**
 * GET /quote, at the mid of the configuration row. It states half of the fee of fills but does not deduct it; the
 * slippage is added to the spread.
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

const RATE_VALID_MS = 30_000
/** The public rate's spreads while no provider is active. */
const NO_PROVIDER = { bidBps: 120, askBps: 150 }

/** GET /swap/rate: the only answer with the mid of the pair. */
export const readMeasuredSwapRate: Handler = (venue, { query }) => {
  const wanted = readPublicPair(venue, query)
  if ('status' in wanted) return wanted
  const { pair, amountIn } = wanted
  const mid = pairMid(venue, pair.stable)
  const terms = routerTerms(venue.options, null)
  const picked = pickProvider(venue.providers, pair, amountIn, mid.rate, terms)
  const { bidBps, askBps } = picked ?? pickQuoter(venue.providers, pair, terms) ?? NO_PROVIDER
  const spreadBps = pair.side === 'bid' ? bidBps : askBps
  const amount = Number(formatTokens(amountIn, pair.from))
  const output = measuredOutput(pair.side, amount, mid.number, spreadBps) * (1 - MEASURED_FEE_BPS / 10_000)
  return answer(200, {
    from: wanted.from,
    to: wanted.to,
    fromChain: wanted.fromChain,
    toChain: wanted.toChain,
    amount,
    midRate: mid.number,
    bidBps,
    askBps,
    spreadBps,
    tzsBuyRate: mid.number * (1 - askBps / 10_000),
    tzsSellRate: mid.number * (1 + bidBps / 10_000),
    protocolFeeBps: MEASURED_FEE_BPS,
    expectedOutput: output,
    minOutput: shown(output * (1 - DEFAULT_SLIPPAGE_BPS / 10_000)),
    rate: shown(output / amount),
    expiresAt: isoTime(venue.now + RATE_VALID_MS),
    lowLiquidity: picked === null,
  })
}

/** The recorded figures have no noise in their last digits. */
function shown(value: number): number {
  return Number(value.toPrecision(15))
}

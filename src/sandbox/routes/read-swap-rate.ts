import { formatAmount } from '../../money/amount.ts'
import { effectiveRate, priceSwap } from '../price.ts'
import { spreadOn } from '../provider.ts'
import { pickProvider, pickQuoter } from '../router.ts'
import { DEFAULT_SLIPPAGE_BPS } from '../run-world.ts'
import { refusePublic } from '../venue-error.ts'
import { isoTime } from '../venue-state.ts'
import { answer } from '../venue-request.ts'
import type { Handler } from './handler.ts'
import { readPublicPair } from './public-pair.ts'

const RATE_VALID_MS = 30_000

/** GET /api/v1/swap/rate: the spread of the provider that would be picked for that size. Public. */
export const readSwapRate: Handler = (venue, { query }) => {
  const wanted = readPublicPair(venue, query)
  if ('status' in wanted) return wanted
  if (venue.now < venue.notQuotableUntil) {
    return refusePublic(503, 'rate_stale', 'the rate is stale; swaps are halted until it is published again')
  }
  const { pair, amountIn } = wanted
  const { options, midNumber } = venue
  const picked = pickProvider(venue.providers, pair, amountIn, venue.mid, options)
  const shown = picked ?? pickQuoter(venue.providers, pair, options)
  if (shown === null) return refusePublic(404, 'no_active_pair', 'nobody quotes this pair now')
  const spreadBps = spreadOn(shown, pair.side)
  const { protocolFeeBps, bidFormula } = options
  const price = priceSwap(pair, amountIn, venue.mid, spreadBps, options, DEFAULT_SLIPPAGE_BPS)
  return answer(200, {
    from: wanted.from,
    to: wanted.to,
    amount: Number(formatAmount(amountIn, pair.from)),
    fromChain: wanted.fromChain,
    toChain: wanted.toChain,
    midRate: midNumber,
    bidBps: shown.bidBps,
    askBps: shown.askBps,
    spreadBps,
    protocolFeeBps,
    tzsBuyRate: effectiveRate('bid', midNumber, shown.bidBps, 0, bidFormula),
    tzsSellRate: effectiveRate('ask', midNumber, shown.askBps, 0, bidFormula),
    rate: effectiveRate(pair.side, midNumber, spreadBps, protocolFeeBps, bidFormula),
    expectedOutput: Number(formatAmount(price.net, pair.to)),
    minOutput: Number(formatAmount(price.floor, pair.to)),
    expiresAt: isoTime(venue.now + RATE_VALID_MS),
    lowLiquidity: picked === null,
    liquidityUnknown: false,
  })
}

import { formatTokens } from '../../../base/money/asset.ts'
import { readPublicPair } from '../api/public-swap.ts'
import { answer, type Handler } from '../api/request.ts'
import { DEFAULT_SLIPPAGE_BPS } from '../market/execute-swap.ts'
import { pickProvider, pickQuoter, routerTerms } from '../market/router.ts'
import { isoTime } from '../state.ts'
import { pairMid } from '../market/mids.ts'
import { MEASURED_FEE_BPS, measuredOutput } from '../market/measured-price.ts'

const RATE_VALID_MS = 30_000
/** What the public rate shows where no provider is active. */
const NO_PROVIDER = { bidBps: 120, askBps: 150 }

/** GET /swap/rate: the one answer that shows the mid of the pair. */
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

import { formatTokens } from '../../../base/money/asset.ts'
import { isoTime } from '../state.ts'
import { answer, type Handler } from './request.ts'

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

/** GET /balances: the pool's figure while active, the wallet's while not. */
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

/** GET /fills: the same object while nothing changed. */
export const answerFills: Handler = (venue) => answer(200, venue.fillRows.body())

/** GET /rfq/info: whom orders must name, and where they would be filled. */
export const readRfqInfo: Handler = (venue) => answer(200, { ...venue.options.rfq })

import { ASSETS, formatTokens } from '../../money/asset.ts'
import { TOKENS } from '../market/tokens.ts'
import { isoTime } from '../state.ts'
import { answer, type Handler } from './request.ts'

/** GET /account. */
export const readAccount: Handler = (venue) => {
  const account = {
    id: 'sandbox-provider',
    email: 'provider@sandbox.invalid',
    walletAddress: venue.options.walletAddress,
    isActive: venue.ours.isActive,
    createdAt: isoTime(venue.startMs),
  }
  if (venue.options.dialect === 'contract') return answer(200, account)
  return answer(200, { account: { ...account, displayName: 'Sandbox provider', kycStatus: 'approved' } })
}

/** GET /balances: the pool's figure while active, the wallet's while not. */
export const readBalances: Handler = (venue) => {
  const { ours } = venue
  const amounts = ours.isActive ? ours.pool : ours.wallet
  const body = {
    ntzs: formatTokens(amounts.NTZS, 'NTZS'),
    usdc: formatTokens(amounts.USDC, 'USDC'),
    wallet: { address: venue.options.walletAddress, chain: 'base' },
  }
  const positions = ASSETS.map((asset) => ({
    token: TOKENS[asset].address,
    symbol: TOKENS[asset].symbol,
    chain: TOKENS[asset].chain,
    amount: formatTokens(amounts[asset], asset),
  }))
  if (venue.options.dialect === 'observed') {
    return answer(200, { ...body, source: ours.isActive ? 'pool' : 'wallet', positions })
  }
  return answer(200, { ...body, usdt: formatTokens(amounts.USDT, 'USDT') })
}

/** GET /rate. The observed dialect does not date its mid. */
export const readRate: Handler = (venue) => {
  if (venue.options.dialect === 'observed') return answer(200, { midRateTZS: venue.midNumber })
  return answer(200, {
    midRateTZS: venue.midNumber,
    rateUpdatedAt: isoTime(venue.rateUpdatedAt),
    quotable: venue.now >= venue.notQuotableUntil,
  })
}

/** GET /fills: the same object while nothing changed. */
export const readFills: Handler = (venue) => answer(200, venue.fillRows.body())

/** GET /rfq/info: whom orders must name, and where they would be filled. */
export const readRfqInfo: Handler = (venue) => answer(200, { ...venue.options.rfq })

import { formatAmount } from '../../money/amount.ts'
import { ASSETS } from '../../money/asset.ts'
import { TOKENS } from '../tokens.ts'
import { answer } from '../venue-request.ts'
import type { Handler } from './handler.ts'

/** GET /balances: the pool's figure while active, the wallet's while not. */
export const readBalances: Handler = (venue) => {
  const { ours } = venue
  const amounts = ours.isActive ? ours.pool : ours.wallet
  const body = {
    ntzs: formatAmount(amounts.NTZS, 'NTZS'),
    usdc: formatAmount(amounts.USDC, 'USDC'),
    wallet: { address: venue.options.walletAddress, chain: 'base' },
  }
  const positions = ASSETS.map((asset) => ({
    token: TOKENS[asset].address,
    symbol: TOKENS[asset].symbol,
    chain: TOKENS[asset].chain,
    amount: formatAmount(amounts[asset], asset),
  }))
  if (venue.options.dialect === 'observed') {
    return answer(200, { ...body, source: ours.isActive ? 'pool' : 'wallet', positions })
  }
  return answer(200, { ...body, usdt: formatAmount(amounts.USDT, 'USDT') })
}

import { ASSETS, type Asset } from '../../../base/money/asset.ts'
import { answer, type Handler } from '../api/request.ts'
import { poolInBook } from '../market/provider.ts'
import { TOKENS } from '../market/tokens.ts'
import { isoTime } from '../state.ts'
import { chainText, columnText } from '../market/amount-text.ts'
import { LP_ID } from '../market/measured-row.ts'
import { configuredMid } from '../market/mids.ts'

/** The tokens that the venue's routes know: those of one chain. */
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

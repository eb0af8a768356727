import { isAddressEqual, type Address } from 'viem'
import type { Asset } from '../../../base/money/asset.ts'

export type TokenChain = 'base' | 'bnb'
/** The symbols of the LP API. */
type Symbol = 'NTZS' | 'USDC' | 'USDT'

type Token = {
  readonly asset: Asset
  readonly symbol: Symbol
  readonly chain: TokenChain
  readonly address: Address
}

/**
 * The venue's token registry. The dollars are at their well-known addresses; the contract does not have that of the
 * shilling token, so it is the measured venue's.
 */
export const TOKENS: Readonly<Record<Asset, Token>> = {
  NTZS: {
    asset: 'NTZS',
    symbol: 'NTZS',
    chain: 'base',
    address: '0xF476BA983DE2F1AD532380630e2CF1D1b8b10688',
  },
  USDC: {
    asset: 'USDC',
    symbol: 'USDC',
    chain: 'base',
    address: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  },
  USDT: {
    asset: 'USDT',
    symbol: 'USDT',
    chain: 'base',
    address: '0xfde4C96c8593536E31F229EA8f37b2ADa2699bb2',
  },
  'USDT.bnb': {
    asset: 'USDT.bnb',
    symbol: 'USDT',
    chain: 'bnb',
    address: '0x55d398326f99059fF775485246999027B3197955',
  },
}

/** Returns the asset of a symbol on a chain; null = not in the registry. */
export function assetOf(symbol: string, chain: TokenChain): Asset | null {
  for (const token of Object.values(TOKENS)) {
    if (token.symbol === symbol && token.chain === chain) return token.asset
  }
  return null
}

/** Returns the token at an address of the primary chain; null = not in the registry. */
export function tokenAt(address: Address): Token | null {
  return (
    Object.values(TOKENS).find((token) => token.chain === 'base' && isAddressEqual(token.address, address)) ??
    null
  )
}

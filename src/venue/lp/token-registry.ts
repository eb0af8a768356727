import { ASSETS, isStable, type Asset } from '../../base/money/asset.ts'
import type { VenueSettings } from '../settings.ts'

/** The dollars at their issuers' addresses. Sources: Circle (USDC), Tether (USDT on base), Binance-Peg (bnb). */
const KNOWN_ADDRESSES: Readonly<Record<string, Asset>> = {
  '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913': 'USDC',
  '0xfde4c96c8593536e31f229ea8f37b2ada2699bb2': 'USDT',
  '0x55d398326f99059ff775485246999027b3197955': 'USDT.bnb',
}
const SYMBOLS = new Map<string, Asset>([
  ['base:NTZS', 'NTZS'],
  ['base:TZS_TOKEN', 'NTZS'],
  ['base:USDC', 'USDC'],
  ['base:USDT', 'USDT'],
  ['bnb:USDT', 'USDT.bnb'],
])
/** The chain of a symbol that is named without one. */
const PRIMARY_CHAIN = 'base'
const ADDRESS = /^0x[0-9a-f]{40}$/

/**
 * Returns the asset of a symbol or an address; null = none of ours, or the chain contradicts it. `opposite` is the
 * other token of the same trade, if there is one. The contract does not state the shilling's address, but one side of
 * every trade is the shilling: the first unknown address opposite a known dollar is taken as the shilling, unless the
 * settings name it. The balances prove this or show the difference.
 */
export type TokenRegistry = (token: unknown, chain?: unknown, opposite?: Asset | null) => Asset | null

/** An address identifies a token; a symbol does so only on a chain that has it. */
export function createTokenRegistry(settings: Pick<VenueSettings, 'tokens'>): TokenRegistry {
  const addresses = new Map<string, Asset>()
  for (const source of [KNOWN_ADDRESSES, settings.tokens]) {
    for (const [address, asset] of Object.entries(source)) addresses.set(address.toLowerCase(), asset)
  }
  let isShillingKnown = [...addresses.values()].includes('NTZS')
  function deduce(address: string, opposite: Asset | null | undefined): Asset | null {
    if (isShillingKnown || opposite === null || opposite === undefined || !isStable(opposite)) return null
    isShillingKnown = true
    addresses.set(address, 'NTZS')
    return 'NTZS'
  }
  return (token, chain, opposite) => {
    if (typeof token !== 'string') return null
    if (chain !== undefined && chain !== null && typeof chain !== 'string') return null
    const onChain = chain?.toLowerCase()
    const address = token.toLowerCase()
    if (ADDRESS.test(address)) {
      // The venue states one chain for fills of every chain, so only the address counts.
      return addresses.get(address) ?? deduce(address, opposite)
    }
    const exact = ASSETS.find((asset) => asset === token)
    if (exact === 'USDT.bnb') return onChain === undefined || onChain === 'bnb' ? exact : null
    return SYMBOLS.get(`${onChain ?? PRIMARY_CHAIN}:${token.toUpperCase()}`) ?? null
  }
}

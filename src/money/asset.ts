/**
 * One token on one chain. Every amount in mizani is a bigint in the base units of one asset; USDT on bnb
 * has 18 decimals where USDT on base has 6, so they are never one pile.
 */
export type Asset = 'NTZS' | 'USDC' | 'USDT' | 'USDT.bnb'
/** The dollars among them. */
export type StableAsset = Exclude<Asset, 'NTZS'>

export const ASSETS = ['NTZS', 'USDC', 'USDT', 'USDT.bnb'] as const satisfies readonly Asset[]
export const STABLE_ASSETS = ['USDC', 'USDT', 'USDT.bnb'] as const satisfies readonly StableAsset[]

/** An amount per asset, in base units; every asset is always present. */
export type Amounts = Record<Asset, bigint>

export const DECIMALS: Readonly<Record<Asset, number>> = { NTZS: 18, USDC: 6, USDT: 6, 'USDT.bnb': 18 }

/** Multiplying base units by this brings every asset to 18 decimals, where dollars add up. */
export const TO_18_DECIMALS: Readonly<Record<Asset, bigint>> = {
  NTZS: 1n,
  USDC: 10n ** 12n,
  USDT: 10n ** 12n,
  'USDT.bnb': 1n,
}

export function zeroAmounts(): Amounts {
  return { NTZS: 0n, USDC: 0n, USDT: 0n, 'USDT.bnb': 0n }
}

export function isStable(asset: Asset): asset is StableAsset {
  return asset !== 'NTZS'
}

import type { Asset } from '../../base/money/asset.ts'

/**
 * Where the desk's value can be. `pool` and `lpWallet` belong to the position at the venue; `treasury` is the wallet of
 * the LP's own partner user; `platform` the partner's platform wallet; `float` the ramp's float; `bank` and `phone` are
 * the LP's outside accounts, whose balances are not read. See partner-api.md, integration models.
 */
export type TreasuryPlace = 'pool' | 'lpWallet' | 'treasury' | 'platform' | 'float' | 'bank' | 'phone'

export const PLACES = [
  'pool',
  'lpWallet',
  'treasury',
  'platform',
  'float',
  'bank',
  'phone',
] as const satisfies readonly TreasuryPlace[]

/** The places whose balances are read. */
export type ReadPlace = Exclude<TreasuryPlace, 'bank' | 'phone'>

/** Tokens that the treasury moves. Shillings outside the chain are NTZS too: one for one, whole shillings. */
export type TreasuryAsset = Extract<Asset, 'NTZS' | 'USDC' | 'USDT'>
export const TREASURY_ASSETS = ['NTZS', 'USDC', 'USDT'] as const satisfies readonly TreasuryAsset[]

/** Base units of each token at each place; null = unreadable. */
export type Holdings = Readonly<Record<ReadPlace, Readonly<Record<TreasuryAsset, bigint>> | null>>

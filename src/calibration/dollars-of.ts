import { DECIMALS, type Asset } from '../money/asset.ts'

/** Base units as a number of whole tokens: for statistics only, never back to money. */
export function tokensOf(units: bigint, asset: Asset): number {
  return Number(units) / 10 ** DECIMALS[asset]
}

/** What `units` are worth in dollars at `tzsPerUsd`. */
export function dollarsOf(units: bigint, asset: Asset, tzsPerUsd: number): number {
  const tokens = tokensOf(units, asset)
  return asset === 'NTZS' ? tokens / tzsPerUsd : tokens
}

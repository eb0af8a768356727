import type { Result } from '../base/result.ts'
import { formatDecimalText, parseDecimalText, type DecimalTextError } from './decimal-text.ts'

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

/** What the venue trades against the shilling. Source: contract, PATCH /spread. */
export const COUNTER_TOKENS = ['USDC', 'USDT', 'TGBP', 'ZARP'] as const

/** Those that can be priced, booked and withdrawn here. */
export const OWNED_TOKENS = ['USDC', 'USDT'] as const

/** What is quoted beyond that: tokens that a fill would bring and nobody could own; null = all, which it names. */
export function unownedPairs(pairs: readonly string[] | null): readonly string[] {
  return (pairs ?? COUNTER_TOKENS).filter((pair) => !OWNED_TOKENS.some((owned) => owned === pair))
}

/** A decimal string of the venue to base units of the asset. Exact or an error. */
export function parseAmount(text: string, asset: Asset): Result<bigint, DecimalTextError> {
  return parseDecimalText(text, DECIMALS[asset])
}

/** Base units to the shortest exact decimal string. */
export function formatAmount(value: bigint, asset: Asset): string {
  return formatDecimalText(value, DECIMALS[asset])
}

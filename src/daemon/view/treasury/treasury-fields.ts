import { z } from 'zod'
import { formatTokens } from '../../../base/money/asset.ts'
import { TREASURY_ASSETS, type TreasuryAsset } from '../../../treasury/model/place.ts'
import { decimal } from '../fields.ts'

export const token = z.enum(['NTZS', 'USDC', 'USDT'])
export const place = z.enum(['pool', 'lpWallet', 'treasury', 'platform', 'float', 'bank', 'phone'])
export const direction = z.enum(['in', 'out'])
export const rule = z.enum(['refill', 'skim', 'payout', 'manual'])

/** Whole tokens, every token present. */
export const perToken = z.object({ NTZS: decimal, USDC: decimal, USDT: decimal })
export type TokenTexts = { readonly [Token in TreasuryAsset]: string }

/** An amount and its token. */
export const moneySchema = z.object({ amount: decimal, asset: token })

export function moneyText(amount: bigint, asset: TreasuryAsset): z.infer<typeof moneySchema> {
  return { amount: formatTokens(amount, asset), asset }
}

export function amountOrNull(amount: bigint | null, asset: TreasuryAsset): string | null {
  return amount === null ? null : formatTokens(amount, asset)
}

/** One text a token. */
export function tokenTexts(amountOf: (asset: TreasuryAsset) => bigint): TokenTexts {
  return Object.fromEntries(
    TREASURY_ASSETS.map((asset) => [asset, formatTokens(amountOf(asset), asset)]),
  ) as TokenTexts
}

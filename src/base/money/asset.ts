import type { Result } from '../result.ts'
import { formatDecimalText, parseDecimalText, type DecimalTextError } from './decimal-text.ts'

/** One token on one chain. USDT on bnb is a different contract from USDT on base, so their balances are never added. */
export type Asset = 'NTZS' | 'USDC' | 'USDT' | 'USDT.bnb'
/** The dollar assets. */
export type StableAsset = Exclude<Asset, 'NTZS'>

export const ASSETS = ['NTZS', 'USDC', 'USDT', 'USDT.bnb'] as const satisfies readonly Asset[]
export const STABLE_ASSETS = ['USDC', 'USDT', 'USDT.bnb'] as const satisfies readonly StableAsset[]

/**
 * An amount in the venue's book, which stores every token with 18 decimals: positions, fills, the ledger, limits. The
 * compiler rejects a token amount in its place; arithmetic yields a plain bigint, which fits both.
 */
export type BookAmount = bigint & { readonly unit?: 'book' }
/** An amount in base units of the token's contract: wallets, chain, signed orders, allowances, payments. */
export type TokenAmount = bigint & { readonly unit?: 'token' }

/** A book amount per asset; every asset is always present. */
export type Amounts = Record<Asset, BookAmount>
/** A token amount per asset; every asset is always present. */
export type TokenAmounts = Record<Asset, TokenAmount>

export const BOOK_DECIMALS = 18
export const TOKEN_DECIMALS: Readonly<Record<Asset, number>> = { NTZS: 18, USDC: 6, USDT: 6, 'USDT.bnb': 18 }

/** One base unit of each token, as a book amount. */
export const TOKEN_UNIT: Readonly<Record<Asset, BookAmount>> = {
  NTZS: 1n,
  USDC: 10n ** 12n,
  USDT: 10n ** 12n,
  'USDT.bnb': 1n,
}

/** Returns the exact book amount of a token amount. */
export function toBook(amount: TokenAmount, asset: Asset): BookAmount {
  return amount * TOKEN_UNIT[asset]
}

/** Converts token amounts to book amounts; an absent asset stays absent. */
export function bookAmounts<Given extends Partial<TokenAmounts>>(
  amounts: Readonly<Given>,
): { [asset in keyof Given]: BookAmount } {
  const entries = Object.entries(amounts) as [Asset, TokenAmount][]
  const book = Object.fromEntries(entries.map(([asset, amount]) => [asset, toBook(amount, asset)]))
  return book as { [asset in keyof Given]: BookAmount }
}

/** Returns the token amount of a book amount, rounded towards zero; a remainder below one unit stays in the book. */
export function toTokens(amount: BookAmount, asset: Asset): TokenAmount {
  return amount / TOKEN_UNIT[asset]
}

export function zeroAmounts(): Record<Asset, bigint> {
  return { NTZS: 0n, USDC: 0n, USDT: 0n, 'USDT.bnb': 0n }
}

export function isStable(asset: Asset): asset is StableAsset {
  return asset !== 'NTZS'
}

/** The tokens that the venue trades against the shilling. Source: contract, PATCH /spread. */
export const COUNTER_TOKENS = ['USDC', 'USDT', 'TGBP', 'ZARP'] as const

/** The tokens that can be priced, booked and withdrawn here. */
export const OWNED_TOKENS = ['USDC', 'USDT'] as const
/** The stables that the venue's public rate prices, regardless of chain. */
export type RoutedStable = (typeof OWNED_TOKENS)[number]

/** Returns the pair that prices a fill, by its stable regardless of chain. */
export function pairOf({
  inAsset,
  outAsset,
}: {
  readonly inAsset: Asset
  readonly outAsset: Asset
}): RoutedStable {
  return inAsset === 'USDC' || outAsset === 'USDC' ? 'USDC' : 'USDT'
}

/** Returns the stable whose pair a probe asks for; USDC if it names none. */
export function stableOf({ stable }: { readonly stable?: RoutedStable }): RoutedStable {
  return stable ?? 'USDC'
}

/** Returns the quoted pairs whose token a fill would bring but this program cannot own. Null = all pairs are quoted. */
export function unownedPairs(pairs: readonly string[] | null): readonly string[] {
  return (pairs ?? COUNTER_TOKENS).filter((pair) => !OWNED_TOKENS.some((owned) => owned === pair))
}

/** Parses a decimal text as a book amount. Exact or an error. */
export function parseAmount(text: string): Result<BookAmount, DecimalTextError> {
  return parseDecimalText(text, BOOK_DECIMALS)
}

/** Returns the shortest exact decimal text of a book amount. */
export function formatAmount(value: BookAmount): string {
  return formatDecimalText(value, BOOK_DECIMALS)
}

/** Parses a decimal text as token base units. Exact, or an error that names the token's decimals. */
export function parseTokens(text: string, asset: Asset): Result<TokenAmount, DecimalTextError> {
  return parseDecimalText(text, TOKEN_DECIMALS[asset])
}

/** Returns the shortest exact decimal text of a token amount. */
export function formatTokens(value: TokenAmount, asset: Asset): string {
  return formatDecimalText(value, TOKEN_DECIMALS[asset])
}

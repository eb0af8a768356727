import { type Asset, ASSETS, TOKEN_UNIT } from '../../base/money/asset.ts'

/** The columns with amounts: table, amount, and the column with its token. */
export const AMOUNT_COLUMNS = [
  ['fills', 'amount_in', 'in_asset'],
  ['fills', 'amount_out', 'out_asset'],
  ['fills', 'fee', 'out_asset'],
  ['postings', 'amount', 'asset'],
] as const

/** The tokens with fewer decimals than the book; all have the same number of decimals. */
export const SHORT_ASSETS: readonly Asset[] = ASSETS.filter((asset) => TOKEN_UNIT[asset] > 1n)
export const NOUGHTS = String(TOKEN_UNIT.USDC).slice(1)

/** Returns a row of fills or postings, from a store that counts each token in its own units, in book amounts. */
export function inBookAmounts<Value>(
  row: Readonly<Record<string, Value>>,
): Readonly<Record<string, Value | string>> {
  const lifted: Record<string, Value | string> = { ...row }
  for (const [, amount, asset] of AMOUNT_COLUMNS) {
    const isShort = SHORT_ASSETS.some((short) => short === row[asset])
    if (isShort && amount in row && row[amount] !== '0') lifted[amount] = `${String(row[amount])}${NOUGHTS}`
  }
  return lifted
}

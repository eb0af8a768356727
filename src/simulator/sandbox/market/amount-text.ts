import {
  BOOK_DECIMALS,
  type Asset,
  type BookAmount,
  formatAmount,
  formatTokens,
  type TokenAmount,
} from '../../../base/money/asset.ts'
import { padDecimals } from '../../../base/money/decimal-text.ts'

/** A column of the venue's database: always 18 decimals. */
export function columnText(amount: BookAmount): string {
  return padDecimals(formatAmount(amount), BOOK_DECIMALS)
}

/** An amount read from the chain: the shortest text with at least one decimal. */
export function chainText(amount: TokenAmount, asset: Asset): string {
  const text = formatTokens(amount, asset)
  return text.includes('.') ? text : `${text}.0`
}

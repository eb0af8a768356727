import { err, ok, type Result } from '../result.ts'
import { type Amounts, ASSETS, BOOK_DECIMALS, formatAmount } from './asset.ts'
import { parseDecimalText } from './decimal-text.ts'

/** Venue balance minus ledger balance, for assets where they differ. */
export type Difference = Readonly<Partial<Amounts>>

/** Returns a text such as `5 NTZS, -1.5 USDC`; empty if nothing differs. */
export function differenceText(difference: Difference): string {
  return ASSETS.filter((asset) => (difference[asset] ?? 0n) !== 0n)
    .map((asset) => `${formatAmount(difference[asset] ?? 0n)} ${asset}`)
    .join(', ')
}

/** Returns the kind of entry to book: inflows only are a deposit, outflows only a withdrawal, both an adjustment. */
export function bookingOf(difference: Difference): 'deposit' | 'withdrawal' | 'adjustment' {
  const amounts = Object.values(difference)
  if (amounts.every((amount) => amount >= 0n)) return 'deposit'
  return amounts.every((amount) => amount <= 0n) ? 'withdrawal' : 'adjustment'
}

/** Parses the output of `differenceText`, in any order; the error is a sentence. */
export function parseDifference(text: string): Result<Difference, string> {
  const found: Partial<Amounts> = {}
  for (const part of text.split(',')) {
    const [amount = '', token = '', ...more] = part.trim().split(/\s+/)
    const asset = ASSETS.find((one) => one.toLowerCase() === token.toLowerCase())
    const parsed = parseDecimalText(amount.replace(/^\+/, ''), BOOK_DECIMALS)
    if (asset === undefined || more.length > 0 || !parsed.ok || found[asset] !== undefined)
      return err(`${JSON.stringify(text)} is not a difference; write for example "5 NTZS, -1.5 USDC"`)
    found[asset] = parsed.value
  }
  return ok(found)
}

export function isSameDifference(one: Difference, other: Difference): boolean {
  return ASSETS.every((asset) => (one[asset] ?? 0n) === (other[asset] ?? 0n))
}

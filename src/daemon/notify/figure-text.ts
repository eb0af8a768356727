import { formatDecimalText, parseDecimalText } from '../../base/money/decimal-text.ts'

/** More decimals than any amount here, so differences are exact. */
const DECIMALS = 60

/** Returns the exact difference of two decimal texts; 0 if one of them is not a number. */
export function minus(now: string, then: string): string {
  const [a, b] = [parseDecimalText(now, DECIMALS), parseDecimalText(then, DECIMALS)]
  return a.ok && b.ok ? formatDecimalText(a.value - b.value, DECIMALS) : '0'
}

const PLAIN = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2, signDisplay: 'negative' })
const SIGNED = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2, signDisplay: 'exceptZero' })

/** Formats a number with at most two decimals. Works on the digits of the text, never on a float. */
export function plainFigure(exact: string): string {
  return PLAIN.format(exact as `${number}`)
}

/** Returns the same text with a sign, except for zero. */
export function signed(exact: string): string {
  return SIGNED.format(exact as `${number}`)
}

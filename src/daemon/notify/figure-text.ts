import { formatDecimalText, parseDecimalText } from '../../base/money/decimal-text.ts'

/** More than any amount here has: differences come out exactly. */
const DECIMALS = 60

/** The difference of two exact decimal texts, exact; 0 where one of them is no number. */
export function minus(now: string, then: string): string {
  const [a, b] = [parseDecimalText(now, DECIMALS), parseDecimalText(then, DECIMALS)]
  return a.ok && b.ok ? formatDecimalText(a.value - b.value, DECIMALS) : '0'
}

const PLAIN = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 })
const SIGNED = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2, signDisplay: 'exceptZero' })

/** With two decimals at most. A decimal text is formatted digit by digit: it never becomes a float. */
export function plainFigure(exact: string): string {
  return PLAIN.format(exact as `${number}`)
}

/** The same with its sign, except of zero. */
export function signed(exact: string): string {
  return SIGNED.format(exact as `${number}`)
}

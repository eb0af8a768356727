import { err, ok, type Result } from '../result.ts'

/** Why a text is not an amount. */
export type DecimalTextError = {
  readonly kind: 'not-decimal' | 'too-many-digits' | 'too-large'
  readonly message: string
}

const PLAIN_DECIMAL = /^(-?)(\d+)(?:\.(\d+))?$/
/** 2^256 has 78 digits; a longer text cannot be a token amount and would only cost memory. */
const MAX_TEXT = 120

/**
 * Parses a decimal exactly: '1.5' with 6 decimals is 1500000n. Extra trailing zeros are accepted; any other extra digit
 * is an error, never rounded. No exponents, no spaces, no sign except '-'.
 */
export function parseDecimalText(text: string, decimals: number): Result<bigint, DecimalTextError> {
  if (text.length > MAX_TEXT) return err({ kind: 'too-large', message: `more than ${MAX_TEXT} characters` })
  const short = parseShort(text, decimals)
  if (short !== null) return ok(short)
  const match = PLAIN_DECIMAL.exec(text)
  if (match === null) {
    return err({ kind: 'not-decimal', message: `${JSON.stringify(text)} is not a plain decimal number` })
  }
  const [, sign = '', whole = '', fraction = ''] = match
  const kept = fraction.slice(0, decimals).padEnd(decimals, '0')
  if (/[1-9]/.test(fraction.slice(decimals))) {
    return err({ kind: 'too-many-digits', message: `${text} has more than ${decimals} decimals` })
  }
  const magnitude = BigInt(whole + kept)
  return ok(sign === '-' ? -magnitude : magnitude)
}

/** Number of digits that a double always holds exactly. */
const SHORT_DIGITS = 15
const MAX_DECIMALS = 18
const POWERS_OF_TEN = Array.from({ length: MAX_DECIMALS + 1 }, (_, exponent) => 10n ** BigInt(exponent))
const [ZERO, NINE, POINT] = [48, 57, 46]

/**
 * Parses common amounts and rates quickly: few digits, no sign, at most `decimals` decimals. Null = use the general
 * parser.
 */
function parseShort(text: string, decimals: number): bigint | null {
  if (text.length > SHORT_DIGITS + 1) return null
  let digits = 0
  let value = 0
  let point = -1
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code >= ZERO && code <= NINE) {
      value = value * 10 + (code - ZERO)
      digits += 1
    } else if (code === POINT && point < 0 && digits > 0) point = i
    else return null
  }
  const fraction = point < 0 ? 0 : text.length - point - 1
  const power = POWERS_OF_TEN[decimals - fraction]
  const isWhole = digits > 0 && digits <= SHORT_DIGITS && point !== text.length - 1
  return isWhole && power !== undefined ? BigInt(value) * power : null
}

/** Returns the shortest plain decimal that `parseDecimalText` reads back as the same value. */
export function formatDecimalText(value: bigint, decimals: number): string {
  const negative = value < 0n
  const digits = (negative ? -value : value).toString().padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '')
  return `${negative ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`
}

/** Pads a decimal text to `decimals` decimals; it must not have more. */
export function padDecimals(text: string, decimals: number): string {
  const [whole = '', fraction = ''] = text.split('.')
  return `${whole}.${fraction.padEnd(decimals, '0')}`
}

import { z } from 'zod'
import { parseDecimalText } from '../../../base/money/decimal-text.ts'
import { divide, type Rounding } from '../../../base/money/rounding.ts'

/** One shilling outside of the chain is 10^18 base units of its token. */
export const UNITS_PER_SHILLING = 10n ** 18n
/** Decimals of the venue's dollars at the rail. */
export const DOLLAR_DECIMALS = 6
const TOKEN_DECIMALS = 18

/** A text, or a JSON number as it was written; exponents included. */
const FIGURE = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,3}))?$/
const MAX_LENGTH = 100

/** The digits of a figure without its exponent; null = it is no number. */
function plainDecimal(text: string): string | null {
  const match = text.length > MAX_LENGTH ? null : FIGURE.exec(text)
  if (match === null) return null
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match
  const shift = Number(exponent)
  if (Math.abs(shift) > MAX_LENGTH) return null
  const digits = `${whole}${fraction}`
  const point = whole.length + shift
  const padded = point <= 0 ? `${'0'.repeat(1 - point)}${digits}` : digits.padEnd(point, '0')
  const at = Math.max(point, 1)
  return padded.length === at ? `${sign}${padded}` : `${sign}${padded.slice(0, at)}.${padded.slice(at)}`
}

/** A figure in units of 10^-decimals; digits beyond them are an error, unless a rounding is named. Null = unreadable. */
export function readFigure(value: unknown, decimals: number, rounding?: Rounding): bigint | null {
  const isFigure = typeof value === 'string' || (typeof value === 'number' && Number.isFinite(value))
  const text = isFigure ? plainDecimal(String(value)) : null
  if (text === null) return null
  if (rounding === undefined) {
    const exact = parseDecimalText(text, decimals)
    return exact.ok ? exact.value : null
  }
  const [, fraction = ''] = text.split('.')
  const fine = parseDecimalText(text, Math.max(decimals, fraction.length))
  if (!fine.ok) return null
  return divide(fine.value, 10n ** BigInt(Math.max(0, fraction.length - decimals)), rounding)
}

const written = z.union([z.number(), z.string()])

function figure(decimals: number, rounding?: Rounding) {
  return written.transform((value, context) => {
    const units = readFigure(value, decimals, rounding)
    if (units !== null) return units
    context.issues.push({
      code: 'custom',
      input: value,
      message: `no amount with up to ${decimals} decimals`,
    })
    return z.NEVER
  })
}

/** Whole shillings: an integer, exactly. */
export const shillings = figure(0)
/** Base units of a dollar (6 decimals), exactly. */
export const dollars = figure(DOLLAR_DECIMALS)
/** What a dollar price is computed to, in base units: digits beyond the token's are cut. */
export const dollarsDown = figure(DOLLAR_DECIMALS, 'down')
/** Base units of the shilling's token from a computed figure: digits beyond the 18 are cut. */
export const tokensDown = figure(TOKEN_DECIMALS, 'down')

/** A ratio, a rate, a number of bps: for statistics and for show, never booked. */
export const ratio = written.transform((value, context) => {
  const number = typeof value === 'number' ? value : plainDecimal(value) === null ? Number.NaN : Number(value)
  if (Number.isFinite(number)) return number
  context.issues.push({ code: 'custom', input: value, message: 'no number' })
  return z.NEVER
})

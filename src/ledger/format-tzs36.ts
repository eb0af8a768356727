import { Decimal } from 'decimal.js'
import type { Tzs36, Usd54 } from './value-tzs.ts'

/** Wide enough for every digit of any sum of token amounts at 54 decimals. */
const Wide = Decimal.clone({ precision: 200, toExpPos: 200, toExpNeg: -200 })

/** TZS at 36 decimals as plain decimal text with `digits` decimals, half away from zero. For people. */
export function formatTzs36(value: Tzs36, digits: number): string {
  return format(value, 36, digits)
}

/** USD at 54 decimals as plain decimal text with `digits` decimals, half away from zero. For people. */
export function formatUsd54(value: Usd54, digits: number): string {
  return format(value, 54, digits)
}

function format(value: bigint, decimals: number, digits: number): string {
  const text = new Wide(`${value}e-${decimals}`).toFixed(digits, Decimal.ROUND_HALF_UP)
  return /^-0(\.0*)?$/.test(text) ? text.slice(1) : text
}

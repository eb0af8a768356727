import { Decimal } from 'decimal.js'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, type Ms } from '../base/time.ts'

const Wide = Decimal.clone({ precision: 200, toExpPos: 200, toExpNeg: -200 })

/** An exact decimal text, rounded and with its thousands apart: `1234567.891` is `1,234,567.89`. */
export function numberText(exact: string, digits: number, sign: 'plus' | 'plain' = 'plain'): string {
  const value = new Wide(exact).toDecimalPlaces(digits, Wide.ROUND_HALF_UP)
  const [whole = '0', fraction] = value.abs().toFixed(digits).split('.')
  const grouped = whole.replaceAll(/\B(?=(\d{3})+$)/g, ',')
  const mark = value.isZero() ? '' : value.isNegative() ? '-' : sign === 'plus' ? '+' : ''
  return `${mark}${grouped}${fraction === undefined ? '' : `.${fraction}`}`
}

/** A duration in its two largest units: `3h 12m`, `45s`, `2d 4h`. Null is 'unknown'. */
export function ageText(ms: Ms | null): string {
  if (ms === null) return 'unknown'
  if (ms < MINUTE_MS) return `${Math.max(0, Math.floor(ms / SECOND_MS))}s`
  if (ms < HOUR_MS) return `${Math.floor(ms / MINUTE_MS)}m ${Math.floor((ms % MINUTE_MS) / SECOND_MS)}s`
  if (ms < DAY_MS) return `${Math.floor(ms / HOUR_MS)}h ${Math.floor((ms % HOUR_MS) / MINUTE_MS)}m`
  return `${Math.floor(ms / DAY_MS)}d ${Math.floor((ms % DAY_MS) / HOUR_MS)}h`
}

/** A moment as UTC to the second. */
export function timeText(at: Ms): string {
  const date = new Date(at)
  return Number.isNaN(date.getTime())
    ? String(at)
    : `${date.toISOString().slice(0, 19).replace('T', ' ')} UTC`
}

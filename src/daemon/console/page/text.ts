import { decimalText as exactText, grouped } from '../../../base/text/numbers.ts'
import { ageText as durationText, clockText } from '../../../base/text/times.ts'

const MISSING = '–'

/** Returns exact decimal text with a typographic minus, without using floats; null is a dash. `sign` puts a plus before gains. */
export function shownDecimal(text: string | null | undefined, digits: number, sign = false): string {
  if (text === null || text === undefined) return MISSING
  return exactText(text, digits, sign ? 'plus' : 'plain').replace(/^-(?=\d)/, '−')
}

/** Returns a float as text with a typographic minus; a dash if it is missing or not finite. */
export function numberText(value: number | null | undefined, digits: number, sign = false): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return MISSING
  const [whole = '0', fraction] = Math.abs(value).toFixed(digits).split('.')
  const isZero = Number(`${whole}.${fraction ?? '0'}`) === 0
  const mark = isZero ? '' : value < 0 ? '−' : sign ? '+' : ''
  return mark + grouped(whole) + (fraction === undefined ? '' : `.${fraction}`)
}

export function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** Returns the tone of a gain or a loss; empty if it is zero or unknown. */
export function toneOf(value: number | null): 'plus' | 'minus' | '' {
  if (value === null || value === 0) return ''
  return value < 0 ? 'minus' : 'plus'
}

/** Returns a duration in its two largest units; null is a dash. */
export function shownAge(ms: number | null | undefined): string {
  return ms === null || ms === undefined || !Number.isFinite(ms) ? MISSING : durationText(ms)
}

/** Returns the time of day, with the day if it is not the day of `now`; null is a dash. */
export function shownTime(t: number | null, now: number): string {
  return t === null ? MISSING : clockText(t, now)
}

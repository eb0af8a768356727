import { grouped } from './decimal-text.ts'

/** A float for reading; what is not known or not finite is a dash. */
export function numberText(value: number | null | undefined, digits: number, sign = false): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return '–'
  const [whole = '0', fraction] = Math.abs(value).toFixed(digits).split('.')
  const isZero = Number(`${whole}.${fraction ?? '0'}`) === 0
  const mark = isZero ? '' : value < 0 ? '−' : sign ? '+' : ''
  return mark + grouped(whole) + (fraction === undefined ? '' : `.${fraction}`)
}

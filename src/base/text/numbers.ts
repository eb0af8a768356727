import { divide } from '../money/rounding.ts'

/** `plus`: a positive figure has a plus sign. */
type Sign = 'plus' | 'plain'

const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?$/
/** From this value on JavaScript writes a float with an exponent. */
const EXPONENT_FROM = 1e21

/**
 * Returns an exact decimal rounded half away from zero, with grouped thousands: `1234567.891` becomes `1,234,567.89`.
 * No digit passes through a float, and zero has no sign. Other text is returned unchanged.
 */
export function decimalText(exact: string, digits: number, sign: Sign = 'plain'): string {
  const [, minus, whole = '', fraction = ''] = DECIMAL.exec(exact) ?? []
  if (minus === undefined) return exact
  const kept = fraction.padEnd(digits + 1, '0')
  const roundsUp = (kept[digits] ?? '0') >= '5' ? 1n : 0n
  const scaled = BigInt(whole + kept.slice(0, digits)) + roundsUp
  const mark = scaled === 0n ? '' : minus === '-' ? '-' : sign === 'plus' ? '+' : ''
  const [head = '', tail] = fixedText(scaled, digits).split('.')
  return `${mark}${grouped(head)}${tail === undefined ? '' : `.${tail}`}`
}

/** Returns a float in the form of `decimalText`, rounded by its shortest decimal rather than its binary digits. */
export function floatText(value: number, digits: number, sign: Sign = 'plain'): string {
  return Number.isFinite(value) ? decimalText(plainText(value), digits, sign) : String(value)
}

/** Returns a float with so many significant digits, without an exponent. */
export function significantText(value: number, digits: number): string {
  const magnitude = value === 0 || !Number.isFinite(value) ? 0 : Math.floor(Math.log10(Math.abs(value)))
  return floatText(value, Math.min(9, Math.max(0, digits - 1 - magnitude)))
}

/** Returns a share of 1 as `12.3 %`. */
export function percentText(share: number, digits = 1): string {
  return `${floatText(100 * share, digits)} %`
}

/** `1 fill`, `1,234 fills`. */
export function countText(count: number, one: string): string {
  return `${floatText(count, 0)} ${one}${count === 1 ? '' : 's'}`
}

/** Returns a 90 % interval in words; null = too little data for one. */
export function intervalText(interval: readonly [number, number] | null, sign: Sign = 'plus'): string {
  if (interval === null) return 'too little data for an interval'
  const [low, high] = interval
  return `90 % CI ${floatText(low, 2, sign)} to ${floatText(high, 2, sign)}`
}

/** '1234567' becomes '1,234,567'. */
export function grouped(whole: string): string {
  return whole.replaceAll(/\B(?=(\d{3})+$)/g, ',')
}

/**
 * Rounds the exact terms of a sum so that the displayed terms add up to the displayed total. Rounds the total half away
 * from zero and gives the remainder, unit by unit, to the terms that lost most; no term is off by more than one unit of
 * its last digit. Takes and returns plain decimal texts.
 */
export function roundToSum(
  terms: readonly string[],
  digits: number,
): { readonly terms: readonly string[]; readonly total: string } {
  const scale = Math.max(digits, ...terms.map((text) => text.split('.')[1]?.length ?? 0))
  const unit = 10n ** BigInt(scale - digits)
  const exact = terms.map((text) => unitsOf(text, scale))
  const sum = exact.reduce((all, term) => all + term, 0n)
  const total =
    sum < 0n ? -divide(unit - 2n * sum, 2n * unit, 'down') : divide(unit + 2n * sum, 2n * unit, 'down')
  const rounded = exact.map((term) => divide(term, unit, 'down'))
  const missing = Number(total - rounded.reduce((all, term) => all + term, 0n))
  const lost = (index: number) => (exact[index] ?? 0n) - (rounded[index] ?? 0n) * unit
  const byLoss = [...exact.keys()].sort((a, b) => Number(lost(b) - lost(a)) || a - b)
  for (const index of byLoss.slice(0, missing)) rounded[index] = (rounded[index] ?? 0n) + 1n
  return { terms: rounded.map((term) => fixedText(term, digits)), total: fixedText(total, digits) }
}

function unitsOf(text: string, scale: number): bigint {
  const [whole = '', fraction = ''] = text.split('.')
  return BigInt(whole + fraction.padEnd(scale, '0'))
}

function fixedText(units: bigint, digits: number): string {
  const text = (units < 0n ? -units : units).toString().padStart(digits + 1, '0')
  const point = text.length - digits
  return `${units < 0n ? '-' : ''}${text.slice(0, point)}${digits === 0 ? '' : `.${text.slice(point)}`}`
}

/** Returns the shortest decimal of this float, without an exponent. */
function plainText(value: number): string {
  if (Math.abs(value) >= EXPONENT_FROM) return BigInt(value).toString()
  const text = String(value)
  return text.includes('e') ? value.toFixed(20) : text
}

import { numberText } from './number-text.ts'

/** A figure of statistics with its thousands apart. */
export function floatText(value: number, digits: number, sign: 'plus' | 'plain' = 'plain'): string {
  return numberText(String(value), digits, sign)
}

/** A share of 1 as `12.3 %`. */
export function percentText(share: number, digits = 1): string {
  return `${floatText(100 * share, digits)} %`
}

/** `1 fill`, `1,234 fills`. */
export function countText(count: number, one: string): string {
  return `${floatText(count, 0)} ${one}${count === 1 ? '' : 's'}`
}

import { Decimal } from 'decimal.js'

/** Wide enough for every digit of any sum of token amounts. */
const Wide = Decimal.clone({ precision: 200, toExpPos: 200, toExpNeg: -200 })

/**
 * Rounds the exact terms of a sum so that what a person reads still adds up: the total is rounded half away
 * from zero, and what the rounded terms miss of it goes, unit by unit, to the terms that lost most. No term
 * is then off by more than one unit of its last digit. Plain decimal texts in and out.
 */
export function roundToSum(
  terms: readonly string[],
  digits: number,
): { readonly terms: readonly string[]; readonly total: string } {
  const exact = terms.map((text) => new Wide(text))
  const total = exact
    .reduce((sum, term) => sum.plus(term), new Wide(0))
    .toDecimalPlaces(digits, Wide.ROUND_HALF_UP)
  const rounded = exact.map((term) => term.toDecimalPlaces(digits, Wide.ROUND_FLOOR))
  const unit = new Wide(10).pow(-digits)
  const missing = rounded
    .reduce((rest, term) => rest.minus(term), total)
    .dividedBy(unit)
    .toNumber()
  const byLoss = exact
    .map((term, index) => ({ index, lost: term.minus(rounded[index] ?? 0) }))
    .sort((a, b) => b.lost.comparedTo(a.lost) || a.index - b.index)
  for (const { index } of byLoss.slice(0, missing)) rounded[index] = rounded[index]?.plus(unit) ?? unit
  return { terms: rounded.map((term) => plain(term, digits)), total: plain(total, digits) }
}

function plain(value: Decimal, digits: number): string {
  const text = value.toFixed(digits)
  return /^-0(\.0*)?$/.test(text) ? text.slice(1) : text
}

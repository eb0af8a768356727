import { floatText } from '../../../base/text/numbers.ts'
import type { RiskTail } from './risk-view.ts'

/** The figures of a tail with their headings. */
export const RISK_FIGURES = [
  ['VaR 95 %', 'var95'],
  ['ES 95 %', 'es95'],
  ['VaR 99 %', 'var99'],
  ['ES 99 %', 'es99'],
] as const

export function tailName({ of, market, days }: RiskTail): string {
  return `${market}${of === 'held' ? ' without trades' : ''}, ${days === 1 ? 'a day' : 'a week'}`
}

export function riskFigure({ value, se }: RiskTail['usd']['var95']): string {
  return `${floatText(value, 0)} ± ${floatText(se, 0)}`
}

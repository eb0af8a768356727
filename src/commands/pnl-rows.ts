import type { BacktestResult, PnlTerms } from '../backtest/result.ts'
import { numberText } from './number-text.ts'
import { roundTerms } from './round-terms.ts'

const TERMS = {
  postedSpread: 'posted spread',
  staleMid: 'stale mid',
  inventory: 'inventory',
  costs: 'costs',
  unexplained: 'unexplained',
} as const

/** The PnL's terms and their total, in TZS and USD; rounded so that what is shown adds up. */
export function pnlRows({ tzs, usd }: BacktestResult['pnl']): readonly (readonly [string, string, string])[] {
  const [shillings, dollars] = [pnlColumn(tzs, 2), pnlColumn(usd, 4)]
  return [...Object.values(TERMS), 'total'].map((name, index) => [
    name,
    shillings[index] ?? '',
    dollars[index] ?? '',
  ])
}

function pnlColumn(exact: PnlTerms, digits: number): readonly string[] {
  const names = Object.keys(TERMS) as (keyof typeof TERMS)[]
  const { terms, total } = roundTerms(
    names.map((name) => exact[name]),
    digits,
  )
  return [...terms, total].map((text) => numberText(text, digits, 'plus'))
}

import { decimalText, roundToSum } from '../../../base/text/numbers.ts'
import type { PnlView } from '../../../daemon/view/ledger-view.ts'
import { type Piece, type RowOptions, tableRow } from '../../output/tables.ts'

const TZS_TERMS = {
  spreadCapture: 'spread',
  staleMid: 'stale mid',
  inventory: 'inventory',
  costs: 'costs',
  unreconciled: 'unreconciled',
} as const
const USD_TERMS = {
  edge: 'edge',
  inventory: 'inventory',
  costs: 'costs',
  unreconciled: 'unreconciled',
} as const

/** The terms of the PnL in both currencies, and what of the spread is slippage. */
export function pnlRows(pnl: PnlView | null, row: RowOptions): string[] {
  if (pnl === null) return tableRow('PnL', ['cannot be valued yet'], row)
  return [
    ...tableRow('PnL TZS', pnlPieces(pnl.tzs, TZS_TERMS, 2), row),
    ...tableRow('PnL USD', pnlPieces(pnl.usd, USD_TERMS, 4), row),
    ...(pnl.slippageTzs === null
      ? []
      : tableRow(
          'slippage',
          [`${decimalText(pnl.slippageTzs, 2, 'plus')} TZS of the spread, let go by takers`],
          row,
        )),
  ]
}

function pnlPieces<Term extends string>(
  exact: Readonly<Record<NoInfer<Term>, string>>,
  names: Readonly<Record<Term, string>>,
  digits: number,
): Piece[] {
  const keys = Object.keys(names) as Term[]
  const { terms, total } = roundToSum(
    keys.map((key) => exact[key]),
    digits,
  )
  const shown = keys.map((key, index) => `${names[key]} ${decimalText(terms[index] ?? '0', digits, 'plus')}`)
  const tone = total.startsWith('-') ? 'bad' : 'good'
  return [{ text: `${decimalText(total, digits, 'plus')} =`, tone }, ...shown]
}

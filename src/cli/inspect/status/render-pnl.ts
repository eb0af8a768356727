import { decimalText, roundToSum } from '../../../base/text/numbers.ts'
import { TZS_LABELS, USD_LABELS } from '../../../daemon/view/pnl-labels.ts'
import type { PnlView } from '../../../daemon/view/ledger-view.ts'
import { type Piece, type RowOptions, tableRow } from '../../output/tables.ts'

/** Returns the terms of the PnL in both currencies, and the slippage within the spread. */
export function pnlRows(pnl: PnlView | null, row: RowOptions): string[] {
  if (pnl === null) return tableRow('PnL', ['cannot be valued yet'], row)
  return [
    ...tableRow('PnL TZS', pnlPieces(pnl.tzs, TZS_LABELS, 2), row),
    ...tableRow('PnL USD', pnlPieces(pnl.usd, USD_LABELS, 4), row),
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
  labels: readonly (readonly [Term, string])[],
  digits: number,
): Piece[] {
  const { terms, total } = roundToSum(
    labels.map(([term]) => exact[term]),
    digits,
  )
  const shown = labels.map(
    ([, label], index) => `${label} ${decimalText(terms[index] ?? '0', digits, 'plus')}`,
  )
  const tone = total.startsWith('-') ? 'bad' : 'good'
  return [{ text: `${decimalText(total, digits, 'plus')} =`, tone }, ...shown]
}

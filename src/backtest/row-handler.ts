import type { Ms } from '../base/time.ts'
import type { TapeBatch } from '../tape/tape-batch.ts'
import type { BalancesRow, FillRow, QuoteRow, ReferenceRow } from '../tape/tape-row.ts'

/** What a backtest does with the rows of a tape that bring news. */
export type RowHandler = {
  /** Agenda up to, not including, the moment of the next row. */
  readonly before: (t: Ms) => void
  readonly rate: (t: Ms, batch: TapeBatch, index: number) => void
  readonly reference: (row: ReferenceRow) => void
  readonly competition: (t: Ms, batch: TapeBatch, index: number) => void
  /** False: no further balances are wanted, they are passed over from then on. */
  readonly balances: (row: BalancesRow) => boolean
  readonly quote: (row: QuoteRow) => void
  readonly fill: (row: FillRow) => void
}

import { isoText } from '../../../base/text/times.ts'
import type { DayRow } from './daily.ts'

/** A UTC day of a backtest in `--json`, including days without fills. */
export type DailyRow = Pick<DayRow, 'pnlUsd' | 'lessHoldingUsd' | 'turnoverUsd' | 'fills' | 'fair'> & {
  /** The date, and the end of the run's part of it. */
  readonly day: string
  readonly to: string
}

export function dailyRows(rows: readonly DayRow[]): readonly DailyRow[] {
  return rows.map(({ day, to, pnlUsd, lessHoldingUsd, turnoverUsd, fills, fair }) => ({
    day: isoText(day).slice(0, 10),
    to: isoText(to),
    pnlUsd,
    lessHoldingUsd,
    turnoverUsd,
    fills,
    fair,
  }))
}

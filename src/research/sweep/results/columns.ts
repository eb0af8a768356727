import { listColumn, plainColumn, type ParquetColumn } from './parquet.ts'
import type { VariantMetrics } from '../search/objectives.ts'
import type { TriedVariant, VariantResult } from '../variant-job.ts'

/** One row per variant; the daily figures are lists of equal length. */
export const RESULT_COLUMNS: readonly ParquetColumn<TriedVariant>[] = [
  plainColumn('variant', 'count', ({ variant }) => variant.index),
  plainColumn('label', 'text', ({ variant }) => variant.label),
  plainColumn('changes', 'text', ({ variant }) => JSON.stringify(variant.changes)),
  plainColumn('from', 'time', ({ result: { from } }) => new Date(from)),
  plainColumn('to', 'time', ({ result: { to } }) => new Date(to)),
  plainColumn('pnlUsd', 'text', ({ result: { pnlUsd } }) => pnlUsd),
  plainColumn('turnoverUsd', 'text', ({ result: { turnoverUsd } }) => turnoverUsd),
  plainColumn('fills', 'count', ({ result: { fills } }) => fills),
  plainColumn('syntheticFills', 'count', ({ result: { syntheticFills } }) => syntheticFills),
  plainColumn('rejected', 'count', ({ result: { rejected } }) => rejected),
  plainColumn('quoteUpdates', 'count', ({ result: { quoteUpdates } }) => quoteUpdates),
  plainColumn('maxDrawdownUsd', 'double', ({ result: { maxDrawdownUsd } }) => maxDrawdownUsd),
  plainColumn('digest', 'text', ({ result: { digest } }) => digest),
  listColumn('day', 'time', ({ result: { daily } }) => daily.day.map((day) => new Date(day))),
  listColumn('dayPnlUsd', 'double', ({ result: { daily } }) => daily.pnlUsd),
  // Empty if missing: this writer cannot omit a list.
  listColumn('dayLessHoldingUsd', 'double', ({ result: { daily } }) => daily.lessHoldingUsd ?? []),
  listColumn('dayTurnoverUsd', 'double', ({ result: { daily } }) => daily.turnoverUsd),
  listColumn('dayFills', 'count', ({ result: { daily } }) => daily.fills),
  plainColumn('metrics', 'text', ({ result: { metrics } }) => JSON.stringify(metrics)),
  listColumn('warnings', 'text', ({ result: { warnings } }) => warnings),
  plainColumn('elapsedMs', 'double', ({ result: { elapsedMs } }) => elapsedMs),
]

/** A row of a results file as hyparquet reads it, written by `RESULT_COLUMNS`. */
export function resultOfRow(read: Readonly<Record<string, unknown>>): VariantResult {
  const row = read as StoredRow
  const lessHolding = row.dayLessHoldingUsd ?? []
  return {
    variant: row.variant,
    from: row.from.getTime(),
    to: row.to.getTime(),
    pnlUsd: row.pnlUsd,
    turnoverUsd: row.turnoverUsd,
    fills: row.fills,
    syntheticFills: row.syntheticFills,
    rejected: row.rejected,
    quoteUpdates: row.quoteUpdates,
    maxDrawdownUsd: row.maxDrawdownUsd,
    digest: row.digest,
    daily: {
      day: row.day.map((day) => day.getTime()),
      pnlUsd: row.dayPnlUsd,
      ...(lessHolding.length === 0 ? {} : { lessHoldingUsd: lessHolding }),
      turnoverUsd: row.dayTurnoverUsd,
      fills: row.dayFills,
    },
    metrics: JSON.parse(row.metrics) as VariantMetrics,
    warnings: row.warnings,
    elapsedMs: row.elapsedMs,
  }
}

type StoredRow = Omit<VariantResult, 'from' | 'to' | 'daily' | 'metrics'> & {
  readonly metrics: string
  readonly from: Date
  readonly to: Date
  readonly day: readonly Date[]
  readonly dayPnlUsd: readonly number[]
  /** Folders of older versions do not have the column. */
  readonly dayLessHoldingUsd?: readonly number[]
  readonly dayTurnoverUsd: readonly number[]
  readonly dayFills: readonly number[]
}

import { batchOfRows } from './batch-of-rows.ts'
import { compareRows } from './compare-rows.ts'
import type { FillGate } from './fill-gate.ts'
import { rowsOfBatch } from './rows-of-batch.ts'
import type { Segment } from './segment.ts'
import type { TapeBatch } from './tape-batch.ts'
import type { FillRow } from './tape-row.ts'

/** Rows and where they come from. */
export type Part = { readonly batch: TapeBatch; readonly segment: Segment }

/** One batch of several, each in order. A fill that was there before is told and left out. */
export function mergeBatches(parts: readonly Part[], fills: FillGate): TapeBatch {
  const merged: Omit<TapeBatch, 'rows' | 'fills'> = {
    rates: merge(parts, 'rates'),
    competition: merge(parts, 'competition'),
    references: merge(parts, 'references'),
    balances: merge(parts, 'balances'),
    quotes: merge(parts, 'quotes'),
    decisions: merge(parts, 'decisions'),
  }
  const admitted = mergeFills(parts, fills)
  const rows = Object.values(merged).reduce((sum, { length }) => sum + length, admitted.length)
  return { rows, ...merged, fills: admitted }
}

const NOTHING = batchOfRows([])

/** One list or set of columns. Where only one part has any, which is nearly always, it is taken as it is. */
function merge<K extends Exclude<keyof TapeBatch, 'rows'>>(parts: readonly Part[], kind: K): TapeBatch[K] {
  const some = parts.map(({ batch }) => batch[kind]).filter(({ length }) => length > 0)
  const [first] = some
  if (first === undefined) return NOTHING[kind]
  if (some.length === 1) return first
  const rows = some.flatMap((each) => [...rowsOfBatch({ ...NOTHING, [kind]: each })])
  return batchOfRows(rows.sort(compareRows))[kind]
}

function mergeFills(parts: readonly Part[], fills: FillGate): readonly FillRow[] {
  const entries = parts.flatMap(({ batch, segment }) => batch.fills.map((row) => ({ row, segment })))
  const from = new Set(entries.map(({ segment }) => segment))
  if (from.size > 1) entries.sort((a, b) => compareRows(a.row, b.row))
  return entries
    .filter(({ row, segment }) => fills.admits(row, segment.file, segment.at))
    .map(({ row }) => row)
}

import { flattenRow } from './flatten-row.ts'
import { ROW_SHAPE } from './row-shape.ts'
import type { TapeRow } from './tape-row.ts'

/**
 * A row as one line of the text form (docs/tapes.md), without the line's end. Canonical: fields in their
 * documented order, shortest exact decimals, times with milliseconds, optional fields left out when null.
 */
export function encodeRow(row: TapeRow): string {
  const values = flattenRow(row)
  const line: Record<string, unknown> = { t: new Date(row.t).toISOString(), type: row.type }
  for (const { name, holds } of ROW_SHAPE[row.type]) {
    const value = values[name] ?? null
    if (value === null) continue
    line[name] = holds === 'time' && typeof value === 'number' ? new Date(value).toISOString() : value
  }
  return JSON.stringify(line)
}

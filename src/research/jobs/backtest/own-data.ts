import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { plainCells } from '../../../base/csv-text.ts'
import { err, errorText, ok, type Result } from '../../../base/result.ts'
import type { Ms } from '../../../base/time.ts'
import type { OwnData } from '../../../core/strategy/context.ts'

/** What strategies read as `context.data`, and the hash of its file. */
export type OwnColumns = { readonly at: OwnData; readonly sha256: string }

type Values = ReturnType<OwnData>

const NAME = /^[A-Za-z]\w{0,59}$/
/** ISO 8601 with a zone, or a day alone, which is midnight UTC. */
const TIME = /^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d))?$/

/**
 * Reads a file with a column `time`, ascending, and columns of numbers. The ending .parquet chooses the format, else CSV. An empty cell
 * is no value. The error names the file and the row, counted from the head of the table.
 */
export async function readOwnData(path: string): Promise<Result<OwnColumns, string>> {
  try {
    const bytes = readFileSync(path)
    const isParquet = path.toLowerCase().endsWith('.parquet')
    const rows = isParquet ? await parquetRows(path) : csvRows(bytes.toString('utf8'))
    if (rows.length === 0) throw new Error('it has no rows')
    const at = lookup(rows.map(timeIn), rows.map(valuesIn))
    return ok({ at, sha256: createHash('sha256').update(bytes).digest('hex') })
  } catch (error) {
    return err(`backtest.data: ${path} cannot be read: ${errorText(error)}`)
  }
}

/** Reads the columns of a configuration; null = it names no file. */
export async function ownColumns({
  data,
}: {
  readonly data: string | null
}): Promise<Result<OwnColumns | null, string>> {
  return data === null ? ok(null) : readOwnData(data)
}

/** Returns the latest row at or before a time: no later one, whatever comes after it. */
function lookup(times: readonly Ms[], rows: readonly Values[]): OwnData {
  const back = times.findIndex((t, index) => t < (times[index - 1] ?? t))
  if (back > 0)
    throw new Error(`row ${back + 1}: its time is before that of row ${back}; sort the file by time`)
  let row = -1
  return (now) => {
    if (row >= 0 && times[row]! > now) row = -1
    while (row + 1 < times.length && times[row + 1]! <= now) row += 1
    return rows[row] ?? {}
  }
}

type Row = Readonly<Record<string, string | number | bigint | boolean | Date | null | undefined>>

/** Loads its code only for such a file: most backtests have none. */
async function parquetRows(path: string): Promise<readonly Row[]> {
  const { readParquetFile } = await import('../../sweep/results/parquet.ts')
  return (await readParquetFile(path)) as readonly Row[]
}

function csvRows(text: string): readonly Row[] {
  const [head = '', ...lines] = text
    .replace(/^\uFEFF/, '')
    .trimEnd()
    .split(/\r?\n/)
  const names = plainCells(head)
  return lines.map((line, index) => {
    const cells = plainCells(line)
    if (cells.length !== names.length)
      throw new Error(
        `row ${index + 1} has ${cells.length} cells where the head names ${names.length} columns`,
      )
    return Object.fromEntries(names.map((name, column) => [name, cells[column]]))
  })
}

function timeIn({ time }: Row, index: number): Ms {
  if (time === undefined) throw new Error('it has no column time')
  const isIso = typeof time === 'string' && TIME.test(time)
  const ms = time instanceof Date ? time.getTime() : isIso ? Date.parse(time) : Number(time)
  // Seconds, micro- and nanoseconds are outside.
  if (ms >= Date.UTC(2000) && ms < Date.UTC(2100)) return ms
  throw new Error(
    `row ${index + 1}: time ${String(time)} is neither ISO 8601 with a zone nor milliseconds since 1970`,
  )
}

function valuesIn(row: Row, index: number): Values {
  const { time: _, ...cells } = row
  const values: Record<string, number> = {}
  for (const [name, cell] of Object.entries(cells)) {
    if (!NAME.test(name))
      throw new Error(
        `the column ${JSON.stringify(name)}: rename it, to letters, digits and _, a letter first`,
      )
    if (cell === null || cell === undefined || cell === '' || Number.isNaN(cell)) continue
    const value = typeof cell === 'boolean' || cell instanceof Date ? NaN : Number(cell)
    if (!Number.isFinite(value))
      throw new Error(`row ${index + 1}: ${name} = ${String(cell)} is not a number`)
    values[name] = value
  }
  return Object.freeze(values)
}

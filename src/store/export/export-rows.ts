import { csvLine } from '../../base/csv-text.ts'
import { printableJson } from '../../base/printable.ts'
import { err, ok, type Result } from '../../base/result.ts'
import type { ExportKind, ExportRow } from './kinds.ts'
import { EXPORT_TABLES } from './tables.ts'
import type { StoreReader } from '../open-reader.ts'
import { type StoreFailure, StoreReadError } from '../failure.ts'

const EXPORT_FORMATS = ['jsonl', 'csv'] as const
export type ExportFormat = (typeof EXPORT_FORMATS)[number]

/** Text is written in pieces of about this size. */
const CHUNK_CHARACTERS = 64 * 1024

/**
 * Streams the rows of one table to `write`, and awaits each call, so that a slow pipe slows the reading. JSON lines
 * have one object per row. CSV follows RFC 4180 (CRLF, a header line, null is an empty field), and a text that a
 * spreadsheet would run as a formula begins with an apostrophe. Returns the number of rows. Passes on what `write`
 * throws.
 */
export async function exportRows(
  reader: Pick<StoreReader, 'rows'>,
  what: ExportKind,
  format: ExportFormat,
  write: (text: string) => void | Promise<void>,
): Promise<Result<number, StoreFailure>> {
  const { columns } = EXPORT_TABLES[what]
  const lineOf = format === 'csv' ? csvRow : jsonLine
  let chunk = format === 'csv' ? csvLine(columns) : ''
  let count = 0
  try {
    for (const row of reader.rows(what)) {
      chunk += lineOf(columns, row)
      count += 1
      if (chunk.length < CHUNK_CHARACTERS) continue
      await write(chunk)
      chunk = ''
    }
  } catch (error) {
    if (error instanceof StoreReadError) return err(error.failure)
    throw error
  }
  if (chunk !== '') await write(chunk)
  return ok(count)
}

function jsonLine(columns: readonly string[], row: ExportRow): string {
  const object = Object.fromEntries(columns.map((column) => [column, row[column] ?? null]))
  return `${printableJson(JSON.stringify(object))}\n`
}

function csvRow(columns: readonly string[], row: ExportRow): string {
  return csvLine(columns.map((column) => row[column] ?? null))
}

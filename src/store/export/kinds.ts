import type { Row } from '../connection/connection.ts'

/** The exportable tables, by name. */
export const EXPORT_KINDS = ['fills', 'quotes', 'rates', 'ledger', 'orders', 'treasury'] as const
export type ExportKind = (typeof EXPORT_KINDS)[number]

type ExportValue = string | number | boolean | null

/** An exported row: flat, amounts as decimal text, times as ISO 8601 in UTC. */
export type ExportRow = Readonly<Record<string, ExportValue>>

export type ExportTable = {
  /** In output order; new columns are appended. */
  readonly columns: readonly string[]
  /**
   * Selects a page of rows after (seq, n, p), oldest first. Its parameters are those three and the page size; its
   * columns `seq`, `n`, `p` mark where the next page begins.
   */
  readonly page: string
  /** The first version with this table; absent = every version has it. */
  readonly since?: number
  /** Returns the exported rows of a stored row; a row that books something may become several. */
  readonly rowsOf: (row: Row) => readonly ExportRow[]
}

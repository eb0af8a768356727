import type { Row } from '../connection/connection.ts'

/** The exportable tables, by name. */
export const EXPORT_KINDS = ['fills', 'quotes', 'rates', 'ledger', 'orders', 'treasury'] as const
export type ExportKind = (typeof EXPORT_KINDS)[number]

type ExportValue = string | number | boolean | null

/** A row for people and their tools: flat, amounts as decimal text, times as ISO 8601 in UTC. */
export type ExportRow = Readonly<Record<string, ExportValue>>

export type ExportTable = {
  /** In the order in which they are written; new ones are added at the end. */
  readonly columns: readonly string[]
  /**
   * A page of rows after (seq, n, p), oldest first: its parameters are those three and the page's size,
   * its columns `seq`, `n`, `p` are where the next page begins.
   */
  readonly page: string
  /** Stores before this version do not have the table; absent = all have. */
  readonly since?: number
  /** The exported rows of one stored row; a row that books something may become several. */
  readonly rowsOf: (row: Row) => readonly ExportRow[]
}

import type { StoreFailure } from '../failure.ts'

export type SqlValue = string | number | bigint | null
export type Row = Readonly<Record<string, string | number | bigint | null | Uint8Array>>

/** A query that takes one value per `?`. */
export type Query = {
  readonly all: (...values: SqlValue[]) => readonly Row[]
  readonly get: (...values: SqlValue[]) => Row | undefined
}

/**
 * A synchronous connection for reading a store in either database. Every query is short and leaves no transaction open.
 * Queries throw the database's error, which `failureOf` describes.
 */
export type Connection = {
  readonly prepare: (sql: string) => Query
  /** The differences between the two databases. */
  readonly dialect: Dialect
  /** The version of the tables; 0 = no tables yet. May throw. */
  readonly version: () => number
  /** Where the store is, for messages. */
  readonly where: string
  readonly failureOf: (error: unknown) => StoreFailure
  /** Returns the failure of a store with untrustworthy content. */
  readonly corrupt: (reason: string) => StoreFailure
  readonly close: () => void
}

export type Dialect = {
  /** Returns an expression for a field of a JSON column as text: null if absent; booleans are 1 and 0, or words. */
  readonly field: (column: string, name: string) => string
  /** Returns an expression that counts the rows of a column that are not JSON. */
  readonly countBroken: (column: string) => string
  /** Selects the samples for a JSON list of moments: see `samplesAt`. Null = one query per moment. */
  readonly samplesAt: ((columns: string) => string) | null
}

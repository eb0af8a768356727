import type { StoreFailure } from '../failure.ts'

export type SqlValue = string | number | bigint | null
export type Row = Readonly<Record<string, string | number | bigint | null | Uint8Array>>

/** One query with its place for each `?`. */
export type Query = {
  readonly all: (...values: SqlValue[]) => readonly Row[]
  readonly get: (...values: SqlValue[]) => Row | undefined
}

/**
 * A connection that reads a store, synchronously, whichever database has it. Every query is short and holds no
 * transaction afterwards. Queries throw what the database reports; `failureOf` has the words for it.
 */
export type Connection = {
  readonly prepare: (sql: string) => Query
  /** The differences between the two databases. */
  readonly dialect: Dialect
  /** The version of the tables; 0 = none yet. May throw. */
  readonly version: () => number
  /** Where the store is, for sentences. */
  readonly where: string
  readonly failureOf: (error: unknown) => StoreFailure
  /** The failure of a store whose content cannot be trusted. */
  readonly corrupt: (reason: string) => StoreFailure
  readonly close: () => void
}

export type Dialect = {
  /** A field of a JSON text as text: null where it is absent; true and false are 1 and 0 or words. */
  readonly field: (column: string, name: string) => string
  /** Returns an expression that counts the rows of a column that are not JSON. */
  readonly countBroken: (column: string) => string
  /** The rows of `samples` that stand for moments, a JSON list: see `samplesAt`. Null = one query a moment. */
  readonly samplesAt: ((columns: string) => string) | null
}

import { createHash } from 'node:crypto'
import type { Connection } from '../connection/connection.ts'
import { readFrom } from '../failure.ts'
import type { Cell } from '../tables/rows.ts'

/** Every table of a store with its key columns. A test compares the list with the migrations. */
const STORED_TABLES = {
  journal: ['seq'],
  snapshots: ['seq'],
  suspensions: ['seq'],
  meta: ['key'],
  fills: ['seq', 'n'],
  quarantine: ['seq', 'n'],
  ledger_entries: ['seq', 'n'],
  postings: ['seq', 'n', 'p'],
  quotes: ['seq', 'n'],
  rates: ['seq', 'n'],
  notices: ['seq', 'n'],
  samples: ['t'],
  operator_actions: ['seq', 'n'],
  treasury_journal: ['seq'],
  treasury_notices: ['seq', 'n'],
} as const satisfies Readonly<Record<string, readonly string[]>>

export type StoredTable = keyof typeof STORED_TABLES
export const TABLE_NAMES = Object.keys(STORED_TABLES) as readonly StoredTable[]

/** Excludes the tables' version, which each database stores in its own place. */
export const OWN_ROWS = `key <> 'schemaVersion'`
/** Its few rows fit into one page, and the two databases sort texts differently. */
const BY_NAME: StoredTable = 'meta'
const PAGE_ROWS = 500

type Page = readonly (readonly Cell[])[]

/** How to read a table page by page. */
type Paging = {
  /** With a `?` for each value of `after`. */
  readonly sql: string
  /** The keys before the first page. */
  readonly first: readonly number[]
  /** Returns a page's cells and the keys before the next page; null = it was the last. */
  readonly take: (rows: readonly Readonly<Record<string, unknown>>[]) => {
    readonly page: Page
    readonly after: readonly number[] | null
  }
}

/** Returns how to read a table by its keys, page by page. */
export function pagingOf(table: StoredTable): Paging {
  const keys = STORED_TABLES[table]
  const list = keys.join(', ')
  const isByName = table === BY_NAME
  const where = isByName ? OWN_ROWS : `(${list}) > (${keys.map(() => '?').join(', ')})`
  return {
    sql: `SELECT * FROM ${table} WHERE ${where} ORDER BY ${list} LIMIT ${PAGE_ROWS}`,
    first: isByName ? [] : keys.map(() => -1),
    take(rows) {
      const page = rows.map((row) => Object.values(row).map(cellOf))
      const after = rows.length < PAGE_ROWS ? null : keys.map((key) => Number(rows.at(-1)?.[key]))
      return { page: isByName ? page.toSorted(byFirst) : page, after }
    },
  }
}

/** Yields all rows of a table. Throws StoreReadError. */
export function* readPages(db: Connection, table: StoredTable): Generator<Page> {
  const { sql, first, take } = pagingOf(table)
  for (let from: readonly number[] | null = first; from !== null;) {
    const values = from
    const { page, after } = take(readFrom(db, () => db.prepare(sql).all(...values)))
    if (page.length > 0) yield page
    from = after
  }
}

function byFirst([a]: readonly Cell[], [b]: readonly Cell[]): number {
  return String(a) < String(b) ? -1 : 1
}

/** Returns a value as both databases store it: PostgreSQL replaces U+0000 with the replacement character. */
function cellOf(value: unknown): Cell {
  if (typeof value === 'string') return value.replaceAll('\0', '\uFFFD')
  return value === null ? null : Number(value)
}

/** The number of a table's rows, and a digest that differs where any cell does. */
export type TableSum = { readonly rows: number; readonly sha256: string }

type Summing = {
  readonly add: (rows: readonly (readonly Cell[])[]) => void
  readonly sum: () => TableSum
}

export function createSumming(): Summing {
  const hash = createHash('sha256')
  let count = 0
  return {
    add(rows) {
      count += rows.length
      for (const row of rows) hash.update(textOf(row))
    },
    sum: () => ({ rows: count, sha256: hash.digest('hex') }),
  }
}

/** Distinguishes numbers, texts and null. */
function textOf(row: readonly Cell[]): string {
  return JSON.stringify(row.map((cell) => (typeof cell === 'number' ? [String(cell)] : cell)))
}

/** Returns the checksum of a table by rereading it. Throws StoreReadError. */
export function sumOf(db: Connection, table: StoredTable): TableSum {
  const summing = createSumming()
  for (const page of readPages(db, table)) summing.add(page)
  return summing.sum()
}

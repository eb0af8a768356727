import type { Ms } from '../../../base/time.ts'
import { placeText, type PostgresPlace, schemaOf } from '../../place.ts'
import { type TreasuryRecord, checkRow, TREASURY_COLUMNS, type TreasuryRow } from '../../treasury/journal.ts'
import { corruptPostgres } from '../failure.ts'
import { askPostgresLater } from './ask.ts'
import { ORIGIN } from './identity.ts'

const QUERY_MS: Ms = 2_000
/** A few milliseconds of work for the thread that folds the page. */
const PAGE_ROWS = 100

/** Events of a treasury that another daemon writes, and their database: see `postgresIdentity`. */
type TreasuryPage = { readonly records: readonly TreasuryRecord[]; readonly origin: string }

/**
 * Returns the next events after number `after`, at most a page; null = no new events. Rejects while PostgreSQL does not
 * answer, and if its tables have an earlier version.
 */
export async function nextTreasuryPage(place: PostgresPlace, after: number): Promise<TreasuryPage | null> {
  const sql = `SELECT ${TREASURY_COLUMNS}, ${ORIGIN} AS origin FROM treasury_journal WHERE seq > $1 ORDER BY seq LIMIT $2`
  const asked = {
    url: place.url,
    schema: schemaOf(place),
    sql,
    values: [after, PAGE_ROWS],
    withinMs: QUERY_MS,
  }
  const rows = (await askPostgresLater(asked)) as unknown as readonly (TreasuryRow & {
    readonly origin: string
  })[]
  const [first] = rows
  if (first === undefined) return null
  const where = { where: placeText(place), corrupt: (reason: string) => corruptPostgres(place, reason) }
  return {
    records: rows.map((row, index) => checkRow(where, row, after + index)),
    origin: `${first.origin}\n`,
  }
}

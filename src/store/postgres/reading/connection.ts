import type { Ms } from '../../../base/time.ts'
import type { Connection, Dialect, Query } from '../../connection/connection.ts'
import { placeText, schemaOf, type PostgresPlace } from '../../place.ts'
import { codeOf, corruptPostgres, NOT_READ, postgresFailureOf } from '../failure.ts'
import { askPostgres } from './ask.ts'

const POSTGRES: Dialect = {
  // A text that PostgreSQL cannot read (it contains U+0000) has no fields.
  field: (column, name) => `mizani.field(${column}, '${name}')`,
  // The column type admits only JSON.
  countBroken: () => '0',
  samplesAt: (
    columns,
  ) => `SELECT row.* FROM json_array_elements_text(?::json) WITH ORDINALITY AS moments (moment, place)
    LEFT JOIN LATERAL (
      SELECT ${columns} FROM samples WHERE t <= moment::bigint AND t >= moment::bigint - ?::bigint ORDER BY t DESC LIMIT 1
    ) row ON true ORDER BY place`,
}

const NO_TABLE = '42P01'
const VERSION = `SELECT value FROM meta WHERE key = 'schemaVersion'`

/** Reads a store in PostgreSQL; connects at the first query. */
export function openPostgres(place: PostgresPlace, withinMs: Ms): Connection {
  const common = { url: place.url, schema: schemaOf(place), withinMs }
  function prepare(sql: string): Query {
    let count = 0
    const numbered = sql.replaceAll('?', () => `$${++count}`)
    const all: Query['all'] = (...values) => {
      if (place.url === '') throw new Error(NOT_READ)
      return askPostgres({ ...common, sql: numbered, values })
    }
    return { all, get: (...values) => all(...values)[0] }
  }
  return {
    prepare,
    dialect: POSTGRES,
    version() {
      try {
        return Number(prepare(VERSION).get()?.['value'] ?? 0)
      } catch (error) {
        if (codeOf(error) === NO_TABLE) return 0
        throw error
      }
    },
    where: placeText(place),
    failureOf: (error) => postgresFailureOf(error, place),
    corrupt: (reason) => corruptPostgres(place, reason),
    close: () => undefined,
  }
}

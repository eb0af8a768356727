import { escapeIdentifier, type Pool } from 'pg'
import { errorText } from '../../../base/result.ts'
import type { Row } from '../../connection/connection.ts'
import { codeOf } from '../failure.ts'
import { openPool } from '../pool.ts'
import type { ReadAnswer, ReadQuestion } from './ask.ts'

/** Queries PostgreSQL over one connection per database, opened at its first query. Never rejects. */
export type Answerer = {
  readonly answer: (question: ReadQuestion) => Promise<ReadAnswer>
  readonly close: () => Promise<void>
}

export function createAnswerer(): Answerer {
  const pools = new Map<string, Pool>()

  function rowsFor(question: ReadQuestion): Promise<readonly Row[]> {
    const pool = pools.get(question.url) ?? openPool(question.url, 1)
    pools.set(question.url, pool)
    return rowsOf(pool, question)
  }

  return {
    async answer(question) {
      const { id } = question
      try {
        return { id, rows: await rowsFor(question) }
      } catch (first) {
        // The connection may have broken since its last use; a second read is harmless.
        if (codeOf(first) !== '') return failed(id, first)
      }
      return rowsFor(question).then(
        (rows) => ({ id, rows }),
        (error: unknown) => failed(id, error),
      )
    },
    async close() {
      await Promise.all([...pools.values()].map((pool) => pool.end()))
    },
  }
}

function failed(id: number, error: unknown): ReadAnswer {
  return { id, failed: { message: errorText(error), code: codeOf(error) } }
}

/** Uses a separate transaction, so a pooler may use a different connection for each query. */
async function rowsOf(pool: Pool, { schema, sql, values, withinMs }: ReadQuestion): Promise<readonly Row[]> {
  const client = await pool.connect()
  try {
    const limit = Math.max(1, Math.round(withinMs))
    const begin = `BEGIN READ ONLY; SET LOCAL search_path TO ${escapeIdentifier(schema)}; SET LOCAL statement_timeout = ${limit}`
    await client.query(begin)
    const { rows } = await client.query<Row>(sql, [...values])
    await client.query('COMMIT')
    client.release()
    return rows
  } catch (thrown) {
    client.release(true)
    throw thrown
  }
}

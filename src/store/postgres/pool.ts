import { Pool, types, type PoolConfig, type QueryResult } from 'pg'
import type { Ms } from '../../base/time.ts'
import { DialledStream } from '../../base/http/dialled-stream.ts'
import { SYSTEM_TIMING, type Timing } from '../../base/threads/timing.ts'

const INT8 = 20
const NUMERIC = 1700
const JSON_TEXT = 114

/** Row numbers and times fit a double; a journal's JSON is returned as the original text. */
const PARSERS: Readonly<Record<number, (text: string) => unknown>> = {
  [INT8]: Number,
  [NUMERIC]: Number,
  [JSON_TEXT]: (text) => text,
}

const CONNECT_MS: Ms = 1_000
const REPORT_MS: Ms = 20
const IDLE_MS: Ms = 10_000

/** Connects a pool of `pg` like every other connection of this program. */
export function dialled(timeoutMs: Ms): Pick<PoolConfig, 'stream' | 'connectionTimeoutMillis'> {
  // The pool ends a late connection without a reason, so this one ends first.
  return {
    stream: () => new DialledStream(timeoutMs - REPORT_MS),
    connectionTimeoutMillis: timeoutMs,
  }
}

/** The part of a pool that a message needs. */
export type Connections = { readonly connect: () => Promise<PoolConnection> }

export type PoolConnection = {
  readonly query: (query: { readonly text: string; readonly query_timeout: Ms }) => Promise<unknown>
  readonly release: (isBroken?: boolean) => void
}

/**
 * Opens connections to one database on demand. They keep no session state, so a pooler (pgbouncer) may use a different
 * connection for each transaction.
 */
export function openPool(url: string, max: number): Pool {
  const pool = new Pool({
    ...dialled(CONNECT_MS),
    connectionString: url,
    max,
    idleTimeoutMillis: IDLE_MS,
    allowExitOnIdle: true,
    keepAlive: true,
    application_name: 'mizani',
    types: { getTypeParser: (oid: number) => PARSERS[oid] ?? types.getTypeParser(oid) },
  })
  // Removes a connection that breaks while idle; the next query opens a new one.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}

/**
 * Sends statements as one message, which PostgreSQL runs as one transaction: all or nothing, and no open transaction
 * waits for a dead client. Returns the result of each. After an error that PostgreSQL did not report the outcome is
 * unknown, and the connection is closed. Ends within `withinMs`.
 */
export async function sendMessage(
  pool: Connections,
  statements: readonly string[],
  withinMs: Ms,
  timing: Timing = SYSTEM_TIMING,
): Promise<readonly QueryResult<Record<string, unknown>>[]> {
  const until = timing.moment().steadyMs + withinMs
  const client = await connect(pool, withinMs, timing)
  try {
    const leftMs = Math.max(1, Math.round(until - timing.moment().steadyMs))
    const query = { text: statements.join(';\n'), query_timeout: leftMs }
    const results: unknown = await client.query(query)
    client.release()
    return (Array.isArray(results) ? results : [results]) as QueryResult<Record<string, unknown>>[]
  } catch (thrown) {
    client.release(true)
    throw thrown
  }
}

/** Connects within `withinMs`, which may be shorter than the pool's limit. */
async function connect(pool: Connections, withinMs: Ms, { after }: Timing): Promise<PoolConnection> {
  const connecting = pool.connect()
  const late = Promise.withResolvers<null>()
  const cancel = after(withinMs, () => late.resolve(null))
  const client = await Promise.race([connecting, late.promise]).finally(cancel)
  if (client !== null) return client
  // The connection may succeed or fail after the wait has ended.
  connecting.then(
    (unused) => unused.release(),
    () => undefined,
  )
  throw new Error(`PostgreSQL did not answer within ${Math.round(withinMs)} ms`)
}

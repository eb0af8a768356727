import { escapeLiteral } from 'pg'
import { err, errorText, ok, type Result } from '../../base/result.ts'
import type { Ms } from '../../base/time.ts'
import { placeText, type PostgresPlace } from '../place.ts'
import { isPassing, NOT_READ } from './failure.ts'
import { underFence } from './fence.ts'
import { type Connections, openPool, sendMessage } from './pool.ts'
import { readySharedSchema } from './shared-schema.ts'

/** The operators' settings for the signers of a position. `stopAt` is an operator's time of day, and not part of a lease. */
type SignerRow = { readonly solver: string | null; readonly stopAt: Ms | null }

/**
 * Data that the signers of a position share, separate for each wallet. Errors are sentences. Connects only at the first
 * call.
 */
type SignerRows = {
  readonly read: () => Promise<Result<SignerRow, string>>
  /** Inserts a row if none exists, and a solver if none is pinned. */
  readonly offer: (row: SignerRow) => Promise<Result<null, string>>
  readonly pinSolver: (solver: string) => Promise<Result<null, string>>
  readonly setStopAt: (stopAt: Ms | null) => Promise<Result<null, string>>
  /** The encoded signed records that were not forgotten. */
  readonly signed: () => Promise<Result<readonly string[], string>>
  /** Under the fence: fails if another daemon was granted the position. */
  readonly keepSigned: (
    records: readonly { readonly salt: bigint; readonly record: string }[],
    forgotten: readonly bigint[],
    fence: number,
  ) => Promise<Result<null, string>>
  readonly close: () => Promise<void>
}

const ATTEMPT_MS: Ms = 500
const ATTEMPTS = 2

export function openSignerRows(place: PostgresPlace, wallet: string): SignerRows {
  const pool = openPool(place.url, 1)
  const [who, whose] = [escapeLiteral(place.position), escapeLiteral(wallet)]
  const mine = `position = ${who} AND wallet = ${whose}`
  const ask = askerOf(pool, place)

  async function write(statements: readonly string[]): Promise<Result<null, string>> {
    const written = await ask(statements)
    return written.ok ? ok(null) : written
  }

  const insert = ({ solver, stopAt }: SignerRow) =>
    `INSERT INTO mizani.signer AS known VALUES (${who}, ${whose}, ${textOrNull(solver)}, ${stopAt ?? 'NULL'})
      ON CONFLICT (position, wallet) DO UPDATE SET`

  return {
    async read() {
      const rows = await ask([`SELECT solver, stop_at AS "stopAt" FROM mizani.signer WHERE ${mine}`])
      return rows.ok ? ok((rows.value[0] as SignerRow | undefined) ?? { solver: null, stopAt: null }) : rows
    },
    offer: (row) => write([`${insert(row)} solver = coalesce(known.solver, excluded.solver)`]),
    pinSolver: (solver) => write([`${insert({ solver, stopAt: null })} solver = excluded.solver`]),
    setStopAt: (stopAt) => write([`${insert({ solver: null, stopAt })} stop_at = excluded.stop_at`]),
    async signed() {
      const rows = await ask([`SELECT record FROM mizani.signed WHERE ${mine}`])
      return rows.ok ? ok(rows.value.map(({ record }) => String(record))) : rows
    },
    keepSigned(records, forgotten, fence) {
      const values = records.map(
        ({ salt, record }) => `(${who}, ${whose}, '${salt}', ${escapeLiteral(record)})`,
      )
      const kept = `INSERT INTO mizani.signed VALUES ${values.join(', ')}
        ON CONFLICT (position, wallet, salt) DO UPDATE SET record = excluded.record`
      const salts = forgotten.map((salt) => `'${salt}'`).join(', ')
      return write([
        ...underFence(place, fence),
        ...(records.length === 0 ? [] : [kept]),
        ...(forgotten.length === 0 ? [] : [`DELETE FROM mizani.signed WHERE ${mine} AND salt IN (${salts})`]),
      ])
    },
    close: () => pool.end(),
  }
}

type Rows = readonly Record<string, unknown>[]

/** Returns the rows of the last statement. Each message may be sent twice: an existing row is the same row. */
function askerOf(
  pool: Connections,
  place: PostgresPlace,
): (statements: readonly string[]) => Promise<Result<Rows, string>> {
  let isReady = false
  async function attempt(statements: readonly string[]): Promise<Rows> {
    // Without a URL the client would connect to a local server.
    if (place.url === '') throw new Error(NOT_READ)
    if (!isReady) {
      const ready = await readySharedSchema((asked) => sendMessage(pool, asked, ATTEMPT_MS), place)
      if (!ready.ok) throw new Error(ready.error.message)
      isReady = true
    }
    return (await sendMessage(pool, statements, ATTEMPT_MS)).at(-1)?.rows ?? []
  }
  return async (statements) => {
    for (let left = ATTEMPTS; ; left--) {
      try {
        return ok(await attempt(statements))
      } catch (error) {
        if (left > 1 && place.url !== '' && isPassing(error)) continue
        const what = `the data that the position's signers share in ${placeText(place)} cannot be used`
        return err(`${what} (${errorText(error)})`)
      }
    }
  }
}

function textOrNull(text: string | null): string {
  return text === null ? 'NULL' : escapeLiteral(text)
}

import { err, ok, type Result } from '../../base/result.ts'
import { DEFAULT_TERMS } from '../../lease/terms.ts'
import type { ConfigFile } from '../schema/schema.ts'
import type { Finding } from '../source/problem.ts'
import { type Env, readSecret } from '../source/secret.ts'
import type { LoadedConfig } from './loaded-config.ts'

/** PostgreSQL cuts names beyond 63 bytes, and the schema of a position is called mizani_NAME. */
const LONGEST_NAME = 56

/** A write has to end before the deadline of a holder whose last renewal was one slow one ago. */
const TOO_LONG_A_WRITE_MS = DEFAULT_TERMS.deadlineMs - DEFAULT_TERMS.renewMs - DEFAULT_TERMS.roundTripMs

/**
 * Where the position's memory is. Without its secret, where none is read (`isOffline`), a store in PostgreSQL cannot be
 * reached and stays a store in PostgreSQL: nothing takes the folder for it.
 */
export function readStore(
  {
    store,
    name,
    venue,
  }: Pick<ConfigFile, 'store' | 'name'> & { readonly venue: Pick<ConfigFile['venue'], 'writeTimeoutMs'> },
  file: string,
  env: Env,
  isOffline: boolean,
): Result<LoadedConfig['store'], readonly Finding[]> {
  const { path, keepJournalDays, postgres } = store
  const common = { path, keepJournalDays }
  if (postgres === null) return ok({ ...common, place: path })
  const refuse = (message: string) =>
    err<readonly Finding[]>([{ path: ['store', 'postgres'], at: 'value', message }])
  if (name.length > LONGEST_NAME)
    return refuse(
      `the name of this position is too long for a schema; one of at most ${LONGEST_NAME} characters would be right`,
    )
  if (venue.writeTimeoutMs >= TOO_LONG_A_WRITE_MS) {
    const message = `too long with store.postgres, where another daemon may take over: less than ${TOO_LONG_A_WRITE_MS} would be right, so that a write ends in time`
    return err([{ path: ['venue', 'writeTimeoutMs'], at: 'value', message }])
  }
  const inPostgres = (url: string) => ok({ ...common, place: { url, position: name, folder: path } })
  if (typeof postgres === 'string') return inPostgres(postgres)
  const secret = readSecret(postgres, file, env)
  if (!secret.ok) return isOffline ? inPostgres('') : refuse(secret.error)
  const url = secret.value.reveal()
  return isDatabaseUrl(url)
    ? inPostgres(url)
    : refuse('the secret is no URL of a database; postgres://USER:PASSWORD@HOST/DATABASE would be right')
}

export function isDatabaseUrl(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && /^postgres(?:ql)?:$/.test(url.protocol)
}

import { databaseProblem } from '../../../base/outgoing.ts'
import { err, errorText, ok, type Result } from '../../../base/result.ts'
import { termsProblems } from '../../../core/lease/terms.ts'
import type { ConfigFile } from '../schema/schema.ts'
import type { Finding } from '../source/problem.ts'
import { type Env, readSecret } from '../source/secret.ts'
import type { LoadedConfig } from './loaded-config.ts'

/** PostgreSQL truncates names beyond 63 bytes, and a position's schema is called mizani_NAME. */
const LONGEST_NAME = 56
const MOST_PORT = 65_535

/**
 * Returns where the position's store is. A store in PostgreSQL whose secret is not read (`isOffline`) cannot be reached
 * but remains in PostgreSQL: nothing falls back to the folder.
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
  const { path, keepJournalDays, postgres, allowPlain, lease } = store
  if (postgres === null) return ok({ path, keepJournalDays, place: path, terms: null })
  const terms = { ...lease, writeTimeoutMs: venue.writeTimeoutMs }
  const refuse = (message: string) =>
    err<readonly Finding[]>([{ path: ['store', 'postgres'], at: 'value', message }])
  if (name.length > LONGEST_NAME)
    return refuse(
      `the name of this position is too long for a schema; must be at most ${LONGEST_NAME} characters`,
    )
  const problems = termsProblems(terms)
  if (problems.length > 0)
    return err(
      problems.map(({ term, message }) => ({
        path: ['store', 'lease', term],
        at: 'value' as const,
        message,
      })),
    )
  const place = { position: name, folder: path, ...(allowPlain ? { allowPlain } : {}) }
  const inPostgres = (url: string) => {
    const problem = databaseProblem(url, allowPlain, env)
    return problem === null ? ok({ path, keepJournalDays, place: { url, ...place }, terms }) : refuse(problem)
  }
  if (typeof postgres === 'string') return inPostgres(postgres)
  const secret = readSecret(postgres, file, env)
  if (!secret.ok) return isOffline ? inPostgres('') : refuse(secret.error)
  const url = secret.value.reveal()
  return isDatabaseUrl(url)
    ? inPostgres(url)
    : refuse('the secret is not the URL of a database; expected postgres://USER:PASSWORD@HOST/DATABASE')
}

/** Returns the store, or why `pg` cannot connect with its URL: percent signs, a port, certificate files. */
export async function checkDatabase(
  store: ReturnType<typeof readStore>,
): Promise<ReturnType<typeof readStore>> {
  if (!store.ok || typeof store.value.place === 'string' || store.value.place.url === '') return store
  const { Client } = await import('pg')
  const refuse = (message: string) =>
    err<readonly Finding[]>([{ path: ['store', 'postgres'], at: 'value', message }])
  try {
    const { port } = new Client({ connectionString: store.value.place.url })
    if (port > 0 && port <= MOST_PORT) return store
    return refuse(`its port is not one of 1 to ${MOST_PORT}; expected postgres://HOST:5432/DATABASE`)
  } catch (error) {
    return refuse(
      `the URL of the database cannot be used (${errorText(error)}); correct it, or the file that it names`,
    )
  }
}

function isDatabaseUrl(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && /^postgres(?:ql)?:$/.test(url.protocol)
}

import { errorText } from '../../base/result.ts'
import type { StoreFailure } from '../failure.ts'
import { placeText, type PostgresPlace } from '../place.ts'

/** Our own code: the fence has moved, so another daemon holds the position. */
export const DEPOSED = 'MZ001'
/** Our own code: no other daemon was granted the position, but PostgreSQL failed over, which voids the grant. */
export const FAILED_OVER = 'MZ003'
/** Our own code: the holder's counter moved during the takeover. */
export const HOLDER_LIVES = 'MZ002'
/** PostgreSQL's code for a duplicate key. */
export const ALREADY_THERE = '23505'

/** PostgreSQL's code for a server without room to write. */
export const FULL_DISK = '53100'

/** Advice by prefix of PostgreSQL's error code. Source: appendix A of its manual. */
const ADVICE: readonly (readonly [code: string, advice: string])[] = [
  ['28', 'check the user and the password in store.postgres'],
  ['3D', 'create the database, or name another one in store.postgres'],
  ['42501', 'let the user create schemas in the database (GRANT CREATE ON DATABASE), or own them'],
  ['25006', 'this server is a replica: name the primary in store.postgres'],
  ['55000', 'this server is a replica: name the primary in store.postgres'],
  ['53300', 'the server has no connection left: raise max_connections, or use a connection pooler'],
]

/** The message for a place without a URL. */
export const NOT_READ = 'the secret that store.postgres names is not set here'

const UNREACHABLE =
  'check that PostgreSQL runs and that this machine reaches it; the daemon starts again once it does'

/** Returns the failure of a store in PostgreSQL for a caught error, with its remedy. */
export function postgresFailureOf(error: unknown, place: PostgresPlace): StoreFailure {
  const where = placeText(place)
  const code = codeOf(error)
  const reason = errorText(error)
  if (code === DEPOSED || code === HOLDER_LIVES || code === ALREADY_THERE) {
    const message = `the store in ${where} was taken over by another daemon (${reason}): this daemon no longer writes or sends anything`
    return { kind: 'locked', message }
  }
  if (code === FAILED_OVER) {
    const message = `PostgreSQL failed over under the store in ${where} (${reason}): earlier grants are void, so this daemon leaves the safe quote and takes the position again`
    return { kind: 'failed-over', message }
  }
  if (code === FULL_DISK) {
    const message = `no room to write to the store in ${where} (${reason}): free some space on the server's disk, then start again`
    return { kind: 'disk-full', message }
  }
  if (code.startsWith('XX')) return corruptPostgres(place, reason)
  const known = ADVICE.find(([begin]) => code.startsWith(begin))
  const advice =
    known?.[1] ?? (/^(?:08|57|$)/.test(code) ? UNREACHABLE : `look up code ${code} in the server's log`)
  return { kind: 'io', message: `the store in ${where} cannot be used (${reason}): ${advice}` }
}

/** Returns the failure of tables with untrustworthy content, which are never repaired silently. */
export function corruptPostgres(place: PostgresPlace, reason: string): StoreFailure {
  return {
    kind: 'corrupt',
    message:
      `the store in ${placeText(place)} is damaged (${reason}): keep a copy (pg_dump), then restore it from a backup, ` +
      'or rename its schema and start afresh; a new store opens from the balances the venue shows',
  }
}

/** Returns PostgreSQL's code; '' if the client failed before the server answered. */
export function codeOf(error: unknown): string {
  const { code } = (error ?? {}) as { readonly code?: unknown }
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : ''
}

/**
 * Returns whether a retry may succeed soon: no answer, a server that stops, starts or has no connection left, a lock
 * timeout, or a transaction that lost against another.
 */
export function isPassing(error: unknown): boolean {
  const code = codeOf(error)
  return code === '' || /^(?:08|57P|57014|53300|40|55P03|25006)/.test(code)
}

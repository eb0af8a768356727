import { randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isLoopback } from '../../base/loopback.ts'
import { READER, sharedOperator, type Credential } from '../../console/auth/credentials.ts'
import type { Contact } from '../../config/load/contact.ts'
import type { LoadedConfig } from '../../config/load/loaded-config.ts'

export type ProcessCredentials = {
  readonly all: readonly Credential[]
  /** A token made for this run, for the command line of the same user; null where tokens are configured. */
  readonly made: string | null
}

/**
 * The tokens of a process: those of its first position's configuration. On loopback without any that commands, a
 * fresh one is made, so that the command line of the same user works out of the box. Where people have tokens of
 * their own none is made: it would be an operator without a name. Away from loopback tokens have to be configured.
 */
export function createCredentials({ http }: Pick<LoadedConfig, 'http'>): ProcessCredentials {
  const { token, readToken, tokens } = http
  const isMade = token === null && tokens.length === 0 && isLoopback(http.host)
  const made = isMade ? randomBytes(32).toString('hex') : null
  const shared = token?.reveal() ?? made
  const all: Credential[] = [
    ...(shared === null ? [] : [sharedOperator(shared)]),
    ...(readToken === null
      ? []
      : [{ name: READER, may: ['read'] as const, isShared: false, token: readToken.reveal() }]),
    ...tokens.map(({ name, may, token: secret }) => ({ name, may, isShared: false, token: secret.reveal() })),
  ]
  return { all, made }
}

/**
 * Leaves the token in the store of every position that runs, in a file that only this user can read. The store of
 * one that does not run may be another process's.
 */
export function leaveToken(made: string, running: readonly LoadedConfig[]): void {
  for (const config of running) {
    mkdirSync(config.store.path, { recursive: true })
    writeFileSync(tokenFileOf(config.store.path), made, { mode: 0o600 })
    // The mode above is for a new file; one that is there keeps what it had.
    chmodSync(tokenFileOf(config.store.path), 0o600)
  }
}

/** A person's own token, for the command line, where `http.tokens` names people. */
const OWN_TOKEN = 'MIZANI_OPERATOR_TOKEN'

/**
 * The token as the command line finds it: the person's own in MIZANI_OPERATOR_TOKEN, `http.token`, or the file that
 * the running daemon left in its store. Null when there is none.
 */
export function readOperatorToken({ http, storePath }: Pick<Contact, 'http' | 'storePath'>): string | null {
  const own = process.env[OWN_TOKEN]?.trim()
  if (own !== undefined && own !== '') return own
  if (http.token !== null) return http.token.reveal()
  if (storePath === null) return null
  try {
    return readFileSync(tokenFileOf(storePath), 'utf8')
  } catch {
    return null
  }
}

/** Where a running daemon leaves the token that it has made. */
export function tokenFileOf(store: string): string {
  return join(store, 'operator.token')
}

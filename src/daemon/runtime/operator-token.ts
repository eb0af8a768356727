import { randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isLoopback } from '../../base/loopback.ts'
import { READER, sharedOperator, type Credential } from '../console/auth/credentials.ts'
import type { Contact } from '../config/load/contact.ts'
import type { LoadedConfig } from '../config/load/loaded-config.ts'

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

/** `from`: where the command line has found it. */
type FoundToken = { readonly token: string; readonly from: string }

/**
 * The tokens as the command line finds them, each once: the person's own in MIZANI_OPERATOR_TOKEN, `http.token`, and the file that
 * the running daemon left in its store.
 */
export function findOperatorTokens({
  file,
  http,
  storePath,
}: Pick<Contact, 'file' | 'http' | 'storePath'>): readonly FoundToken[] {
  const places = [
    { from: OWN_TOKEN, token: process.env[OWN_TOKEN]?.trim() },
    { from: `http.token of ${file}`, token: http.token?.reveal() },
    ...(storePath === null ? [] : [{ from: tokenFileOf(storePath), token: leftToken(storePath) }]),
  ]
  return places.flatMap(({ from, token = '' }, at) =>
    token === '' || places.findIndex((one) => one.token === token) < at ? [] : [{ from, token }],
  )
}

/** Returns the first of them; null = none was found. */
export function readOperatorToken(contact: Pick<Contact, 'file' | 'http' | 'storePath'>): string | null {
  return findOperatorTokens(contact)[0]?.token ?? null
}

function leftToken(store: string): string | undefined {
  try {
    return readFileSync(tokenFileOf(store), 'utf8')
  } catch {
    return undefined
  }
}

/** Where a running daemon leaves the token that it has made. */
export function tokenFileOf(store: string): string {
  return join(store, 'operator.token')
}

import { randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isLoopback } from '../../base/loopback.ts'
import { READER, sharedOperator, type Credential } from '../console/auth/credentials.ts'
import type { Contact } from '../config/load/contact.ts'
import type { LoadedConfig } from '../config/load/loaded-config.ts'

export type ProcessCredentials = {
  readonly all: readonly Credential[]
  /** The token generated for this run, for the command line of the same user; null = tokens are configured. */
  readonly made: string | null
}

/**
 * Returns the tokens of a process, from its first position's configuration. On loopback without a token that may operate, it
 * generates one, so the command line of the same user works out of the box. It generates none if people have their own tokens,
 * because the operator would be anonymous. Away from loopback tokens have to be configured.
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
 * Writes the token to the store of every running position, in a file that only this user can read. The store of a position that
 * does not run may belong to another process.
 */
export function leaveToken(made: string, running: readonly LoadedConfig[]): void {
  for (const config of running) {
    mkdirSync(config.store.path, { recursive: true })
    writeFileSync(tokenFileOf(config.store.path), made, { mode: 0o600 })
    // The mode above applies to a new file only; an existing file keeps its mode.
    chmodSync(tokenFileOf(config.store.path), 0o600)
  }
}

/** A person's own token for the command line, if `http.tokens` names people. */
const OWN_TOKEN = 'MIZANI_OPERATOR_TOKEN'

/** `from`: where the command line found it. */
type FoundToken = { readonly token: string; readonly from: string }

/**
 * Returns the tokens that the command line finds, each once: the person's own in MIZANI_OPERATOR_TOKEN, `http.token`, and the
 * file that the running daemon wrote to its store.
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

/** The path of the file with the token that a running daemon generated. */
export function tokenFileOf(store: string): string {
  return join(store, 'operator.token')
}

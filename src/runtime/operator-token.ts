import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { LoadedConfig } from '../config/loaded-config.ts'

const LOOPBACK = /^(localhost|::1|\[::1\]|127(\.\d{1,3}){3})$/i

/**
 * The token that guards the POSTs of a process: the configured one of its first position, or, on loopback
 * without one, a fresh one in a file in the store of every position that runs, which only this user can read, so
 * that the command line of the same user works out of the box with any of the configurations. The store of one
 * that does not run may be another process's. Away from loopback a token has to be configured.
 */
export function operatorToken({ http }: LoadedConfig, running: readonly LoadedConfig[]): string | null {
  if (http.token !== null) return http.token.reveal()
  if (!isLoopback(http.host)) return null
  const token = randomBytes(32).toString('hex')
  for (const config of running) {
    mkdirSync(config.store.path, { recursive: true })
    writeFileSync(tokenFile(config), token, { mode: 0o600 })
  }
  return token
}

/** Whether only this machine gets there; elsewhere it takes `http.token` to read anything or to give a command. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host)
}

/** The token as the command line finds it; null when there is none. */
export function readOperatorToken(config: LoadedConfig): string | null {
  if (config.http.token !== null) return config.http.token.reveal()
  try {
    return readFileSync(tokenFile(config), 'utf8')
  } catch {
    return null
  }
}

function tokenFile(config: LoadedConfig): string {
  return join(config.store.path, 'operator.token')
}

import { existsSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'

/**
 * The files of a store. Open `database` and `lock` only through SQLite: POSIX locks belong to the process, and closing
 * any handle on a file drops every lock of the process on it.
 */
export type StoreFiles = {
  readonly folder: string
  readonly database: string
  readonly lock: string
  /** Who holds the lock; for display, never for decisions. */
  readonly holder: string
  /** The Unix socket through which commands reach the daemon that holds this store. */
  readonly relay: string
  /** The signer's counters in self-custody; the store itself never opens the file. */
  readonly signer: string
  /** When commands sent requests while no daemon ran. */
  readonly requests: string
}

/**
 * Returns why a folder cannot take a new database: it still has the log of a moved database, whose rows SQLite would
 * write into the new one. Null = no such log. An empty log, which reading leaves behind, is harmless.
 */
export function strandedLog(folder: string): string | null {
  const { database } = storeFiles(folder)
  const left = [`${database}-wal`, `${database}-shm`].filter((file) => existsSync(file))
  const log = statSync(`${database}-wal`, { throwIfNoEntry: false })
  if (log === undefined || log.size === 0 || existsSync(database)) return null
  const names = left.map((file) => basename(file)).join(' and ')
  return `${folder} has ${names} of a ${basename(database)} that was moved away: they hold its newest events, and SQLite would write those into another database. Move them next to it, then try again`
}

export function storeFiles(folder: string): StoreFiles {
  return {
    folder,
    database: join(folder, 'mizani.db'),
    lock: join(folder, 'lock.db'),
    holder: join(folder, 'lock.json'),
    relay: join(folder, 'relay.sock'),
    signer: join(folder, 'signer.sqlite'),
    requests: join(folder, 'requests.json'),
  }
}

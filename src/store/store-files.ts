import { join } from 'node:path'

/**
 * The files of a store. `database` and `lock` may be opened through SQLite only: POSIX locks belong
 * to the process, and closing any handle on a file drops every lock the process has on it.
 */
export type StoreFiles = {
  readonly folder: string
  readonly database: string
  readonly lock: string
  /** Who holds the lock: for people, never for decisions. */
  readonly holder: string
  /** The Unix socket by which commands reach the daemon that holds this store. */
  readonly relay: string
  /** When commands sent requests while no daemon ran. */
  readonly requests: string
}

export function storeFiles(folder: string): StoreFiles {
  return {
    folder,
    database: join(folder, 'mizani.db'),
    lock: join(folder, 'lock.db'),
    holder: join(folder, 'lock.json'),
    relay: join(folder, 'relay.sock'),
    requests: join(folder, 'requests.json'),
  }
}

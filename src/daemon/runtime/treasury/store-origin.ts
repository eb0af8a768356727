import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { replaceFile } from '../../../base/files/replace-file.ts'
import { postgresIdentity } from '../../../store/postgres/reading/identity.ts'
import type { StorePlace } from '../../../store/place.ts'
import { storeFiles } from '../../../store/store-files.ts'

const FILE = 'treasury.origin'

/**
 * Whether the treasury ran on this database before; a copy is a different file. A restored backup may lack payments that
 * were sent after it was made.
 */
type StoreOrigin = {
  readonly isRestored: boolean
  /** Records the current database as the original. Call it once operators were notified. */
  readonly adopt: () => Promise<void>
}

/**
 * Compares the database with the recorded original. `hasRun`: its treasury journal has events. A copy of a whole disk keeps
 * its inode numbers and is not detected. In PostgreSQL a fail-over counts as a restored backup: a replica may have lagged.
 */
export function readStoreOrigin(
  { path, place }: { readonly path: string; readonly place: StorePlace },
  hasRun: boolean,
): StoreOrigin {
  const file = join(path, FILE)
  const now = typeof place === 'string' ? identityOf(storeFiles(place).database) : postgresIdentity(place)
  return {
    isRestored: hasRun && read(file) !== now,
    adopt: () => replaceFile(file, now),
  }
}

/**
 * Records the database as the original if the folder has none yet. A standby calls this while another daemon trades with
 * the database, so that it notices a backup that is restored later.
 */
export async function adoptWhileHeld(store: Parameters<typeof readStoreOrigin>[0]): Promise<void> {
  if (read(join(store.path, FILE)) === null) await readStoreOrigin(store, false).adopt()
}

/** Returns inode and creation time of a file, which writing does not change and which differ in a copy. */
function identityOf(database: string): string {
  const { ino, birthtimeNs } = statSync(database, { bigint: true })
  return `${ino} ${birthtimeNs}\n`
}

function read(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    // The folder never had the file, or it was copied without it.
    return null
  }
}

import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { replaceFile } from '../../../base/files/replace-file.ts'
import { postgresIdentity } from '../../../store/postgres/reading/identity.ts'
import type { StorePlace } from '../../../store/place.ts'
import { storeFiles } from '../../../store/store-files.ts'

const FILE = 'treasury.origin'

/**
 * Whether the store is the one that a treasury ran on before: a copy of its database is another file. A backup that was
 * put back may lack what was sent since it was made.
 */
type StoreOrigin = {
  readonly isRestored: boolean
  /** Takes the database as it is now for the original, once a person has been told. */
  readonly adopt: () => Promise<void>
}

/**
 * `hasRun`: the treasury's journal in it has events. Copies of whole disks keep their file numbers and are not noticed. In
 * PostgreSQL a fail-over counts as a backup that was put back: a replica may have lagged behind.
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
 * For a daemon that stands by, while another one is seen to trade with the database: what this folder knows of an original
 * stays, and where it knows none this database is it. A backup that is put back later differs.
 */
export async function adoptWhileHeld(store: Parameters<typeof readStoreOrigin>[0]): Promise<void> {
  if (read(join(store.path, FILE)) === null) await readStoreOrigin(store, false).adopt()
}

/** The number of a file and when it was made stay while it is written to, and differ in a copy. */
function identityOf(database: string): string {
  const { ino, birthtimeNs } = statSync(database, { bigint: true })
  return `${ino} ${birthtimeNs}\n`
}

function read(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    // A folder that never had one, or from which it was left out.
    return null
  }
}

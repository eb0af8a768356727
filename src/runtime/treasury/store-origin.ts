import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { writeFile, rename } from 'node:fs/promises'
import { storeFiles } from '../../store/store-files.ts'

const FILE = 'treasury.origin'

/**
 * Whether the store is the one that a treasury ran on before: a copy of its database is another file. A backup that was
 * put back may lack what was sent since it was made.
 */
export type StoreOrigin = {
  readonly isRestored: boolean
  /** Takes the database as it is now for the original, once a person has been told. */
  readonly adopt: () => Promise<void>
}

/** `hasRun`: the treasury's journal in it has events. Copies of whole disks keep their file numbers and are not noticed. */
export function readStoreOrigin(folder: string, hasRun: boolean): StoreOrigin {
  const file = join(folder, FILE)
  const now = identityOf(storeFiles(folder).database)
  return {
    isRestored: hasRun && read(file) !== now,
    async adopt() {
      await writeFile(`${file}.new`, now, { mode: 0o600 })
      await rename(`${file}.new`, file)
    },
  }
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

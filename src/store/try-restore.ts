import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { err, ok, type Result } from '../base/result.ts'
import { type Backup, readBackup, restoreStore } from './backup.ts'
import { StoreReadError } from './failure.ts'
import { openStore } from './journal/open-store.ts'
import { openReader } from './open-reader.ts'

/** Restores the backup into a temporary folder, opens it like a daemon, and reads every event. */
export async function tryRestore({ folder }: Backup): Promise<Result<string, string>> {
  const read = readBackup(folder)
  if (!read.ok) return read
  const apart = mkdtempSync(join(tmpdir(), 'mizani-restore-'))
  try {
    const restored = restoreStore(read.value, apart)
    if (!restored.ok) return restored
    const store = await openStore(apart)
    if (!store.ok) return err(store.error.message)
    await store.value.close()
    return readEvents(apart)
  } finally {
    rmSync(apart, { recursive: true, force: true })
  }
}

function readEvents(store: string): Result<string, string> {
  const reader = openReader(store)
  if (!reader.ok) return err(reader.error.message)
  try {
    let events = 0
    for (const _record of reader.value.journal(Math.max(1, reader.value.firstSeq()))) events += 1
    return ok(`${events} events without a gap`)
  } catch (error) {
    if (error instanceof StoreReadError) return err(error.failure.message)
    throw error
  } finally {
    reader.value.close()
  }
}

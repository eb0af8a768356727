import { rmSync, writeFileSync } from 'node:fs'
import { err, ok, type Result } from '../base/result.ts'
import { takeFileLock, type FileLock } from '../lock/file-lock.ts'
import { readLockHolder, type LockHolder } from './lock-holder.ts'
import { storeFailureOf } from './store-failure-of.ts'
import type { StoreFiles } from './store-files.ts'
import type { StoreFailure } from './store.ts'

export type HeldLock = { readonly release: () => void }

/** `inspectLock` touches the lock for some microseconds: wait that out rather than refuse a daemon's start. */
const PATIENCE_MS = 250

/** Takes the store for this process, or says who has it. */
export function holdLock(files: StoreFiles, holder: LockHolder): Result<HeldLock, StoreFailure> {
  let held: FileLock | null = null
  try {
    const lock = takeFileLock(files.lock, PATIENCE_MS)
    if (!lock.ok) return err(lockedBy(files))
    held = lock.value
    writeFileSync(files.holder, `${JSON.stringify(holder)}\n`)
    return ok({
      release() {
        // First the note, then the lock: the other way round could remove the next holder's note.
        rmSync(files.holder, { force: true })
        held?.release()
      },
    })
  } catch (error) {
    held?.release()
    return err(storeFailureOf(error, files.folder))
  }
}

function lockedBy(files: StoreFiles): StoreFailure {
  const holder = readLockHolder(files.holder)
  const who = holder === null ? 'another process' : `process ${holder.pid}, started ${holder.startedAt}`
  return {
    kind: 'locked',
    message: `the store in ${files.folder} is held by ${who}: one daemon per store; stop that one first, or give this one a store of its own`,
  }
}

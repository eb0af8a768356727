import { mkdirSync } from 'node:fs'
import { err, ok, type Result } from '../base/result.ts'
import type { LoadedConfig } from '../config/loaded-config.ts'
import { holdLock, type HeldLock } from '../store/hold-lock.ts'
import { storeFiles } from '../store/store-files.ts'
import type { CustodyEnd } from './custody-desk.ts'
import { EXIT_CODE } from './exit-code.ts'

/** Lends the store to something that takes its lock itself, and takes it back. */
export type LendStore = <Answer>(work: () => Promise<Answer>) => Promise<Result<Answer, CustodyEnd>>

/**
 * Works while no daemon of this position runs, and none can start: the wallet's transactions are one
 * process's business. A daemon that runs is an end that names it.
 */
export async function withStoreLock(
  config: LoadedConfig,
  work: (lend: LendStore) => Promise<CustodyEnd>,
): Promise<CustodyEnd> {
  const { path } = config.store
  mkdirSync(path, { recursive: true, mode: 0o700 })
  const first = hold(path)
  if (!first.ok) return first.error
  let held: HeldLock | null = first.value
  const lend: LendStore = async (borrow) => {
    held?.release()
    held = null
    const answer = await borrow()
    const again = hold(path)
    if (!again.ok) return again
    held = again.value
    return ok(answer)
  }
  try {
    return await work(lend)
  } finally {
    held?.release()
  }
}

function hold(path: string): Result<HeldLock, CustodyEnd> {
  const lock = holdLock(storeFiles(path), { pid: process.pid, startedAt: new Date().toISOString() })
  if (lock.ok) return lock
  const isRunning = lock.error.kind === 'locked'
  return err({
    exitCode: isRunning ? EXIT_CODE.refused : EXIT_CODE.failed,
    answer: isRunning
      ? `nothing was changed: ${lock.error.message.replace(/: one daemon per store.*/, '')}; stop it first`
      : lock.error.message,
  })
}

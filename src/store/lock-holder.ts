import { readFileSync } from 'node:fs'

/** Who opened the store, as the sidecar file says. A process killed with -9 leaves it behind. */
export type LockHolder = { readonly pid: number; readonly startedAt: string }

/** Reads the sidecar file; null when it is missing or not what a daemon writes. */
export function readLockHolder(file: string): LockHolder | null {
  let parsed: unknown
  try {
    parsed = JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    // The file is information only: the lock itself says whether somebody is there.
    return null
  }
  if (typeof parsed !== 'object' || parsed === null) return null
  const { pid, startedAt } = parsed as { readonly pid?: unknown; readonly startedAt?: unknown }
  return typeof pid === 'number' && typeof startedAt === 'string' ? { pid, startedAt } : null
}

import { randomUUID } from 'node:crypto'
import { link, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { err, ok, type Result } from '../base/result.ts'

const LOOK_MS = 25
const LONGEST_WAIT_MS = 30_000
/** Nobody works so long: the process that left it is gone, and its number may be somebody else's by now. */
const STALE_MS = 120_000

/** Tokens of the locks that this thread holds: any other one with our process number is of an earlier life. */
const held = new Set<string>()

/**
 * Runs `work` while no other process does so for the same path. Waits for whoever is at it; a lock whose process
 * is gone is taken over. Errors where there is no folder, or the other one takes too long.
 */
export async function withFileLock<T>(path: string, work: () => Promise<T>): Promise<Result<T, string>> {
  const lock = `${path}.lock`
  const token = `${process.pid}:${randomUUID()}`
  const problem = await acquire(lock, token)
  if (problem !== null) return err(problem)
  try {
    return ok(await work())
  } finally {
    held.delete(token)
    await rm(lock, { force: true })
  }
}

async function acquire(lock: string, token: string): Promise<string | null> {
  const until = performance.now() + LONGEST_WAIT_MS
  held.add(token)
  for (;;) {
    try {
      await take(lock, token)
      return null
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      const isWaiting = code === 'EEXIST' && performance.now() < until
      if (!isWaiting) {
        held.delete(token)
        return code === 'EEXIST'
          ? `${lock} is held by another process`
          : `${lock} cannot be written (${code ?? 'unknown error'})`
      }
    }
    if (await isLeftBehind(lock)) await rm(lock, { force: true })
    else await pause(LOOK_MS)
  }
}

/** At once with its content: whoever dies in between leaves no lock that nobody can be asked about. */
async function take(lock: string, token: string): Promise<void> {
  const written = `${lock}.${token.replace(':', '-')}`
  try {
    await writeFile(written, token, { mode: 0o600 })
    await link(written, lock)
  } finally {
    await rm(written, { force: true })
  }
}

async function isLeftBehind(lock: string): Promise<boolean> {
  try {
    const [holder, { mtimeMs }] = await Promise.all([readFile(lock, 'utf8'), stat(lock)])
    if (held.has(holder)) return false
    const pid = Number(holder.split(':')[0])
    if (Date.now() - mtimeMs > STALE_MS) return true
    // Empty is what a crash of the machine leaves of a lock.
    return holder === '' || pid === process.pid || !isAlive(pid)
  } catch {
    return false
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

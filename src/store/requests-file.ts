import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { MINUTE_MS, type Ms } from '../base/time.ts'
import { withFileLock } from '../base/lock/file-lock.ts'
import type { Result } from '../base/result.ts'

/** The venue counts one minute; one second more covers requests in flight. */
export const REQUESTS_WINDOW_MS = MINUTE_MS + 1_000

/** When commands sent requests of the key within the last minute; none where the file is missing or damaged. */
export function readRequests(file: string, now: Ms): readonly Ms[] {
  let parsed: unknown
  try {
    parsed = JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    // The file only saves a refusal: without it the venue's own count stops a client that sends too much.
    return []
  }
  if (!Array.isArray(parsed)) return []
  return parsed
    .filter((at): at is Ms => typeof at === 'number' && at > now - REQUESTS_WINDOW_MS && at <= now)
    .sort((a, b) => a - b)
}

/**
 * Adds a request that leaves now, if fewer than `limit` left within the last minute, `known` included. Gives
 * when to ask again: 0 = it may leave. Errors where the file cannot be locked.
 */
export function addRequest(
  file: string,
  clock: () => Ms,
  limit: number,
  known: readonly Ms[],
): Promise<Result<Ms, string>> {
  return withFileLock(`${file}.lockdb`, async () => {
    const now = clock()
    const own = readRequests(file, now)
    const inside = [...own, ...known.filter((at) => at > now - REQUESTS_WINDOW_MS && at <= now)].sort(
      (a, b) => a - b,
    )
    const first = inside[inside.length - limit]
    if (first !== undefined) return Math.max(1, first + REQUESTS_WINDOW_MS - now)
    const written = `${file}.new`
    writeFileSync(written, JSON.stringify([...own, now]), { mode: 0o600 })
    renameSync(written, file)
    return Promise.resolve(0)
  })
}

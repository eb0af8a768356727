import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { MINUTE_MS, type Ms } from '../base/time.ts'
import { withFileLock } from '../base/lock/file-lock.ts'
import { err, errorText, type Result } from '../base/result.ts'

/** The venue counts per minute; one extra second covers requests in flight. */
export const REQUESTS_WINDOW_MS = MINUTE_MS + 1_000

/** Returns when commands used the key within the last minute; empty if the file is missing or damaged. */
export function readRequests(file: string, now: Ms): readonly Ms[] {
  let parsed: unknown
  try {
    parsed = JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    // The file only avoids refusals: without it the venue's own limit stops a client that sends too much.
    return []
  }
  if (!Array.isArray(parsed)) return []
  return parsed
    .filter((at): at is Ms => typeof at === 'number' && at > now - REQUESTS_WINDOW_MS && at <= now)
    .sort((a, b) => a - b)
}

/**
 * Records a request that is sent now if fewer than `limit` were sent within the last minute, including `known`. Returns
 * the ms to wait before trying again; 0 = recorded. Errors if the file cannot be locked
 * or written, as on a full disk.
 */
export async function addRequest(
  file: string,
  clock: () => Ms,
  limit: number,
  known: readonly Ms[],
): Promise<Result<Ms, string>> {
  const record = async () => {
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
  }
  try {
    return await withFileLock(`${file}.lockdb`, record)
  } catch (error) {
    return err(errorText(error))
  }
}

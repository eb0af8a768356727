import type { NoticeRow } from '../../api/api-types.ts'
import { parseEventPlace } from '../../api/event-place.ts'

/**
 * What came over the stream and what the store has as one list, newest first, each once. While the store has
 * older rows that were not asked for, what came before its last one is left out: they come with those.
 */
export function logRows(
  live: readonly NoticeRow[],
  stored: readonly NoticeRow[],
  hasOlder: boolean,
): readonly NoticeRow[] {
  const known = new Set(stored.map(({ id }) => id))
  const last = hasOlder ? stored.at(-1) : undefined
  const fresh = live.filter((row) => !known.has(row.id) && (last === undefined || newestFirst(row, last) < 0))
  return [...fresh, ...stored].toSorted(newestFirst)
}

function newestFirst(a: NoticeRow, b: NoticeRow): number {
  const [left, right] = [parseEventPlace(a.id), parseEventPlace(b.id)]
  if (left === null || right === null) return 0
  return right.seq - left.seq || right.n - left.n
}

import type { NoticeRow, NoticesAnswer } from '../../console/answers.ts'
import { eventPlaceText, parseEventPlace } from '../../console/api/event-place.ts'
import { entryOf, isListed } from '../../catalogue/catalogue.ts'
import type { Observation } from '../../../core/engine/model/observation.ts'
import type { NoticesQuery } from '../../console/position-port.ts'
import type { NoticeRecord } from '../../../store/history/notice-reader.ts'
import type { HistoryReader } from '../../../store/history/open-history.ts'
import type { EventPlace } from '../../../store/store.ts'
import { readObservation } from '../../../core/engine/upcast/written.ts'

/** The latest notices, for live readers; older ones are in the store. */
export type RecentNotices = {
  readonly add: (seq: number, observations: readonly Observation[]) => void
  /** Returns the notices after that id, oldest first; empty without an id. */
  readonly since: (id: string | null) => readonly NoticeRow[]
  /** Id of the latest; null = none. */
  readonly last: () => string | null
}

const KEPT = 500

type RecentNotice = { readonly seq: number; readonly n: number; readonly observation: Observation }

/** Keeps observations; sentences are made only for a reader. */
export function createRecentNotices(): RecentNotices {
  let kept: RecentNotice[] = []
  return {
    add(seq, observations) {
      for (const [n, observation] of observations.entries()) {
        if (!isListed(observation)) continue
        kept.push({ seq, n, observation })
      }
      // Trim occasionally, so adding stays cheap on average.
      if (kept.length > 2 * KEPT) kept = kept.slice(-KEPT)
    },
    since(id) {
      const after = id === null ? null : parseEventPlace(id)
      if (after === null) return []
      return kept
        .filter(({ seq, n }) => seq > after.seq || (seq === after.seq && n > after.n))
        .slice(-KEPT)
        .flatMap(recentRow)
    },
    last() {
      const latest = kept.at(-1)
      return latest === undefined ? null : eventPlaceText(latest)
    },
  }
}

function recentRow({ seq, n, observation }: RecentNotice): readonly NoticeRow[] {
  const notice = noticeOf(observation)
  if (notice === null || !('t' in observation)) return []
  return [{ id: eventPlaceText({ seq, n }), t: observation.t, kind: observation.type, ...notice }]
}

const CHUNK_ROWS = 500
/** Maximum number of rows searched per page for rare notices; the next page continues where this one stopped. */
const MAX_ROWS = 20_000

/**
 * Returns a page of the event log, newest first. `next` continues after the last examined row, so pages have no gaps or
 * repeats; a short or empty page need not be the last one.
 */
export function noticesAnswer(reader: Pick<HistoryReader, 'notices'>, query: NoticesQuery): NoticesAnswer {
  const { kinds, limit } = query
  const notices: NoticeRow[] = []
  let before: EventPlace | null = query.after === null ? null : parseEventPlace(query.after)
  for (let seen = 0; seen < MAX_ROWS; seen += CHUNK_ROWS) {
    const records = reader.notices(before, kinds, CHUNK_ROWS)
    for (const record of records) {
      before = record
      const row = storedRow(record)
      if (row !== null && isWanted(row, query)) notices.push(row)
      if (notices.length === limit) return { notices, next: eventPlaceText(record) }
    }
    if (records.length < CHUNK_ROWS) return { notices, next: null }
  }
  return { notices, next: before === null ? null : eventPlaceText(before) }
}

function isWanted({ severity, text }: NoticeRow, query: NoticesQuery): boolean {
  if (query.severities.length > 0 && !query.severities.includes(severity)) return false
  return query.text === null || text.toLowerCase().includes(query.text.toLowerCase())
}

function storedRow({ seq, n, t, type, body }: NoticeRecord): NoticeRow | null {
  const id = eventPlaceText({ seq, n })
  if (type === 'fillRepeated') {
    const text = 'a fill that is already booked arrived with another event; it is not booked twice'
    return { id, t, kind: type, severity: 'critical', text }
  }
  const notice = noticeOf(readObservation(body))
  return notice === null ? null : { id, t, kind: type, ...notice }
}

/** Returns an observation as a line of the event log; null = not listed there. */
export function noticeOf(observation: Observation): Pick<NoticeRow, 'severity' | 'text'> | null {
  const entry = entryOf(observation)
  if (entry === null || !isListed(observation)) return null
  const severity = entry.severity(observation)
  return { severity: severity === 'debug' ? 'info' : severity, text: entry.sentence(observation) }
}

import { decodeJson } from '../base/codec.ts'
import type { NoticeRow, NoticesAnswer } from '../console/api/api-types.ts'
import { eventPlaceText, parseEventPlace } from '../console/api/event-place.ts'
import { noticeOf } from '../console/notice-of.ts'
import type { NoticesQuery } from '../console/position-port.ts'
import type { Observation } from '../engine/model/observation.ts'
import type { NoticeRecord } from '../store/notice-reader.ts'
import type { HistoryReader, Place } from '../store/open-history.ts'

const CHUNK_ROWS = 500
/** What is rare is searched for in so many rows at a time; the next page goes on where this one stopped. */
const MAX_ROWS = 20_000

/**
 * A page of the event log, newest first. `next` goes on after the last row that was looked at, so that
 * pages have neither holes nor repeats; a page may be short, or empty, and not be the last.
 */
export function noticesAnswer(reader: Pick<HistoryReader, 'notices'>, query: NoticesQuery): NoticesAnswer {
  const { kinds, limit } = query
  const notices: NoticeRow[] = []
  let before: Place | null = query.after === null ? null : parseEventPlace(query.after)
  for (let seen = 0; seen < MAX_ROWS; seen += CHUNK_ROWS) {
    const records = reader.notices(before, kinds, CHUNK_ROWS)
    for (const record of records) {
      before = record
      const row = rowOf(record)
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

function rowOf({ seq, n, t, type, body }: NoticeRecord): NoticeRow | null {
  const id = eventPlaceText({ seq, n })
  if (type === 'fillRepeated') {
    const text = 'a fill that was booked before came under another event; it is not booked twice'
    return { id, t, kind: type, severity: 'critical', text }
  }
  const notice = noticeOf(decodeJson(body) as Observation)
  return notice === null ? null : { id, t, kind: type, ...notice }
}

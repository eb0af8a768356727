import type { Ms } from '../../base/time.ts'
import type { Connection, Dialect, SqlValue } from '../connection/connection.ts'
import type { EventPlace } from '../store.ts'

/** A stored observation: its type, and its encoding by `encodeJson`. */
export type NoticeRecord = {
  readonly seq: number
  readonly n: number
  readonly t: Ms
  readonly type: string
  readonly body: string
}

export type NoticeReader = {
  /** The notices of these types before the place, newest first; no types = all types. */
  readonly notices: (
    before: EventPlace | null,
    types: readonly string[],
    limit: number,
  ) => readonly NoticeRecord[]
  /** The newest changes to and from HALTED, reloads and critical alerts within [from, to], oldest first. */
  readonly marks: (from: Ms, to: Ms, limit: number) => readonly NoticeRecord[]
}

const FIRST_PAGE: EventPlace = { seq: Number.MAX_SAFE_INTEGER, n: 0 }

const marksIn = ({ field }: Dialect): string => `SELECT seq, n, t, type, body FROM notices
  WHERE t BETWEEN ? AND ? AND (
    (type = 'tradingStateChanged' AND ('HALTED' IN (${field('body', 'to')}, ${field('body', 'from')})))
    OR type = 'strategyLoaded'
    OR (type = 'alert' AND ${field('body', 'severity')} = 'critical')
    OR (type = 'operator' AND ${field('body', 'command')} = 'reload' AND ${field('body', 'accepted')} IN ('1', 'true'))
  )
  AND type IN ('tradingStateChanged', 'strategyLoaded', 'operator', 'alert')
  ORDER BY seq DESC, n DESC LIMIT ?`

/** Returns a reader of the event log, newest first. */
export function noticeReader(db: Connection): NoticeReader {
  const all = db.prepare(
    `SELECT seq, n, t, type, body FROM notices WHERE (seq, n) < (?, ?) ORDER BY seq DESC, n DESC LIMIT ?`,
  )
  const marks = db.prepare(marksIn(db.dialect))
  return {
    notices(before, types, limit) {
      const { seq, n } = before ?? FIRST_PAGE
      if (types.length === 0) return plain(all.all(seq, n, limit))
      const ofTypes = db.prepare(
        `SELECT seq, n, t, type, body FROM notices WHERE (seq, n) < (?, ?)
         AND type IN (${types.map(() => '?').join(', ')}) ORDER BY seq DESC, n DESC LIMIT ?`,
      )
      const parameters: SqlValue[] = [seq, n, ...types, limit]
      return plain(ofTypes.all(...parameters))
    },
    marks: (from, to, limit) => plain(marks.all(from, to, limit)).toReversed(),
  }
}

/** SQLite's rows have no prototype; ours are plain objects. */
function plain(rows: readonly unknown[]): readonly NoticeRecord[] {
  return rows.map((row) => ({ ...(row as NoticeRecord) }))
}

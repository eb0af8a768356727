import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { Observation } from '../../core/engine/model/observation.ts'
import { createActionWriter } from './operator-actions.ts'
import { COLUMNS, noticeRow, type RowPlace, rowsOf, type Table } from './rows.ts'

/** Writes one event's observations into the tables. Call it inside a transaction. */
type ProjectionWriter = (seq: number, observations: readonly Observation[]) => void

/**
 * Prepares the statements once. Rows are keyed by event and index, so repeating a write changes nothing. A venue id
 * that recurs under another event is not written twice either, but gets a notice: the core guarantees that it never
 * happens.
 */
export function createProjectionWriter(db: DatabaseSync): ProjectionWriter {
  const tables = Object.keys(COLUMNS) as readonly Table[]
  const inserts = Object.fromEntries(tables.map((table) => [table, insertInto(db, table)]))
  const insert = inserts as Readonly<Record<Table, StatementSync>>
  const placeOf = db.prepare('SELECT seq, n FROM fills WHERE venue_id = ?')
  // Fills that a reorganisation removed may return under the same id.
  const dropFill = db.prepare('DELETE FROM fills WHERE venue_id = ?')
  const chainAction = createActionWriter(db)

  /** Returns whether the venue's id already exists at another place. */
  function isElsewhere(venueId: string, [seq, n]: RowPlace): boolean {
    const there = placeOf.get(venueId)
    return there?.['seq'] !== seq || there['n'] !== n
  }

  function write(place: RowPlace, observation: Observation): void {
    const { type } = observation
    if (type === 'entryPosted' && observation.entry.kind === 'fill-undone')
      dropFill.run(observation.entry.fillId)
    if (type === 'operator') chainAction(place, observation)
    let changes: number | bigint = 0
    for (const [table, cells] of rowsOf(place, observation)) ({ changes } = insert[table].run(...cells))
    if (type === 'fillPosted' && changes === 0 && isElsewhere(observation.fill.id, place))
      insert.notices.run(...noticeRow(place, observation, 'fillRepeated')[1])
  }

  return (seq, observations) => {
    for (const [n, observation] of observations.entries()) write([seq, n], observation)
  }
}

function insertInto(db: DatabaseSync, table: Table): StatementSync {
  return db.prepare(`INSERT OR IGNORE INTO ${table} VALUES (${Array(COLUMNS[table]).fill('?').join(', ')})`)
}

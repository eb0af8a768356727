import { escapeLiteral } from 'pg'
import { invariant } from '../../base/result.ts'
import type { Observation } from '../../core/engine/model/observation.ts'
import { writeEvent, writeObservation } from '../../core/engine/upcast/written.ts'
import type { JournalWrite, LastNumbers } from '../journal-messages.ts'
import { SCHEMA_VERSION } from '../schema.ts'
import { hashOf } from '../tables/operator-actions.ts'
import { type Cell, noticeRow, type RowPlace, rowsOf } from '../tables/rows.ts'
import { TREASURY_FORM } from '../treasury/journal.ts'

/** The current end of the tables: the last number of each sequence that a write continues. */
export type WrittenSoFar = LastNumbers & {
  /** Rows that an earlier process projected are final: a replay by other code must not add rows to them. */
  readonly projectedBefore: number
  readonly projected: number
  /** The last row of the chain of operators' actions. */
  readonly chain: { readonly seq: number; readonly n: number; readonly hash: string }
}

/** Statements that write a group, and what the tables hold once they are committed. */
type Group = { readonly statements: readonly string[]; readonly after: WrittenSoFar }

const KEPT_SNAPSHOTS = 3
/** A statement of this many rows parses in a few milliseconds. */
const ROWS_A_STATEMENT = 500

/**
 * Returns the statements of a group of writes. They are idempotent except for the two journals, which reject
 * duplicates. Rows of one table stay together and in order; tables do not depend on each other's order.
 */
export function groupOf(writes: readonly JournalWrite[], before: WrittenSoFar): Group {
  const rows = new Map<string, string[]>()
  const others: string[] = []
  const after: Mutable<WrittenSoFar> = { ...before }
  const add = (table: string, cells: readonly Cell[]): void => {
    const known = rows.get(table) ?? []
    rows.set(table, known)
    known.push(rowText(cells))
  }

  for (const write of writes) {
    if (write[0] === 'event') {
      const [, seq, event] = write
      invariant(
        seq === after.lastSeq + 1,
        `event ${seq} follows ${after.lastSeq}: the journal would have a gap`,
      )
      add('journal', [seq, event.t, event.type, writeEvent(event)])
      after.lastSeq = seq
    } else if (write[0] === 'observations') {
      const [, seq, observations] = write
      invariant(seq <= after.lastSeq, `observations of event ${seq} came before the event`)
      if (seq <= before.projectedBefore) continue
      for (const [n, observation] of observations.entries())
        project([seq, n], observation, { add, others, after })
      after.projected = Math.max(after.projected, seq)
    } else if (write[0] === 'snapshot') {
      const { seq, t, state, digest } = write[1]
      invariant(seq <= after.lastSeq, `a snapshot of event ${seq} came before the event`)
      others.push(replaceSnapshot([seq, t, state, digest, SCHEMA_VERSION]), DROP_SNAPSHOTS)
    } else if (write[0] === 'suspension') {
      add('suspensions', [write[1].seq, write[1].reason])
    } else if (write[0] === 'treasury') {
      const { seq, t, type, body } = write[1]
      const last = after.treasurySeq
      invariant(seq === last + 1, `treasury event ${seq} follows ${last}: the journal would have a gap`)
      add('treasury_journal', [seq, t, type, body, TREASURY_FORM])
      after.treasurySeq = seq
    } else {
      const [, seq, notices] = write
      invariant(seq <= after.treasurySeq, `notices of treasury event ${seq} came before the event`)
      for (const [n, { t, type, body }] of notices.entries()) add('treasury_notices', [seq, n, t, type, body])
    }
  }
  if (after.projected > before.projected) others.push(setProjected(after.projected))
  const inserts = [...rows].flatMap(([table, values]) => insertAll(table, values))
  return { statements: [...inserts, ...others], after }
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] }

type Writing = {
  readonly add: (table: string, cells: readonly Cell[]) => void
  /** Statements that run after the rows, in their own order. */
  readonly others: string[]
  readonly after: Mutable<WrittenSoFar>
}

function project(place: RowPlace, observation: Observation, { add, others, after }: Writing): void {
  if (observation.type === 'operator') {
    const [seq, n] = place
    const { chain } = after
    // An existing row is not chained again.
    if (seq > chain.seq || (seq === chain.seq && n > chain.n)) {
      const body = writeObservation(observation)
      const hash = hashOf(chain.hash, seq, n, body)
      add('operator_actions', [seq, n, observation.t, body, chain.hash, hash])
      after.chain = { seq, n, hash }
    }
  }
  for (const [table, cells] of rowsOf(place, observation)) {
    // A fill that a reorganisation removed may return under the same id, so fills keep the event order.
    if (table === 'fills') others.push(...insertAll(table, [rowText(cells)]))
    else add(table, cells)
  }
  if (observation.type === 'fillPosted') others.push(noteRepeated(place, observation))
  if (observation.type === 'entryPosted' && observation.entry.kind === 'fill-undone')
    others.push(`DELETE FROM fills WHERE venue_id = ${literal(observation.entry.fillId)}`)
}

/** The core guarantees that a venue's id never recurs under another event; if it does, a notice shows it. */
function noteRepeated(place: RowPlace, posted: Extract<Observation, { type: 'fillPosted' }>): string {
  const [, cells] = noticeRow(place, posted, 'fillRepeated')
  return `INSERT INTO notices SELECT ${cells.map(literal).join(', ')}
    WHERE EXISTS (SELECT FROM fills WHERE venue_id = ${literal(posted.fill.id)} AND (seq, n) <> (${place.join(', ')}))
    ON CONFLICT DO NOTHING`
}

const JOURNALS: readonly string[] = ['journal', 'treasury_journal']

/** Returns one statement that inserts the rows unchanged. */
export function insertRows(table: string, rows: readonly (readonly Cell[])[]): string {
  return `INSERT INTO ${table} VALUES ${rows.map(rowText).join(', ')}`
}

function rowText(cells: readonly Cell[]): string {
  return `(${cells.map(literal).join(', ')})`
}

function insertAll(table: string, values: readonly string[]): readonly string[] {
  const end = JOURNALS.includes(table) ? '' : ' ON CONFLICT DO NOTHING'
  const count = Math.ceil(values.length / ROWS_A_STATEMENT)
  return Array.from({ length: count }, (_, index) => {
    const page = values.slice(index * ROWS_A_STATEMENT, (index + 1) * ROWS_A_STATEMENT)
    return `INSERT INTO ${table} VALUES ${page.join(', ')}${end}`
  })
}

function replaceSnapshot(cells: readonly Cell[]): string {
  return `INSERT INTO snapshots VALUES ${rowText(cells)} ON CONFLICT (seq) DO UPDATE
    SET t = excluded.t, state = excluded.state, digest = excluded.digest, version = excluded.version`
}

const DROP_SNAPSHOTS = `DELETE FROM snapshots WHERE seq NOT IN
  (SELECT seq FROM snapshots ORDER BY seq DESC LIMIT ${KEPT_SNAPSHOTS})`

function setProjected(seq: number): string {
  return `INSERT INTO meta VALUES ('projectedSeq', '${seq}')
    ON CONFLICT (key) DO UPDATE SET value = excluded.value`
}

/**
 * Returns a value as a PostgreSQL literal. Its texts cannot hold U+0000, which a venue may send, so that becomes the
 * replacement character. NaN and infinities become null, as in SQLite.
 */
function literal(value: Cell): string {
  if (value === null) return 'NULL'
  if (typeof value === 'string') return escapeLiteral(value.replaceAll('\0', '\uFFFD'))
  if (Number.isNaN(value)) return 'NULL'
  return Number.isFinite(value) ? String(value) : `'${value}'`
}

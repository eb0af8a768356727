import { createHash } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import { err, ok, type Result } from '../../base/result.ts'
import type { Observation } from '../../core/engine/model/observation.ts'
import type { Connection } from '../connection/connection.ts'
import { openConnection } from '../open-connection.ts'
import type { StoreFailure } from '../failure.ts'
import { placeText, type StorePlace } from '../place.ts'
import { writeObservation, readObservation } from '../../core/engine/upcast/written.ts'

type OperatorAction = Extract<Observation, { type: 'operator' }>

/** A displayed row of the chain. */
type ChainedAction = OperatorAction & { readonly seq: number; readonly hash: string }

export type ActionChain = {
  readonly actions: readonly ChainedAction[]
  /** The hash of the last row: a copy kept elsewhere proves later that no earlier row was changed. */
  readonly head: string
  /** Mismatches, one sentence each; empty = the chain is valid. */
  readonly problems: readonly string[]
}

export const START = '0'.repeat(64)
const HAS_CHAIN_SINCE = 3
const BUSY_TIMEOUT_MS = 5_000

/** Appends an action to the chain; idempotent. Call it inside a transaction. */
export function createActionWriter(
  db: DatabaseSync,
): (place: readonly [seq: number, n: number], action: OperatorAction) => void {
  const isThere = db.prepare('SELECT 1 FROM operator_actions WHERE seq = ? AND n = ?')
  const last = db.prepare('SELECT hash FROM operator_actions ORDER BY seq DESC, n DESC LIMIT 1')
  const insert = db.prepare('INSERT INTO operator_actions VALUES (?, ?, ?, ?, ?, ?)')
  return ([seq, n], action) => {
    if (isThere.get(seq, n) !== undefined) return
    const previous = String(last.get()?.['hash'] ?? START)
    const body = writeObservation(action)
    insert.run(seq, n, action.t, body, previous, hashOf(previous, seq, n, body))
  }
}

/**
 * Reads and verifies the chain: every row's hash, its link to the previous row, and that it contains each command of
 * the journal and the notices, unchanged.
 */
export function readActionChain(place: StorePlace): Result<ActionChain, StoreFailure> {
  const opened = openConnection(place, BUSY_TIMEOUT_MS)
  if (!opened.ok) return opened
  const db = opened.value
  const nothing: StoreFailure = { kind: 'io', message: `there is no store in ${placeText(place)}` }
  if (db === null) return err(nothing)
  try {
    const version = db.version()
    if (version === 0 && typeof place !== 'string') return err(nothing)
    if (version < HAS_CHAIN_SINCE) return ok({ actions: [], head: START, problems: [] })
    return ok(prove(db))
  } catch (error) {
    return err(db.failureOf(error))
  } finally {
    db.close()
  }
}

function prove(db: Connection): ActionChain {
  const problems: string[] = []
  const actions: ChainedAction[] = []
  let head = START
  for (const row of db.prepare('SELECT * FROM operator_actions ORDER BY seq, n').all()) {
    const [seq, n, body] = [Number(row['seq']), Number(row['n']), String(row['body'])]
    const hash = String(row['hash'])
    if (String(row['previous']) !== head)
      problems.push(`the row of event ${seq} does not follow the previous row: a row was removed or inserted`)
    if (hash !== hashOf(String(row['previous']), seq, n, body))
      problems.push(`the row of event ${seq} was changed: its hash does not match`)
    actions.push({ ...(readObservation(body) as OperatorAction), seq, hash })
    head = hash
  }
  return { actions, head, problems: [...problems, ...missingRows(db)] }
}

/** Returns the differences between the chain and the commands that the journal or the notices have since it began. */
function missingRows(db: Connection): readonly string[] {
  const first = db.prepare("SELECT value FROM meta WHERE key = 'actionsSince'").get()?.['value']
  const since = Number(first ?? 0)
  const gone = db
    .prepare(
      `SELECT seq FROM journal WHERE type IN ('operator', 'proposal') AND seq > ?
         AND seq <= (SELECT CAST(value AS BIGINT) FROM meta WHERE key = 'projectedSeq')
         AND seq NOT IN (SELECT seq FROM operator_actions) ORDER BY seq`,
    )
    .all(since)
    .map((row) => `the journal has a command in event ${String(row['seq'])} that is missing from the chain`)
  const changed = db
    .prepare(
      `SELECT notices.seq AS seq FROM notices LEFT JOIN operator_actions a ON a.seq = notices.seq AND a.n = notices.n
       WHERE type = 'operator' AND notices.seq > ? AND (a.body IS NULL OR a.body != notices.body) ORDER BY notices.seq`,
    )
    .all(since)
    .map((row) => `the command in event ${String(row['seq'])} differs between the notices and the chain`)
  return [...gone, ...changed]
}

export function hashOf(previous: string, seq: number, n: number, body: string): string {
  return createHash('sha256').update(`${previous}\n${seq}.${n}\n${body}`).digest('hex')
}

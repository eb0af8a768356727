import { decodeJson } from '../base/codec.ts'
import { err, ok, type Result } from '../base/result.ts'
import type { StoreFailure } from './failure.ts'
import { checkTreasury, treasuryCheck, type TreasuryRows } from './treasury/journal.ts'
import type { LastNumbers } from './journal-messages.ts'

/** The input of the check: all kept snapshots, and statistics of both journals. */
export type CheckedRows = {
  readonly snapshots: readonly { readonly seq: number; readonly state: string }[]
  readonly journal: {
    readonly rows: number
    readonly first: number | null
    readonly last: number | null
    readonly bad: number | null
  }
  readonly treasury: TreasuryRows
}

/** Returns the queries for these rows, in order; `countBroken` is the database's own. */
export function checkQueries(countBroken: (column: string) => string): readonly [string, string, string] {
  return [
    'SELECT seq, state FROM snapshots ORDER BY seq',
    `SELECT count(*) AS rows, min(seq) AS first, max(seq) AS last, ${countBroken('body')} AS bad
     FROM journal WHERE seq >= (SELECT coalesce(min(seq), 1) FROM snapshots)`,
    treasuryCheck(countBroken),
  ]
}

/**
 * Checks what a restart needs: every kept snapshot parses, and from the oldest of them (or from event 1) the journal is
 * valid JSON without gaps. Returns the numbers of the last event and the treasury's last event, 0 for an empty store.
 */
export function checkStore(
  { snapshots, journal, treasury }: CheckedRows,
  corrupt: (reason: string) => StoreFailure,
): Result<LastNumbers, StoreFailure> {
  for (const { seq, state } of snapshots) {
    if (!parses(state)) return err(corrupt(`the snapshot of event ${seq} does not parse`))
  }
  const from = snapshots[0]?.seq ?? 1
  const last = journal.last ?? 0
  const expected = snapshots.length === 0 && last === 0 ? 0 : last - from + 1
  if (journal.rows !== expected || (last !== 0 && journal.first !== from)) {
    return err(corrupt(`the journal has a hole between event ${from} and event ${last}`))
  }
  if ((journal.bad ?? 0) > 0) return err(corrupt(`${journal.bad} journal rows are not JSON`))
  const newest = snapshots.at(-1)?.seq ?? 0
  if (newest > last) return err(corrupt(`the journal ends before the snapshot of event ${newest}`))
  const checked = checkTreasury(treasury, corrupt)
  return checked.ok ? ok({ lastSeq: last, treasurySeq: checked.value }) : checked
}

function parses(text: string): boolean {
  try {
    decodeJson(text)
    return true
  } catch {
    return false
  }
}

import type { Ms } from '../../base/time.ts'
import type { JournalWrite, LastNumbers } from '../journal-messages.ts'
import { ALREADY_THERE, codeOf, FAILED_OVER } from './failure.ts'
import { underFence } from './fence.ts'
import type { Holding } from './holding.ts'
import { sendMessage } from './pool.ts'
import { groupOf, type WrittenSoFar } from './statements.ts'

/** The one writer of a position while its fence holds. Every method is one transaction, and may throw. */
export type PostgresWriter = {
  readonly last: () => LastNumbers
  /** Writes in order and returns the last numbers of both journals. */
  readonly write: (writes: readonly JournalWrite[]) => Promise<LastNumbers>
  /** Drops up to `limit` journal rows older than `keepFromMs`; returns their number. */
  readonly prune: (keepFromMs: number, limit: number) => Promise<number>
}

const LAST = `SELECT (SELECT coalesce(max(seq), 0) FROM journal) AS seq,
  (SELECT coalesce(max(seq), 0) FROM treasury_journal) AS treasury`

export function createPostgresWriter(holding: Holding, written: WrittenSoFar): PostgresWriter {
  const { pool, place, fence, timing, untilAnswered } = holding
  let so = written

  const send = (statements: readonly string[], withinMs: Ms) =>
    sendMessage(pool, [...underFence(place, fence), ...statements], withinMs, timing)

  /** Returns whether a group whose answer was lost was committed. Throws if the server has lost events. */
  async function isThere(after: WrittenSoFar, withinMs: Ms): Promise<boolean> {
    const row = (await send([LAST], withinMs)).at(-1)?.rows[0]
    const [seq, treasury] = [Number(row?.['seq']), Number(row?.['treasury'])]
    if (seq < so.lastSeq || treasury < so.treasurySeq) throw forgotten(seq, so.lastSeq)
    return seq === after.lastSeq && treasury === after.treasurySeq
  }

  return {
    last: () => so,
    async write(writes) {
      const { statements, after } = groupOf(writes, so)
      const hasEvents = after.lastSeq > so.lastSeq || after.treasurySeq > so.treasurySeq
      await untilAnswered(async (withinMs, isFirst) => {
        const now = () => timing.moment().steadyMs
        const until = now() + withinMs
        if (!isFirst && hasEvents && (await isThere(after, withinMs))) return
        // Both limits apply: the time after them is reserved for the safe quote.
        await send(statements, Math.max(1, until - now()))
      }, isOurOwn)
      so = after
      return so
    },
    prune: (keepFromMs, limit) =>
      untilAnswered(
        async (withinMs) => (await send([pruneText(keepFromMs, limit)], withinMs)).at(-1)?.rowCount ?? 0,
      ),
  }
}

/** A duplicate key after a lost answer means that the earlier attempt was committed. */
function isOurOwn(error: unknown, isFirst: boolean): boolean {
  return !isFirst && codeOf(error) === ALREADY_THERE
}

/** Drops only from the front: a recent row keeps everything after it, so that no gap appears. */
function pruneText(keepFromMs: number, limit: number): string {
  const bound = `least((SELECT min(seq) FROM snapshots), (SELECT min(seq) FROM journal) + ${limit})`
  return `DELETE FROM journal WHERE EXISTS (SELECT FROM snapshots) AND seq < least(${bound},
    (SELECT min(seq) FROM journal WHERE t >= ${keepFromMs} AND seq < ${bound}))`
}

function forgotten(found: number, acknowledged: number): Error {
  const words = `PostgreSQL has events up to ${found} and had acknowledged event ${acknowledged}: it failed over to a server that lagged behind`
  return Object.assign(new Error(words), { code: FAILED_OVER })
}

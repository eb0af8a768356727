import { err, errorText, ok, type Result } from '../../base/result.ts'
import type { Ms } from '../../base/time.ts'
import type { StandbyRow } from '../../core/lease/standbys.ts'
import { codeOf } from './failure.ts'
import { lookAtAll, whoStandsByAll } from './fence.ts'
import { openPool, sendMessage } from './pool.ts'

/** The holder of a position as stored in PostgreSQL: no column is a time, so equal rows mean no progress. */
export type LeaseRow = {
  readonly position: string
  /** Increases with each grant. */
  readonly fence: number
  /** Increases with each renewal by the holder. */
  readonly count: number
  /** An identity, a space, and a description; null = released. */
  readonly holder: string | null
  readonly standbys: readonly StandbyRow[]
}

/** Reads lease rows, and never writes. */
export type LeaseReader = {
  /** Reads the leases of these positions; one that was never held has no row. The error has no secrets. */
  readonly read: (positions: readonly string[], withinMs: Ms) => Promise<Result<readonly LeaseRow[], string>>
  readonly close: () => Promise<void>
}

/** The tables do not exist yet. Source: appendix A of PostgreSQL's manual. */
export const NO_SUCH_TABLE: readonly string[] = ['3F000', '42P01']

export function openLeaseReader(url: string): LeaseReader {
  const pool = openPool(url, 1)
  return {
    async read(positions, withinMs) {
      if (positions.length === 0) return ok([])
      try {
        const [held, waiting] = await sendMessage(
          pool,
          [lookAtAll(positions), whoStandsByAll(positions)],
          withinMs,
        )
        return ok(rowsOf(held?.rows ?? [], waiting?.rows ?? []))
      } catch (error) {
        return NO_SUCH_TABLE.includes(codeOf(error)) ? ok([]) : err(errorText(error))
      }
    },
    close: () => pool.end(),
  }
}

type Rows = readonly Readonly<Record<string, unknown>>[]

function rowsOf(held: Rows, waiting: Rows): readonly LeaseRow[] {
  const standbys = Map.groupBy(waiting, ({ position }) => position)
  return held.map((row) => {
    const { position, n, count, holder } = row as {
      readonly position: string
      readonly n: number
      readonly count: number
      readonly holder: string | null
    }
    const others = (standbys.get(position) ?? []) as unknown as readonly StandbyRow[]
    return {
      position,
      fence: n,
      count,
      holder,
      standbys: others.map(({ holder: who, count: moved }) => ({ holder: who, count: moved })),
    }
  })
}

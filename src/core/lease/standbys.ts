import { MINUTE_MS, SECOND_MS, type Ms } from '../../base/time.ts'

/** A standby daemon with the counter that it increments while it runs. */
export type StandbyRow = { readonly holder: string; readonly count: number }

/** Tracks which standbys run. */
type Standbys = {
  readonly saw: (rows: readonly StandbyRow[]) => void
  readonly hasLive: () => boolean
  /** Returns the standbys whose counter has been unchanged so long that they must have stopped. */
  readonly dead: () => readonly string[]
}

/** A standby announces itself twice a second. */
const SILENT_MS: Ms = 3 * SECOND_MS
/** Longer than any pause of a running machine. A standby that continues later announces itself again. */
const DEAD_MS: Ms = 10 * MINUTE_MS

type Known = { readonly count: number; readonly movedAt: Ms; readonly stillSince: Ms }

const NEVER: Ms = -Infinity

/** A standby runs if its counter was seen to change, on the observer's clock. */
export function createStandbys(now: () => Ms): Standbys {
  let known = new Map<string, Known>()
  return {
    saw(rows) {
      const seenAt = now()
      known = new Map(
        rows.map(({ holder, count }) => {
          const before = known.get(holder)
          const hasMoved = before !== undefined && before.count !== count
          if (before === undefined) return [holder, { count, movedAt: NEVER, stillSince: seenAt }]
          return [holder, hasMoved ? { count, movedAt: seenAt, stillSince: seenAt } : before]
        }),
      )
    },
    hasLive() {
      const from = now() - SILENT_MS
      return [...known.values()].some(({ movedAt }) => movedAt > from)
    },
    dead() {
      const from = now() - DEAD_MS
      return [...known].flatMap(([holder, { stillSince }]) => (stillSince <= from ? [holder] : []))
    },
  }
}

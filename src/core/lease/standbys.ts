import { MINUTE_MS, SECOND_MS, type Ms } from '../../base/time.ts'

/** A daemon that stands by, with the counter of its own that it moves while it lives. */
export type StandbyRow = { readonly holder: string; readonly count: number }

/** Which of those that stand by live. */
type Standbys = {
  readonly saw: (rows: readonly StandbyRow[]) => void
  readonly hasLive: () => boolean
  /** Those whose counter has stood still for so long that no one is there who will move it. */
  readonly dead: () => readonly string[]
}

/** A standby announces itself twice a second. */
const SILENT_MS: Ms = 3 * SECOND_MS
/** Longer than any pause of a machine that continues; one that does go on after that announces itself anew. */
const DEAD_MS: Ms = 10 * MINUTE_MS

type Known = { readonly count: number; readonly movedAt: Ms; readonly stillSince: Ms }

const NEVER: Ms = -Infinity

/** Tells the living by their counters, on the clock of who looks: a counter that was never seen to move may be a dead one's. */
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

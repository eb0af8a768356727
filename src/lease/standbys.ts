import { SECOND_MS, type Ms } from '../base/time.ts'

/** A daemon that stands by, with the counter of its own that it moves while it lives. */
export type StandbyRow = { readonly holder: string; readonly count: number }

/** Which of those that stand by live. */
export type Standbys = {
  readonly saw: (rows: readonly StandbyRow[]) => void
  readonly hasLive: () => boolean
}

/** A standby announces itself twice a second. */
const SILENT_MS: Ms = 3 * SECOND_MS

/** Tells the living by their counters, on the clock of who looks: a counter that was never seen to move may be a dead one's. */
export function createStandbys(now: () => Ms): Standbys {
  let known = new Map<string, { readonly count: number; readonly movedAt: Ms }>()
  return {
    saw(rows) {
      const seenAt = now()
      known = new Map(
        rows.map(({ holder, count }) => {
          const before = known.get(holder)
          const hasMoved = before !== undefined && before.count !== count
          return [
            holder,
            { count, movedAt: hasMoved ? seenAt : (before?.movedAt ?? Number.NEGATIVE_INFINITY) },
          ]
        }),
      )
    },
    hasLive() {
      const from = now() - SILENT_MS
      return [...known.values()].some(({ movedAt }) => movedAt > from)
    },
  }
}

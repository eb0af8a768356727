import { SECOND_MS, type Ms } from '../../../base/time.ts'
import { PROTOCOL_VERSION, type Renewal, type RenewAnswer } from '../protocol/renewal.ts'
import type { GuardFile } from './kept-file.ts'
import type { GuardReport } from '../notices/report.ts'
import type { PositionStatus } from './position-status.ts'
import type { UnwatchedFile } from './settings.ts'
import type { WatchClock } from './watch-parts.ts'
import type { WatchedPosition } from './watch-position.ts'
import { runCaught } from '../../../base/threads/timing.ts'

/** All positions of a guard. */
export type AllPositions = {
  /** Returns null if the grants could not be written to disk: then nothing is granted. */
  readonly renew: (renewal: Renewal) => RenewAnswer | null
  /** Answers renewals with `drained` from now on: the daemons then quote without a guard. */
  readonly drain: (names: readonly string[] | null) => readonly string[]
  readonly release: (names: readonly string[] | null) => readonly string[]
  readonly status: () => readonly PositionStatus[]
  /** Acknowledges open alerts of the guard: one by its code, or all (null). */
  readonly acknowledge: GuardReport['acknowledge']
  /** Returns why the guard could not act for some position now; null = it could act for all. */
  readonly obstacle: () => string | null
  readonly tick: () => void
}

type AllPositionsParts = {
  readonly positions: ReadonlyMap<string, WatchedPosition>
  readonly kept: Pick<GuardFile, 'save'>
  readonly report: Pick<GuardReport, 'log' | 'acknowledge'>
  /** Files of the fleet whose positions are not watched. */
  readonly unwatched?: readonly UnwatchedFile[]
  readonly clock: WatchClock
  /** Whether a record has changed since the last call. */
  readonly hasChanged: () => boolean
}

/** A process that was suspended for longer than this may have missed renewals, which arrive more often. */
const PAUSED_MS: Ms = SECOND_MS

export function createAllPositions(parts: AllPositionsParts): AllPositions {
  const { positions, report, clock, unwatched = [] } = parts
  let tickedAt = clock.now()
  const disk = createDisk(parts)

  function each(
    names: readonly string[] | null,
    act: (position: WatchedPosition) => void,
  ): readonly string[] {
    const chosen = [...positions].filter(([name]) => names === null || names.includes(name))
    for (const [, position] of chosen) act(position)
    disk.save()
    return chosen.map(([name]) => name)
  }

  return {
    renew({ holder, deadlineMs, positions: renewals }) {
      const answers = renewals.map((renewal) => {
        const { name } = renewal
        const position = positions.get(name)
        if (position === undefined) return refusal(name, 'unknown', 'the guard has no position of this name')
        if (position.isDrained() && !position.isActing())
          return refusal(name, 'drained', 'the guard is drained: no one watches')
        const answer = position.renew(renewal, holder, deadlineMs)
        return () => position.handOver(answer)
      })
      // A number must be on disk before it is granted.
      if (!disk.save()) return null
      return {
        version: PROTOCOL_VERSION,
        positions: answers.map((answer) => (typeof answer === 'function' ? answer() : answer)),
      }
    },
    drain: (names) => each(names, (position) => position.drain()),
    release: (names) => each(names, (position) => position.release()),
    status: () => Array.from(positions.values(), (position) => position.status()),
    acknowledge: report.acknowledge,
    obstacle: () => disk.problem() ?? obstacleOf(positions) ?? unwatchedFile(unwatched),
    tick() {
      const now = clock.now()
      const wasPaused = now - tickedAt >= PAUSED_MS
      tickedAt = now
      if (wasPaused) report.log('warn', null, 'the guard did not run for a while: it waits anew')
      each(null, (position) => runCaught(() => position.tick(wasPaused)))
    },
  }
}

/** Saves the records. A failed write is retried even if nothing has changed since. */
function createDisk({ kept, report, hasChanged }: Omit<AllPositionsParts, 'positions' | 'clock'>) {
  let problem: string | null = null
  return {
    /** Returns whether everything is on disk. */
    save(): boolean {
      if (!hasChanged() && problem === null) return true
      const saved = kept.save()
      if (!saved.ok && saved.error !== problem) report.log('error', null, saved.error)
      problem = saved.ok ? null : saved.error
      return saved.ok
    },
    problem: () => problem,
  }
}

/** Returns the first position that the guard could not act for, with the reason; null = none. */
function obstacleOf(positions: AllPositionsParts['positions']): string | null {
  for (const position of positions.values()) {
    const { name, powerless, blind, isDrained } = position.status()
    const why = powerless ?? blind ?? (isDrained ? 'it is drained: no one watches' : null)
    if (why !== null) return `${name}: ${why}`
  }
  return null
}

function unwatchedFile([first]: readonly UnwatchedFile[]): string | null {
  return first === undefined ? null : `${first.file}: ${first.why}`
}

function refusal(name: string, why: 'unknown' | 'drained', words: string): RenewAnswer['positions'][number] {
  return { name, fence: null, refusal: why, words, writes: [], requestsAgoMs: [] }
}

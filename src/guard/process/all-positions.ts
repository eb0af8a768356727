import { SECOND_MS, type Ms } from '../../base/time.ts'
import { PROTOCOL_VERSION, type Renewal, type RenewAnswer } from '../protocol/renewal.ts'
import type { KeptFile } from './kept-file.ts'
import type { Report } from './report.ts'
import type { PositionStatus } from './position-status.ts'
import type { Clock, WatchedPosition } from './watch-position.ts'

/** Every position of a guard. */
export type AllPositions = {
  /** Null where what was granted could not be kept: then nothing is granted. */
  readonly renew: (renewal: Renewal) => RenewAnswer | null
  /** From now on renewals are answered with `drained`: their daemons quote without a guard. */
  readonly drain: (names: readonly string[] | null) => readonly string[]
  readonly release: (names: readonly string[] | null) => readonly string[]
  readonly status: () => readonly PositionStatus[]
  /** Why the guard could not do its work for each of them now; null = it could. */
  readonly obstacle: () => string | null
  readonly tick: () => void
}

export type AllPositionsParts = {
  readonly positions: ReadonlyMap<string, WatchedPosition>
  readonly kept: Pick<KeptFile, 'save'>
  readonly report: Pick<Report, 'log'>
  readonly clock: Clock
  /** Whether a record has changed since it was last asked. */
  readonly hasChanged: () => boolean
}

/** A process that was not run for so long could not hear: a renewal takes less. */
const PAUSED_MS: Ms = SECOND_MS

export function createAllPositions(parts: AllPositionsParts): AllPositions {
  const { positions, report, clock } = parts
  const drained = new Set<string>()
  let tickedAt = clock.now()
  const disk = createDisk(parts)

  function each(
    names: readonly string[] | null,
    act: (position: WatchedPosition, name: string) => void,
  ): readonly string[] {
    const chosen = [...positions].filter(([name]) => names === null || names.includes(name))
    for (const [name, position] of chosen) act(position, name)
    disk.save()
    return chosen.map(([name]) => name)
  }

  return {
    renew({ holder, deadlineMs, positions: renewals }) {
      const answers = renewals.map((renewal) => {
        const { name } = renewal
        const position = positions.get(name)
        if (position === undefined) return refusal(name, 'unknown', 'the guard has no position of this name')
        if (drained.has(name) && !position.isActing())
          return refusal(name, 'drained', 'the guard is drained: nobody watches')
        const answer = position.renew(renewal, holder, deadlineMs)
        return () => position.handOver(answer)
      })
      // A number is on disk before it is given out.
      if (!disk.save()) return null
      return {
        version: PROTOCOL_VERSION,
        positions: answers.map((answer) => (typeof answer === 'function' ? answer() : answer)),
      }
    },
    drain: (names) =>
      each(names, (position, name) => {
        drained.add(name)
        position.drain()
      }),
    release: (names) => each(names, (position) => position.release()),
    status: () => Array.from(positions.values(), (position) => position.status()),
    obstacle: () => disk.problem() ?? powerless(positions),
    tick() {
      const now = clock.now()
      const wasPaused = now - tickedAt >= PAUSED_MS
      tickedAt = now
      if (wasPaused) report.log('warn', null, 'the guard did not run for a while: it waits anew')
      each(null, (position) => position.tick(wasPaused))
    },
  }
}

/** The records on disk: what could not be written is still to be written, though nothing has changed since. */
function createDisk({ kept, report, hasChanged }: Omit<AllPositionsParts, 'positions' | 'clock'>) {
  let problem: string | null = null
  return {
    /** Whether everything is on disk. */
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

/** A position whose key the venue refuses; null = there is none. */
function powerless(positions: AllPositionsParts['positions']): string | null {
  const all = Array.from(positions.values(), (position) => position.status())
  const found = all.find((status) => status.powerless !== null)
  return found === undefined ? null : `${found.name}: ${found.powerless}`
}

function refusal(name: string, why: 'unknown' | 'drained', words: string): RenewAnswer['positions'][number] {
  return { name, fence: null, refusal: why, words, writes: [], requestsAgoMs: [] }
}

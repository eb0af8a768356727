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
  /** Whether every lease has been given up or told of the end; what the guard acts for does not count. */
  readonly isDrained: () => boolean
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
  const { positions, kept, report, clock, hasChanged } = parts
  const drained = new Set<string>()
  let tickedAt = clock.now()

  function save(): boolean {
    if (!hasChanged()) return true
    const saved = kept.save()
    if (!saved.ok) report.log('error', null, saved.error)
    return saved.ok
  }

  function each(
    names: readonly string[] | null,
    act: (position: WatchedPosition, name: string) => void,
  ): readonly string[] {
    const chosen = [...positions].filter(([name]) => names === null || names.includes(name))
    for (const [name, position] of chosen) act(position, name)
    save()
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
      if (!save()) return null
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
    isDrained: () =>
      Array.from(positions.values(), (position) => position.status()).every(({ state }) => state !== 'held'),
    tick() {
      const now = clock.now()
      const wasPaused = now - tickedAt >= PAUSED_MS
      tickedAt = now
      if (wasPaused) report.log('warn', null, 'the guard did not run for a while: it waits anew')
      for (const position of positions.values()) position.tick(wasPaused)
      save()
    },
  }
}

function refusal(name: string, why: 'unknown' | 'drained', words: string): RenewAnswer['positions'][number] {
  return { name, fence: null, refusal: why, words, writes: [], requestsAgoMs: [] }
}

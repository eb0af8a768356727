import type { CommandAnswer, PositionPort } from '../console/position-port.ts'
import type { PositionView } from '../engine/position-view.ts'
import type { Readiness } from '../engine/readiness.ts'
import type { Supervisor } from './supervise-position.ts'

/** A supervised position as the console sees it. */
export function positionPort(supervisor: Supervisor): PositionPort {
  return {
    name: supervisor.name,
    view: async () => (await supervisor.ask({ method: 'view' })) as PositionView | null,
    metricsJson: async () => (await supervisor.ask({ method: 'metrics' })) as readonly object[] | null,
    ready: async () => {
      const ready = (await supervisor.ask({ method: 'ready' })) as Readiness | null
      return ready ?? { ready: false, why: ['the position does not answer'] }
    },
    command: async (command, who, why) => {
      const answer =
        command.name === 'reload'
          ? ((await supervisor.ask({ method: 'reload' }, RELOAD_MS)) as CommandAnswer | null)
          : await supervisor.command(command, who, why)
      return (
        answer ?? {
          accepted: false,
          answer: 'the position does not answer; its outcome is unknown',
          exitCode: 1,
        }
      )
    },
    health: supervisor.health,
  }
}

/** A reload tries new code in a throw-away thread before it takes it. */
const RELOAD_MS = 10_000

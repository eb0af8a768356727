import type { ParametersAnswer, PreviewAnswer } from '../../console/api/api-types.ts'
import type { Changes, CommandAnswer, Look, PastPort, PositionPort } from '../../console/position-port.ts'
import type { PositionView } from '../../view/position-view.ts'
import type { Readiness } from '../../view/readiness.ts'
import type { PositionNotifier } from './notifications/position-notifier.ts'
import type { Supervisor } from '../supervise-position.ts'
import type { AskedCall } from '../worker-calls.ts'

/** A supervised position as the console sees it; its past is read from its store, beside it. */
export function positionPort(
  supervisor: Supervisor,
  past: PastPort,
  notifier?: PositionNotifier,
): PositionPort {
  return {
    name: supervisor.name,
    view: async () => (await supervisor.ask({ method: 'view' })) as PositionView | null,
    look: async (since) => (await supervisor.ask({ method: 'look', since })) as Look | null,
    past,
    async metricsJson() {
      const ofPosition = (await supervisor.ask({ method: 'metrics' })) as readonly object[] | null
      // What people are told is counted even while the position does not answer: then above all.
      const ofNotifier = await notifier?.metricsJson()
      return ofNotifier === undefined ? ofPosition : [...(ofPosition ?? []), ...ofNotifier]
    },
    ready: async () => {
      const ready = (await supervisor.ask({ method: 'ready' })) as Readiness | null
      return ready ?? { ready: false, why: ['the position does not answer'] }
    },
    parameters: async () =>
      (await supervisor.ask({ method: 'parameters' }, RELOAD_MS)) as ParametersAnswer | null,
    preview: async (changes) =>
      (await supervisor.ask({ method: 'preview', changes }, PREVIEW_MS)) as PreviewAnswer | null,
    command: async (command, who, why) => {
      const answer =
        command.name === 'reload'
          ? ((await supervisor.ask(reloadCall(command, who, why), RELOAD_MS)) as CommandAnswer | null)
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
/** A preview has a limit of its own, within this one. */
const PREVIEW_MS = 18_000

function reloadCall(
  { changes = {}, fromFile = false }: { readonly changes?: Changes; readonly fromFile?: boolean },
  who: string,
  why: string,
): AskedCall {
  return { method: 'reload', order: { who, why, changes, fromFile } }
}

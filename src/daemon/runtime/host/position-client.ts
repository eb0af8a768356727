import type { ParameterChanges, CommandAnswer, PastPort, PositionPort } from '../../console/position-port.ts'
import { isStop } from '../../../core/engine/operator/stops.ts'
import type { GivenStops } from './given-stops.ts'
import type { Supervisor } from './supervisor.ts'
import type { PositionCall } from '../worker/messages.ts'
import { acknowledgeAlerts } from './acknowledge-alerts.ts'
import type { PositionNotifier } from './notifications/position-notifier.ts'

/** A reload tries new code in a throw-away thread before it takes it. */
const RELOAD_MS = 10_000
/** A preview has a limit of its own, within this one. */
const PREVIEW_MS = 18_000

/** An order to a treasury is answered once it is on disk. */
const ORDER_MS = 5_000
const UNANSWERED: CommandAnswer = {
  accepted: false,
  answer: 'the position does not answer; its outcome is unknown',
  exitCode: 1,
}

/** A supervised position as the console sees it; its past is read from its store, beside it. */
export function createPositionClient(
  supervisor: Supervisor,
  past: PastPort,
  notifier: Pick<PositionNotifier, 'alerts' | 'failing'> | null,
  stops: GivenStops,
): PositionPort {
  const alerts = notifier?.alerts ?? null
  const unanswered = (): CommandAnswer => {
    const standby = supervisor.standby()
    if (standby === null) {
      const { alive, why } = supervisor.health()
      return alive
        ? UNANSWERED
        : { ...UNANSWERED, answer: `the position does not run (${why}), so nothing was done` }
    }
    return { accepted: false, answer: `${standby}; give the command to that daemon`, exitCode: 1 }
  }
  return {
    name: supervisor.name,
    view: () => supervisor.ask({ method: 'view' }),
    look: (since) => supervisor.ask({ method: 'look', since }),
    past,
    ready: async () => {
      const ready = await supervisor.ask({ method: 'ready' })
      return ready ?? { ready: false, why: [supervisor.standby() ?? 'the position does not answer'] }
    },
    parameters: () => supervisor.ask({ method: 'parameters' }, RELOAD_MS),
    preview: (changes) => supervisor.ask({ method: 'preview', changes }, PREVIEW_MS),
    alerts: () => alerts?.list() ?? [],
    failingChannels: () => notifier?.failing() ?? [],
    command: async (command, who, why, key) => {
      if (command.name === 'ack') return acknowledgeAlerts(command.code, { supervisor, alerts, who, why })
      if (command.name !== 'reload' && isStop(command) && supervisor.standby() === null)
        return stops.give({ command, who, why }, supervisor, key)
      const answer =
        command.name === 'reload'
          ? await supervisor.ask(reloadCall(command, who, why), RELOAD_MS)
          : await supervisor.commandFor(command, who, why, key)
      if (command.name === 'resume' && answer?.accepted === true) stops.drop()
      return answer ?? unanswered()
    },
    treasury: () => supervisor.ask({ method: 'treasuryView' }),
    treasuryOrder: async (order, by, who) =>
      (await supervisor.ask({ method: 'treasuryOrder', order, by, who }, ORDER_MS)) ?? unanswered(),
    proposals: () => supervisor.ask({ method: 'proposals' }),
    propose: async (asked, id, who, why) =>
      (await supervisor.ask({ method: 'propose', asked, id, who, why }, PREVIEW_MS)) ?? unanswered(),
    answerProposal: async (order, who, why) =>
      (await supervisor.ask({ method: 'answerProposal', order, who, why })) ?? unanswered(),
    health: supervisor.health,
  }
}

function reloadCall(
  { changes = {}, fromFile = false }: { readonly changes?: ParameterChanges; readonly fromFile?: boolean },
  who: string,
  why: string,
): Extract<PositionCall, { method: 'reload' }> {
  return { method: 'reload', request: { who, why, changes, fromFile } }
}

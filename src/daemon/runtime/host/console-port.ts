import { EXIT_CODE } from '../../../base/exit-code.ts'
import { isStop, OPERATOR_COMMANDS } from '../../console/commands/operator-commands.ts'
import type { OperatorCommand, StopCommand } from '../../../core/engine/model/event.ts'
import type { OperatorAnswer, PastPort, PositionPort } from '../../console/position-port.ts'
import type { StopPort } from '../../console/server/options.ts'
import { removeSavedStops, saveStop, readSavedStops, type SavedStop } from '../position/saved-stops.ts'
import { CONFIRM_MS, type PositionCalls } from '../worker/messages.ts'
import type { PositionNotifier } from './notifications/position-notifier.ts'
import type { Supervisor } from './supervisor.ts'

const UNANSWERED: OperatorAnswer = {
  accepted: false,
  answer: 'the position does not answer; the outcome is unknown',
  exitCode: EXIT_CODE.failed,
}

/** Returns the port through which the console asks a supervised position; `past` reads its store. */
export function createConsolePort(
  supervisor: Supervisor,
  past: PastPort,
  notifier: Pick<PositionNotifier, 'alerts' | 'failing'> | null,
  stops: StopQueue,
): PositionPort {
  const alerts = notifier?.alerts ?? null
  const unanswered = (): OperatorAnswer => {
    const standby = supervisor.standby()
    if (standby === null) {
      const { alive, why } = supervisor.health()
      return alive
        ? UNANSWERED
        : { ...UNANSWERED, answer: `the position does not run (${why}), so nothing was done` }
    }
    return {
      accepted: false,
      answer: `${standby}; send the command to that daemon`,
      exitCode: EXIT_CODE.failed,
    }
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
    parameters: () => supervisor.ask({ method: 'parameters' }),
    preview: (changes) => supervisor.ask({ method: 'preview', changes }),
    alerts: () => alerts?.list() ?? [],
    failingChannels: () => notifier?.failing() ?? [],
    command: async (command, who, why, key) => {
      if (command.name === 'ack') return acknowledgeAlerts(command.code, { supervisor, alerts, who, why })
      if (command.name === 'reload') {
        const { by, changes, fromFile } = command
        const request = { who, why, by, changes, fromFile }
        return (await supervisor.ask({ method: 'reload', request })) ?? unanswered()
      }
      if (isStop(command) && supervisor.standby() === null)
        return stops.send({ command, who, why }, supervisor)
      const call = { ...commandCall({ command, who, why }), ...(key !== undefined && { key }) }
      const answer = await supervisor.ask(call)
      if (answer?.accepted === true) stops.dropLiftedBy(command)
      return answer ?? unanswered()
    },
    treasury: () => supervisor.ask({ method: 'treasuryView' }),
    treasuryOrder: async (order, by, who) =>
      (await supervisor.ask({ method: 'treasuryOrder', order, by, who })) ?? unanswered(),
    proposals: () => supervisor.ask({ method: 'proposals' }),
    propose: async (asked, by) => (await supervisor.ask({ method: 'propose', asked, ...by })) ?? unanswered(),
    answerProposal: async (order, who, why) =>
      (await supervisor.ask({ method: 'answerProposal', order, who, why })) ?? unanswered(),
    health: supervisor.health,
  }
}

/** A stop is answered once the venue shows it, or after `CONFIRM_MS`. */
function commandCall(given: {
  readonly command: OperatorCommand
  readonly who: string
  readonly why: string
}): PositionCalls['command'] {
  return { method: 'command', ...given, confirmWithinMs: CONFIRM_MS }
}

/** The stops of one position, whether it runs, starts, restarts or has ended: none is lost. */
type StopQueue = {
  /** Stops without an answer yet. A worker that starts meanwhile puts them in force before it decides. */
  readonly open: () => readonly SavedStop[]
  /** Sends a stop. One that the position does not answer is kept on disk for its next start. */
  readonly send: (stop: SavedStop, supervisor: Supervisor) => Promise<OperatorAnswer>
  /** Sends the position, which runs now, the stops that were kept after it began to start. */
  readonly deliver: (supervisor: Supervisor) => Promise<void>
  /** Removes the kept stops that an accepted command has lifted. */
  readonly dropLiftedBy: (command: OperatorCommand) => void
}

/** The kept stops that each start lifts. No start cancels a cancellation, or lets a signer sign again. */
const LIFTS: { readonly [name in OperatorCommand['name']]?: readonly StopCommand['name'][] } = {
  resume: ['halt', 'pause'],
  activate: ['deactivate'],
}

/** `store`: the folder of the position's store. */
export function createStopQueue(store: string): StopQueue {
  const open = new Set<SavedStop>()
  let delivered = Promise.resolve()

  /** One delivery at a time, so that no stop is sent twice. */
  function deliver(supervisor: Supervisor): Promise<void> {
    delivered = delivered.then(() => deliverNow(supervisor))
    return delivered
  }

  async function deliverNow(supervisor: Supervisor): Promise<void> {
    for (const stop of readSavedStops(store)) {
      // A resume may have lifted it while the stops before it were sent.
      if (!readSavedStops(store).some(({ file }) => file === stop.file)) continue
      const { command, who, why } = stop
      const answer = await supervisor.ask({ method: 'command', command, who, why })
      // A refused stop, or one that the signer's file lacks, stays for the next start.
      if (answer?.accepted === true) removeSavedStops([stop])
    }
  }

  return {
    open: () => [...open],
    async send(stop, supervisor) {
      open.add(stop)
      const answer = await supervisor.ask(commandCall(stop))
      if (answer !== null) {
        open.delete(stop)
        return answer
      }
      const { alive, why } = supervisor.health()
      const isDown = !alive || why !== null
      const trouble = isDown ? `it does not run (${why ?? 'its thread is silent'})` : 'it does not answer'
      const kept = await saveForNextStart(store, stop, trouble, isDown)
      open.delete(stop)
      void deliver(supervisor)
      return kept
    },
    deliver,
    dropLiftedBy({ name }) {
      const lifted = LIFTS[name] ?? []
      if (lifted.length > 0)
        removeSavedStops(readSavedStops(store).filter(({ command }) => lifted.includes(command.name)))
    },
  }
}

async function saveForNextStart(
  store: string,
  stop: SavedStop,
  trouble: string,
  isDown: boolean,
): Promise<OperatorAnswer> {
  const problem = await saveStop(store, stop)
  if (problem !== null) {
    const answer = `NOT stopped: ${trouble}, and the command could not be saved in ${store}: ${problem}. Do: end the process, or send it again`
    return { accepted: false, confirmed: false, answer, exitCode: EXIT_CODE.failed }
  }
  const when = isDown
    ? 'before quoting resumes'
    : 'once it answers, or before quoting resumes after a restart'
  const answer = `${trouble}. Saved. ${OPERATOR_COMMANDS[stop.command.name].later} ${when}. NOT confirmed at the venue: the live quote is unknown. Do: check the venue's dashboard; docs/first-aid.md shows how to stop the quote without the daemon`
  return { accepted: true, confirmed: false, answer, exitCode: EXIT_CODE.unconfirmed }
}

/** Returns the port of a fleet position whose file is currently invalid: it keeps stops for the next start. `why` is the file's problem. */
export function createAbsentPort(name: string, store: string, why: string): StopPort {
  const [reason = ''] = why.split('\n')
  const refused = {
    accepted: false,
    answer: `it does not run (${reason}), so nothing was done`,
    exitCode: EXIT_CODE.failed,
  }
  return {
    name,
    command: async (command, who, text) =>
      command.name === 'ack' || command.name === 'reload' || !isStop(command)
        ? refused
        : saveForNextStart(store, { command, who, why: text }, `it does not run (${reason})`, true),
    treasuryOrder: async () => refused,
  }
}

const NOT_REPEATED =
  'alerts are not repeated here: set alert.repeatMinutes or alert.escalation, and a channel in notify'

/**
 * Acknowledges open alerts: one by its code, or all (null). The position's journal records the person first. If the position
 * does not answer, reminders stop anyway, and the answer reports that the journal lacks the acknowledgement.
 */
export async function acknowledgeAlerts(
  code: string | null,
  {
    supervisor,
    alerts,
    who,
    why,
  }: {
    readonly supervisor: Pick<Supervisor, 'ask'>
    /** Null = alerts are not repeated. */
    readonly alerts: PositionNotifier['alerts']
    readonly who: string
    readonly why: string
  },
): Promise<OperatorAnswer> {
  if (alerts === null) return { accepted: false, answer: NOT_REPEATED }
  const open = alerts.list()
  const wanted = open.filter((alert) => code === null || alert.code === code)
  if (code !== null && wanted.length === 0)
    return { accepted: false, answer: `no alert ${code} is open; open: ${namesOf(open) || 'none'}` }
  const codes = wanted.filter(({ ack }) => ack === null).map((alert) => alert.code)
  if (codes.length === 0) {
    const answer =
      open.length === 0 ? 'there is no open critical alert' : `already acknowledged: ${namesOf(wanted)}`
    return { accepted: true, answer }
  }
  const journalled = await supervisor.ask({ method: 'command', command: { name: 'ack', codes }, who, why })
  const taken = await alerts.acknowledge(codes, who, why)
  const answer = `acknowledged: ${taken.join(', ')}`
  if (journalled?.accepted === true) return { accepted: true, answer }
  return { accepted: true, answer: `${answer}; the position does not answer, so its journal lacks this` }
}

function namesOf(alerts: readonly { readonly code: string }[]): string {
  return alerts.map(({ code }) => code).join(', ')
}

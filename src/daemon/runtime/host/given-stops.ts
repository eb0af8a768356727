import type { CommandAnswer } from '../../console/position-port.ts'
import type { StopPort } from '../../console/server/options.ts'
import { isStop } from '../../../core/engine/operator/stops.ts'
import {
  dropKeptStops,
  keepStop,
  readKeptStops,
  stopsOfJournal,
  type KeptStop,
} from '../position/kept-stops.ts'
import type { Supervisor } from './supervisor.ts'

/** What is given to a position that runs, starts, restarts or has ended; no stop of it is lost. */
export type GivenStops = {
  /** Those that are not answered yet: a worker that starts meanwhile has them in force before it decides. */
  readonly open: () => readonly KeptStop[]
  /** Gives a stop; what the position does not answer is kept on disk for its next start. */
  readonly give: (stop: KeptStop, supervisor: Supervisor, key: string | undefined) => Promise<CommandAnswer>
  /** Gives the position, which runs now, what was kept after it began to start. */
  readonly deliver: (supervisor: Supervisor) => Promise<void>
  /** A resume has lifted them. */
  readonly drop: () => void
}

/** `store`: the folder of the position's store. */
export function createGivenStops(store: string): GivenStops {
  const open = new Set<KeptStop>()

  async function deliver(supervisor: Supervisor): Promise<void> {
    for (const stop of readKeptStops(store)) {
      const answer = await supervisor.command(stop.command, stop.who, stop.why)
      // One that was not taken, or that the signer's file does not have, stays for the next start.
      if (answer?.accepted === true) dropKeptStops([stop])
    }
  }

  return {
    open: () => [...open],
    async give(stop, supervisor, key) {
      open.add(stop)
      const answer = await supervisor.commandFor(stop.command, stop.who, stop.why, key)
      if (answer !== null) {
        open.delete(stop)
        return answer
      }
      const { alive, why } = supervisor.health()
      const isDown = !alive || why !== null
      const trouble = isDown ? `it does not run (${why ?? 'its thread is silent'})` : 'it does not answer'
      const kept = await keep(store, stop, trouble, isDown)
      open.delete(stop)
      void deliver(supervisor)
      return kept
    },
    deliver,
    drop: () => dropKeptStops(stopsOfJournal(readKeptStops(store))),
  }
}

const IN_FORCE: Readonly<Record<string, string>> = {
  halt: 'halted',
  pause: 'paused',
  deactivate: 'deactivated',
}
const UNCONFIRMED = 4

async function keep(store: string, stop: KeptStop, trouble: string, isDown: boolean): Promise<CommandAnswer> {
  const problem = await keepStop(store, stop)
  if (problem !== null) {
    const answer = `NOT stopped: ${trouble}, and the command could not be kept in ${store}: ${problem}. Do: end the process, or send it again`
    return { accepted: false, confirmed: false, answer, exitCode: 1 }
  }
  const what = IN_FORCE[stop.command.name] ?? `under ${stop.command.name}`
  const when = isDown ? 'before it quotes again' : 'once it answers, or before it quotes after a restart'
  const answer = `${trouble}. Kept: it is ${what} ${when}. NOT confirmed at the venue: what is live there is unknown. Do: look at the venue's page; docs/first-aid.md shows how to stop the quote without the daemon`
  return { accepted: true, confirmed: false, answer, exitCode: UNCONFIRMED }
}

/** A position of a fleet whose file makes none just now: its stops are kept for when it does. `why`: what is wrong with the file. */
export function createAbsentPort(name: string, store: string, why: string): StopPort {
  const [reason = ''] = why.split('\n')
  const refused = { accepted: false, answer: `it does not run (${reason}), so nothing was done`, exitCode: 1 }
  return {
    name,
    command: async (command, who, text) =>
      command.name === 'ack' || command.name === 'reload' || !isStop(command)
        ? refused
        : keep(store, { command, who, why: text }, `it does not run (${reason})`, true),
    treasuryOrder: async () => refused,
  }
}

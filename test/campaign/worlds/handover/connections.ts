import type { Ms } from '../../../../src/base/time.ts'
import type { PoolConnection, Connections } from '../../../../src/store/postgres/pool.ts'
import type { Dice } from '../../../world/dice.ts'
import type { LinkName, Network } from '../guard/network.ts'
import type { Machine, Reality } from '../guard/machine.ts'
import { type Database, databaseError } from './database.ts'

const CONNECT_MS: Ms = 1_000
const MOST_IDLE = 2

/** A server of the database: where it is, and in what state. */
export class DatabaseServer {
  isUp = true
  /** The mean of what a message takes there; exponential. */
  slowMs: Ms = 0
  readonly database: Database
  readonly #reality: Reality
  readonly #dice: Dice
  readonly #sessions = new Set<(error: Error) => void>()

  constructor(database: Database, reality: Reality, dice: Dice) {
    this.database = database
    this.#reality = reality
    this.#dice = dice
  }

  /** A message has arrived: its answer, in time, unless the server ends before. */
  take(text: string, answer: (result: unknown, error: Error | null) => void): void {
    if (!this.isUp) return answer(null, databaseError('', 'connection refused'))
    if (this.slowMs === 0) return this.#execute(text, answer)
    const end = (error: Error): void => void (this.#sessions.delete(end) && answer(null, error))
    this.#sessions.add(end)
    const { scheduler, now } = this.#reality
    scheduler.add(now() + this.#dice.exponential(this.slowMs), () => {
      if (this.#sessions.delete(end)) this.#execute(text, answer)
    })
  }

  /** Every connection breaks, with what waits on it. */
  cutAll(): void {
    for (const end of this.#sessions) end(databaseError('57P01', 'terminating connection'))
  }

  #execute(text: string, answer: (result: unknown, error: Error | null) => void): void {
    let result: unknown = null
    try {
      result = this.database.run(text)
    } catch (thrown) {
      const error = thrown as Error & { readonly code?: string }
      // What is no refusal of the database is a mistake of the world.
      if (error.code === undefined) throw thrown
      return answer(null, error)
    }
    answer(result, null)
  }
}

export type ConnectionParts = {
  readonly machine: Machine
  readonly network: Network
  readonly server: DatabaseServer
  /** A promise of the process has settled. */
  readonly onSettled: () => void
}

/**
 * The connections of one process. A message whose client no longer waits is not called back: the kernel sends what it was given,
 * and the server carries it out whenever it arrives.
 */
export class ProcessConnections implements Connections {
  readonly #parts: ConnectionParts
  readonly #link: LinkName
  readonly #underWay = new Set<(error: Error) => void>()
  #idle = 0

  constructor(parts: ConnectionParts) {
    this.#parts = parts
    this.#link = `${parts.machine.name}-db`
  }

  readonly connect = async (): Promise<PoolConnection> => {
    if (this.#idle > 0) this.#idle -= 1
    else {
      const { server } = this.#parts
      const isUp = await this.#ask<boolean>(CONNECT_MS, (answer) => answer(server.isUp, null))
      if (!isUp) throw databaseError('', 'connect ECONNREFUSED')
    }
    const query: PoolConnection['query'] = ({ text, query_timeout: withinMs }) =>
      this.#ask<unknown>(withinMs, (answer) => this.#parts.server.take(text, answer))
    return {
      query,
      release: (isBroken = false) => {
        if (!isBroken && this.#idle < MOST_IDLE) this.#idle += 1
      },
    }
  }

  /** Each breaks on its way; what the server has is carried out. */
  cut(): void {
    const { machine } = this.#parts
    this.#idle = 0
    for (const end of this.#underWay)
      machine.wake(machine.life, () => end(databaseError('', 'Connection terminated unexpectedly')))
  }

  #ask<Answer>(
    withinMs: Ms,
    handle: (answer: (result: Answer, error: Error | null) => void) => void,
  ): Promise<Answer> {
    const { machine, network, onSettled } = this.#parts
    const { life } = machine
    return new Promise<Answer>((resolve, reject) => {
      const end = (error: Error): void => {
        if (this.#underWay.delete(end)) reject(error)
        onSettled()
      }
      this.#underWay.add(end)
      network.send(this.#link, () =>
        handle((result, error) =>
          network.send(this.#link, () =>
            machine.wake(life, () => {
              if (error !== null) return end(error)
              if (this.#underWay.delete(end)) resolve(result)
              onSettled()
            }),
          ),
        ),
      )
      machine.later(withinMs, () => {
        if (this.#underWay.has(end)) end(databaseError('', 'Query read timeout'))
      })
    })
  }
}

import { SECOND_MS, type Ms } from '../../../../src/base/time.ts'
import type { OperatorCommand } from '../../../../src/core/engine/model/event.ts'
import { createScheduler } from '../../../world/scheduler.ts'
import { createDice, type Dice } from '../../../world/dice.ts'
import { violated } from '../../../world/step.ts'
import { Counts } from '../../fault-world.ts'
import { Machine } from '../guard/machine.ts'
import { Network } from '../guard/network.ts'
import type { HandOverBug } from './bugs.ts'
import { DatabaseServer } from './connections.ts'
import { DeskDaemon } from './daemon.ts'
import { Database } from './database.ts'
import { DeskVenue } from './venue.ts'
import { HandOverWatch } from './watch.ts'

const MOST_RATE_ERROR = 0.15
const REPLAY_EVERY = 8
/** A supervisor starts again what has ended by itself. */
const RESTARTS_AFTER_MS = [SECOND_MS, 2 * SECOND_MS, 8 * SECOND_MS] as const

export type DayOptions = {
  readonly seed: number
  readonly bug: HandOverBug
  readonly ratesAreOff: boolean
  readonly hasThird: boolean
}

/** The daemons of one position, their database and the venue, in real time and with a clock each. */
export class HandOverDay {
  readonly faults = new Counts()
  readonly names: readonly string[]
  readonly network: Network
  readonly server: DatabaseServer
  readonly venue: DeskVenue
  readonly watch: HandOverWatch
  /** Whether the whole journal is replayed in the end, which costs as much as a quarter of the day. */
  readonly isReplayed: boolean
  /** Events that a replica did not have: the books may not explain what the venue shows. */
  lostEvents = 0
  readonly #scheduler = createScheduler()
  readonly #machines: ReadonlyMap<string, Machine>
  readonly #daemons = new Map<string, DeskDaemon>()
  readonly #bug: HandOverBug
  /** Of the supervisors of the machines. */
  readonly #supervisors: Dice
  readonly #ranSince = new Map<string, Ms>()
  readonly #venueTroubleAt = new Map<string, Ms>()
  #now: Ms = 0
  #hasSettled = false

  constructor({ seed, bug, ratesAreOff, hasThird }: DayOptions) {
    this.#bug = bug
    this.isReplayed = seed % REPLAY_EVERY === 0
    this.#supervisors = createDice(seed, 'handover supervisors')
    const reality = { now: () => this.#now, scheduler: this.#scheduler }
    const clocks = createDice(seed, 'handover clocks')
    const rate = () => (ratesAreOff ? 1 + (2 * clocks.next() - 1) * MOST_RATE_ERROR : 1)
    this.names = hasThird ? ['a', 'b', 'c'] : ['a', 'b']
    this.#machines = new Map(this.names.map((name) => [name, new Machine(name, rate(), reality)]))
    this.network = new Network(reality, createDice(seed, 'handover network'))
    const onLate = (): void => this.faults.add('venue applies late')
    this.venue = new DeskVenue(seed, reality, createDice(seed, 'handover venue'), onLate)
    this.watch = new HandOverWatch({
      reality,
      venue: this.venue,
      daemons: () => this.living(),
      hasRun: ({ name }, ms) => this.#now - (this.#ranSince.get(name) ?? 0) >= ms,
      couldWrite: ({ name }, ms) => this.#now - (this.#venueTroubleAt.get(name) ?? 0) >= ms,
    })
    const database = new Database({
      now: () => this.#now,
      onGrant: (granted) => this.watch.granted(granted),
      onAppend: (n, fence) => this.watch.appended(n, fence),
      appendsUnderAnyNumber: bug.appendsUnderAnyNumber === true,
    })
    this.server = new DatabaseServer(database, reality, createDice(seed, 'handover database'))
    this.names.forEach((name) => this.start(name))
  }

  get now(): Ms {
    return this.#now
  }

  /** Plans something for a moment of real time. */
  at(time: Ms, act: () => void): void {
    this.#scheduler.add(time, act)
  }

  living(): readonly DeskDaemon[] {
    return [...this.#daemons.values()]
  }

  /** Who was granted the position last, while it trades. */
  holder(): DeskDaemon | null {
    const { fence } = this.server.database
    return this.living().find((daemon) => daemon.phase === 'trades' && daemon.fence === fence) ?? null
  }

  holderOrAny(dice: Dice): string {
    return this.holder()?.parts.machine.name ?? dice.pick(this.names)
  }

  standbys(): readonly string[] {
    const holder = this.holder()?.parts.machine.name
    return this.names.filter((name) => name !== holder)
  }

  start(name: string): void {
    const machine = this.#machine(name)
    if (machine.isAlive) return
    machine.start()
    this.#ranSince.set(name, this.#now)
    const { network, server, venue, watch } = this
    const onSettled = (): void => void (this.#hasSettled = true)
    const onEnd = (): void => this.#end(name)
    this.#daemons.set(
      name,
      new DeskDaemon({ machine, network, server, venue, watch, bug: this.#bug, onSettled, onEnd }),
    )
  }

  kill(name: string): void {
    this.#machine(name).kill()
    this.#daemons.delete(name)
  }

  /** SIGSTOP, and SIGCONT after so much real time. */
  pause(name: string, ms: Ms): void {
    this.#machine(name).pause(ms)
    this.#ranSince.set(name, this.#now + ms)
  }

  leave(name: string): void {
    const machine = this.#machine(name)
    const { life } = machine
    machine.wake(life, () => void this.#daemons.get(name)?.leave())
  }

  command(command: OperatorCommand): void {
    const holder = this.holder()
    if (holder === null) return
    const { machine } = holder.parts
    machine.wake(machine.life, () => holder.command(command))
  }

  cutConnections(): void {
    this.server.cutAll()
    for (const { connections } of this.living()) connections.cut()
  }

  failOver(lagMs: Ms): void {
    this.lostEvents += this.server.database.failOver(lagMs)
  }

  /** Everything works from now on, and every daemon runs. */
  heal(): void {
    const { network, server, venue } = this
    network.slowMs = 0
    Object.assign(server, { isUp: true, slowMs: 0 })
    Object.assign(venue, { slowMs: 0, lates: 0 })
    for (const name of this.names) {
      network.mend(`${name}-db`)
      network.mend(`${name}-venue`)
      this.start(name)
    }
  }

  /** Lives until then, or until that has come. */
  async until(end: Ms, isReached: () => boolean = () => false): Promise<void> {
    while (this.#scheduler.nextAt() <= end) {
      this.#now = Math.max(this.#now, this.#scheduler.nextAt())
      this.#scheduler.runNext()
      this.#noteTrouble()
      if (this.#hasSettled) {
        this.#hasSettled = false
        await new Promise<void>((resolve) => void setImmediate(resolve))
      }
      if (this.watch.broken !== null) violated(this.watch.broken)
      if (isReached()) return
    }
    this.#now = end
  }

  #machine(name: string): Machine {
    const machine = this.#machines.get(name)
    if (machine === undefined) throw new Error(`there is no machine ${name}`)
    return machine
  }

  #end(name: string): void {
    this.kill(name)
    this.at(this.#now + this.#supervisors.pick(RESTARTS_AFTER_MS), () => this.start(name))
  }

  #noteTrouble(): void {
    const { network, venue } = this
    const isSlow = network.slowMs > 0 || venue.slowMs > 0 || venue.lates > 0
    for (const name of this.names)
      if (isSlow || network.isCut(`${name}-venue`)) this.#venueTroubleAt.set(name, this.#now)
  }
}

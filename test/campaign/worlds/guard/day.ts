import { MINUTE_MS, type Ms } from '../../../../src/base/time.ts'
import { createScheduler } from '../../../world/scheduler.ts'
import { createDice, type Dice } from '../../../world/dice.ts'
import { violated } from '../../../world/step.ts'
import { Counts, type DayResult } from '../../fault-world.ts'
import type { LeaseBug } from './bugs.ts'
import { LeasedDaemon } from './daemon.ts'
import { SimulatedGuard } from './guard.ts'
import { Machine } from './machine.ts'
import { Network } from './network.ts'
import { QuoteVenue } from './venue.ts'
import { LeaseWatch } from './watch.ts'

const DAEMONS = ['a', 'b'] as const
type DaemonName = (typeof DAEMONS)[number]

const POLL_MS: Ms = 500
const PERSON_LOOKS_MS: Ms = 10 * MINUTE_MS
/** Clocks whose rates differ by less than 20 % are safe. */
const MOST_RATE_ERROR = 0.19
/** Until everything has converged: a latch is lifted, a lease is granted, and a quote is decided and stands. */
const HEAL_MS: Ms = 3 * MINUTE_MS

/** Two daemons of one position, their guard and the venue, in real time and with a clock each. */
export class GuardDay {
  readonly faults = new Counts()
  readonly network: Network
  readonly venue: QuoteVenue
  readonly guardMachine: Machine
  readonly guard: SimulatedGuard
  readonly machines: Readonly<Record<DaemonName, Machine>>
  readonly #scheduler = createScheduler()
  readonly #watch: LeaseWatch
  readonly #bug: LeaseBug
  /** Of what the daemons decide. */
  readonly #decisions: Dice
  readonly #running = new Map<DaemonName, LeasedDaemon>()
  #now: Ms = 0
  #hasSettled = false
  #isOver = false

  constructor(seed: number, bug: LeaseBug, ratesAreOff: boolean) {
    this.#bug = bug
    this.#decisions = createDice(seed, 'guard decisions')
    const reality = { now: () => this.#now, scheduler: this.#scheduler }
    const clocks = createDice(seed, 'guard clocks')
    const rate = () => (ratesAreOff ? 1 + (2 * clocks.next() - 1) * MOST_RATE_ERROR : 1)
    this.machines = {
      a: new Machine('a', rate(), reality),
      b: new Machine('b', rate(), reality),
    }
    this.guardMachine = new Machine('guard', rate(), reality)
    this.network = new Network(reality, createDice(seed, 'guard network'))
    this.venue = new QuoteVenue(reality, createDice(seed, 'guard venue'), () =>
      this.faults.add('venue applies late'),
    )
    this.#watch = new LeaseWatch({
      reality,
      venue: this.venue,
      daemons: () => [...this.#running.values()].filter(({ parts }) => parts.machine.isAlive),
      canGuard: () => this.#canGuard(),
    })
    const onSettled = () => void (this.#hasSettled = true)
    const { guardMachine: machine, network, venue } = this
    this.guard = new SimulatedGuard({ machine, network, venue, watch: this.#watch, bug, onSettled })
    this.startGuard()
    for (const name of DAEMONS) this.startDaemon(name)
    this.#lookOften()
  }

  get now(): Ms {
    return this.#now
  }

  /** Plans something for a moment of real time. */
  at(time: Ms, act: () => void): void {
    this.#scheduler.add(time, act)
  }

  startDaemon(name: DaemonName): void {
    const machine = this.machines[name]
    if (machine.isAlive) return
    machine.start()
    const { network, venue, guard } = this
    const askGuard: LeasedDaemon['parts']['askGuard'] = (...asked) => guard.renew(...asked)
    const parts = {
      machine,
      network,
      venue,
      watch: this.#watch,
      dice: this.#decisions,
      bug: this.#bug,
      askGuard,
    }
    this.#running.set(name, new LeasedDaemon(parts))
  }

  startGuard(): void {
    if (!this.guardMachine.isAlive) this.guard.start()
  }

  daemon(name: DaemonName): LeasedDaemon | null {
    return this.machines[name].isAlive ? (this.#running.get(name) ?? null) : null
  }

  /** Lives until then; the machines of the guard go on in between by their promises. */
  async until(end: Ms): Promise<void> {
    while (this.#scheduler.nextAt() <= end) {
      this.#now = Math.max(this.#now, this.#scheduler.nextAt())
      this.#scheduler.runNext()
      if (this.#hasSettled) {
        this.#hasSettled = false
        await new Promise<void>((resolve) => void setImmediate(resolve))
      }
      if (this.#watch.broken !== null) violated(this.#watch.broken)
    }
    this.#now = end
  }

  /** Heals everything and demands that one holds the lease and that its quote stands. */
  async converge(): Promise<DayResult['seen']> {
    this.#isOver = true
    const { venue, network } = this
    Object.assign(venue, { errors: 0, lates: 0 })
    network.slowMs = 0
    for (const link of ['a-guard', 'b-guard', 'a-venue', 'b-venue', 'guard-venue'] as const)
      network.mend(link)
    this.startGuard()
    for (const name of DAEMONS) {
      this.startDaemon(name)
      const daemon = this.daemon(name)
      if (daemon !== null) daemon.isHung = false
    }
    // Anyone who is paused wakes up before the time begins.
    await this.until(this.#now + MINUTE_MS)
    this.#help()
    await this.until(this.#now + HEAL_MS)
    this.#help()
    await this.until(this.#now + HEAL_MS)
    this.#mustHaveConverged()
    const { writesOfDaemons, writesOfGuard, grants, longestUnsafeMs } = this.#watch
    return {
      'writes of daemons': writesOfDaemons,
      'writes of the guard': writesOfGuard,
      'leases granted': grants,
      'firings of the guard': this.guard.firings,
      'longest until safe, ms': Math.round(longestUnsafeMs),
    }
  }

  #mustHaveConverged(): void {
    const { venue, guard } = this
    const holders = DAEMONS.flatMap((name) => this.daemon(name) ?? []).filter(
      (daemon) => daemon.standing() === 'held',
    )
    const [holder] = holders
    if (holder === undefined)
      violated(`healed, no one holds the lease: ${guard.status()?.latched ?? 'and no latch names why'}`)
    if (holders.length > 1) violated('healed, two hold a lease')
    if (guard.holder !== holder.holder) violated('healed, the guard calls another one the holder')
    if (!venue.isActive) violated('healed, the position is out of the market')
    if (!venue.holds(holder.wanted) && !venue.holds(holder.before)) {
      const { bidBps, askBps } = venue.quote
      violated(
        `healed, ${bidBps}/${askBps} bps of ${venue.changedBy} stand, which no one who holds the lease has decided`,
      )
    }
  }

  #canGuard(): boolean {
    const { venue, network, guard } = this
    const isReached = !network.isCut('guard-venue') && network.slowMs === 0
    const status = guard.status()
    return (
      isReached && venue.errors === 0 && venue.lates === 0 && status !== null && status.state !== 'unwatched'
    )
  }

  #lookOften(): void {
    this.#watch.look()
    if (this.#now % PERSON_LOOKS_MS < POLL_MS && !this.#isOver) this.#help()
    this.#scheduler.add(this.#now + POLL_MS, () => this.#lookOften())
  }

  /** A person lifts a latch, and activates what the guard has taken out once it no longer acts. */
  #help(): void {
    const status = this.guard.status()
    if (status === null) return
    if (status.latched !== null) this.guard.release()
    if (!this.venue.isActive && status.state === 'held')
      this.venue.execute({ by: 'a person', isActive: true })
  }
}

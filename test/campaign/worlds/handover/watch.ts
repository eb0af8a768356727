import type { Ms } from '../../../../src/base/time.ts'
import type { VenueCall } from '../../../../src/venue/call.ts'
import { HOLD_TERMS } from '../../../../src/store/postgres/terms.ts'
import type { Machine, Reality } from '../guard/machine.ts'
import type { DeskDaemon } from './daemon.ts'
import type { DeskVenue, VenueClientParts } from './venue.ts'

export type HandOverWatchParts = {
  readonly reality: Reality
  readonly venue: DeskVenue
  /** Every daemon whose process lives. */
  readonly daemons: () => readonly DeskDaemon[]
  /** Whether this machine has run, and reached the venue in time, for so long. */
  readonly couldWrite: (machine: Machine, ms: Ms) => boolean
  readonly hasRun: (machine: Machine, ms: Ms) => boolean
}

type Write = {
  readonly daemon: DeskDaemon
  readonly life: number
  readonly fence: number
  readonly until: Ms
  /** Its client has its answer, or has reset it. */
  hasEnded: boolean
}

/** Sees everything in real time: who may write, who does, what lands after what, and what is sent twice. */
export class HandOverWatch {
  writes = 0
  grants = 0
  appends = 0
  /** Writes that were carried out after one of the next holder: of a process that was dead or stopped, or kept by the venue. */
  zombies = 0
  /** What does not hold, once it was seen. */
  broken: string | null = null
  readonly #parts: HandOverWatchParts
  readonly #open = new Set<Write>()
  readonly #withdrawn = new Set<string>()
  #activatedBy: DeskDaemon | null = null
  /** A person has asked for an activation that no one has sent yet: anyone who holds the position next has the order in its journal. */
  #isAsked = false
  /** The number under which the latest write to the quote was sent that has landed. */
  #landed = 0
  #granted = 0

  constructor(parts: HandOverWatchParts) {
    this.#parts = parts
  }

  /** For one process: called as the bytes of a write leave. */
  writesOf(daemon: DeskDaemon): VenueClientParts['onWrite'] {
    return (call, timeoutMs) => {
      this.writes += 1
      if (call.path.endsWith('/withdraw')) this.#withdraws(call)
      if (call.path.endsWith('/activate')) this.#activates(daemon, call)
      if (!call.path.endsWith('/spread')) return { landed: () => undefined, ended: () => undefined }
      return this.#quotes(daemon, timeoutMs)
    }
  }

  /** A number is given out, in the transaction that gives it. */
  granted({
    n,
    before,
    holder,
  }: {
    readonly n: number
    readonly before: number
    readonly holder: string
  }): void {
    this.grants += 1
    this.#granted = n
    for (const daemon of this.#parts.daemons()) {
      if (daemon.holder === holder) continue
      const { name } = daemon.parts.machine
      if (daemon.mayWrite())
        this.#violated(
          `two may write at once: ${holder} is granted ${numberOf(n)} while ${name} holds ${numberOf(daemon.fence)}`,
        )
      if (daemon.fence === before && before > 0) this.#mustHaveEnded(daemon)
    }
    const now = this.#parts.reality.now()
    for (const write of this.#open)
      if (isUnderWay(write, now) && write.daemon.holder !== holder)
        this.#violated(
          `two may write at once: ${holder} is granted ${numberOf(n)} while a write of ${write.daemon.holder} is under way`,
        )
  }

  /** Rows of the journal are written by who was granted `n`, where `fence` is in force. */
  appended(n: number, fence: number): void {
    this.appends += 1
    if (n !== fence)
      this.#violated(`events are journalled under ${numberOf(n)} after ${numberOf(fence)} was granted`)
  }

  #quotes(daemon: DeskDaemon, timeoutMs: Ms): ReturnType<VenueClientParts['onWrite']> {
    const { reality, daemons } = this.#parts
    const { machine } = daemon.parts
    const { fence } = daemon
    const now = reality.now()
    for (const write of this.#open)
      if (write.daemon !== daemon && isUnderWay(write, now))
        this.#violated(
          `two may write at once: ${daemon.holder} begins while a write of ${write.daemon.holder} is under way`,
        )
    for (const other of daemons())
      if (other !== daemon && other.mayWrite())
        this.#violated(`two may write at once: ${daemon.holder} begins while ${other.holder} may`)
    const write: Write = {
      daemon,
      life: machine.life,
      fence,
      until: now + machine.realMs(timeoutMs),
      hasEnded: false,
    }
    this.#open.add(write)
    return {
      landed: (isLate) => this.#lands(write, isLate),
      ended: () => {
        write.hasEnded = true
        this.#open.delete(write)
      },
    }
  }

  #lands(write: Write, isLate: boolean): void {
    const { fence, until } = write
    if (fence >= this.#landed) this.#landed = fence
    else {
      // A kernel sends what a process gave it that has died since, or was stopped before it could reset it.
      const now = this.#parts.reality.now()
      const isOfTheDead = !isOfLiving(write) || (now > until && !write.hasEnded)
      if (isLate || isOfTheDead) this.zombies += 1
      else this.#violated(`a write under ${numberOf(fence)} lands after one under ${numberOf(this.#landed)}`)
    }
  }

  #withdraws({ body }: VenueCall<unknown>): void {
    const key = JSON.stringify(body)
    if (this.#withdrawn.has(key)) this.#violated(`a withdrawal was sent again: ${key}`)
    this.#withdrawn.add(key)
  }

  /** A person asks anyone who holds the position to enter the market. */
  asked(): void {
    this.#isAsked = true
  }

  /** Who takes over may not begin what the venue is still doing for the one before; what a person asks of it is another matter. */
  #activates(daemon: DeskDaemon, { body }: VenueCall<unknown>): void {
    if (!(body as { readonly isActive: boolean }).isActive) return
    const before = this.#activatedBy
    const { isActivating } = this.#parts.venue.model.state
    if (isActivating && before !== null && before !== daemon && !daemon.wasTold && !this.#isAsked)
      this.#violated(
        `an activation was sent again: ${daemon.holder} sends one while that of ${before.holder} is under way`,
      )
    this.#activatedBy = daemon
    this.#isAsked = false
  }

  /** A daemon that lives has lost the database before another one may begin. */
  #mustHaveEnded(daemon: DeskDaemon): void {
    const { hasRun } = this.#parts
    const { machine } = daemon.parts
    // Who was released need not have lost anything; who still reads its journal has sent nothing, and finds the loss after it.
    if (daemon.phase === 'left' || daemon.desk === null || !hasRun(machine, HOLD_TERMS.waitMs)) return
    if (daemon.phase === 'trades')
      this.#violated(
        `another one may begin while ${daemon.holder}, which has lost the database, has not ended`,
      )
  }

  /** A process that has lost the database ends. */
  ended(daemon: DeskDaemon): void {
    const { hasRun, couldWrite, venue } = this.#parts
    const { machine } = daemon.parts
    const { waitMs } = HOLD_TERMS
    const couldWiden = hasRun(machine, waitMs) && couldWrite(machine, waitMs)
    if (daemon.isWidened === false && couldWiden && !venue.isSafe())
      this.#violated(`${daemon.holder} has lost the database, and has not sent the safe quote before its end`)
  }

  /** A process has left in order and is about to let go; `isSafe`: the venue has confirmed the safe quote. */
  left(daemon: DeskDaemon, isSafe: boolean): void {
    const { hasRun, couldWrite, venue } = this.#parts
    const { machine } = daemon.parts
    const { waitMs } = HOLD_TERMS
    const couldWiden = daemon.mayWrite() && hasRun(machine, waitMs) && couldWrite(machine, waitMs)
    if (isSafe || this.#granted > daemon.fence || !couldWiden || venue.isSafe()) return
    this.#violated(
      `${daemon.holder} has left, no one has taken the position, and its quote stands though it is not safe`,
    )
  }

  #violated(sentence: string): void {
    this.broken ??= sentence
  }
}

function isOfLiving({ daemon, life }: Write): boolean {
  const { machine } = daemon.parts
  return machine.isAlive && machine.life === life
}

function isUnderWay(write: Write, now: Ms): boolean {
  return isOfLiving(write) && write.until > now
}

/** As people read it: the timeline, and the number within it. */
function numberOf(n: number): string {
  return `${Math.floor(n / 2 ** 32)}.${n % 2 ** 32}`
}

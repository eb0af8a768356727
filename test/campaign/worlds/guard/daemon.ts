import type { Ms } from '../../../../src/base/time.ts'
import type { PositionAnswer, PositionRenewal } from '../../../../src/daemon/guard/protocol/renewal.ts'
import {
  elapsedMs,
  mayStartWrite,
  type Moment,
  type HoldState,
  standingOf,
} from '../../../../src/core/lease/holder.ts'
import { DEFAULT_TERMS } from '../../../../src/core/lease/terms.ts'
import type { Dice } from '../../../world/dice.ts'
import type { LeaseBug } from './bugs.ts'
import type { Machine } from './machine.ts'
import { exchange, type LinkName, type Network } from './network.ts'
import { type Quote, type QuoteVenue, SAFE_QUOTE } from './venue.ts'
import type { LeaseWatch } from './watch.ts'

export type DaemonParts = {
  readonly machine: Machine
  readonly network: Network
  readonly venue: QuoteVenue
  readonly watch: LeaseWatch
  readonly dice: Dice
  readonly bug: LeaseBug
  /** The guard's end of a renewal; null = it does not answer. */
  readonly askGuard: (renewal: PositionRenewal, holder: string, deadlineMs: Ms) => PositionAnswer | null
}

const TERMS = DEFAULT_TERMS
const COUNT_MS: Ms = 200
const POLL_MS: Ms = 5_000
const READ_TIMEOUT_MS: Ms = 1_000
const DECIDE_MS = [500, 8_000] as const

/** One process of a daemon: renews, decides, writes while it holds, reads back, and is safe when its guard is silent. */
export class LeasedDaemon {
  /** What it wants standing at the venue. */
  wanted: Quote = SAFE_QUOTE
  /** What it wanted before that: it stands until the write has arrived. */
  before: Quote = SAFE_QUOTE
  /** Its loop hangs: nothing is decided, and nothing vouched for. */
  isHung = false
  fence: number | null = null
  readonly holder: string
  readonly parts: DaemonParts
  #renewedAt: Moment | null = null
  #count = 1
  #isWriting = false
  #isReconciled = false
  #isLeaving = false
  /** The venue answered to have it; null = not known. */
  #confirmed: Quote | null = null

  constructor(parts: DaemonParts) {
    this.parts = parts
    const { machine } = parts
    this.holder = `${machine.name}${machine.life}`.padEnd(32, '0')
    machine.later(0, () => this.#renew())
    machine.later(0, () => this.#look())
    machine.later(0, () => this.#decide())
    machine.later(COUNT_MS, () => this.#tick())
  }

  standing(): HoldState {
    if (this.fence === null || this.#renewedAt === null) return 'lapsed'
    return standingOf(TERMS, elapsedMs(this.#renewedAt, this.parts.machine.moment()))
  }

  /** To be asked just before the bytes leave. */
  mayWrite(): boolean {
    if (this.fence === null || this.#renewedAt === null) return false
    if (this.parts.bug.ignoresDeadline === true) return true
    return mayStartWrite(TERMS, elapsedMs(this.#renewedAt, this.parts.machine.moment()))
  }

  /** SIGTERM: the safe quote first, then the lease is given up. */
  leave(onLeft: () => void): void {
    const { machine } = this.parts
    this.#isLeaving = true
    this.wanted = SAFE_QUOTE
    this.#write()
    machine.later(2 * TERMS.writeTimeoutMs, () => {
      const isSettled = this.#confirmed === SAFE_QUOTE
      // From here on nothing leaves: the next holder may write as soon as the guard knows of it.
      this.#lose()
      if (isSettled) this.#ask(true, () => undefined)
      machine.later(TERMS.roundTripMs, onLeft)
    })
  }

  #tick(): void {
    if (!this.isHung) this.#count += 1
    const standing = this.standing()
    if (standing === 'lapsed' && this.fence !== null) this.#lose()
    // The last write before the deadline is the safe quote.
    if (standing === 'closing' && !this.isHung) {
      this.wanted = SAFE_QUOTE
      this.#write()
    }
    this.parts.machine.later(COUNT_MS, () => this.#tick())
  }

  #renew(): void {
    const { machine, watch } = this.parts
    const sentAt = machine.moment()
    this.#ask(false, (answer) => {
      if (answer === null || answer.fence === null) return
      if (answer.fence !== this.fence) {
        this.#confirmed = null
        watch.granted(this, answer)
      }
      this.fence = answer.fence
      this.#renewedAt = sentAt
    })
    if (!this.#isLeaving) machine.later(TERMS.renewMs, () => this.#renew())
  }

  #ask(isLeaving: boolean, done: (answer: PositionAnswer | null) => void): void {
    const { machine, network, venue, askGuard, bug } = this.parts
    const renewal: PositionRenewal = {
      name: 'position',
      count: this.#count,
      fence: this.fence,
      quote: null,
      isActive: venue.isActive,
      worse: 'bid',
      isReconciled: bug.neverReconciles !== true && this.#isReconciled,
      isLeaving,
    }
    exchange(network, {
      from: machine,
      link: `${machine.name}-guard`,
      handle: () => askGuard(renewal, this.holder, bug.guardWaitsMs === undefined ? TERMS.deadlineMs : 1),
      timeoutMs: TERMS.roundTripMs,
      done,
    })
  }

  /** What was reconciled before counts no more. */
  #lose(): void {
    if (this.parts.bug.ignoresDeadline === true) return
    this.fence = null
    this.#isReconciled = false
    this.#confirmed = null
  }

  #decide(): void {
    const { machine, dice } = this.parts
    if (!this.isHung && !this.#isLeaving && this.standing() === 'held') {
      const [bidBps, askBps] = [dice.between(20, 200), dice.between(20, 200)]
      this.before = this.wanted
      this.wanted = { bidBps, askBps, quoteBid: true, quoteAsk: true }
      this.#write()
    }
    machine.later(dice.between(...DECIDE_MS), () => this.#decide())
  }

  #write(): void {
    const { machine, network, venue, watch } = this.parts
    if (this.#isWriting || this.#confirmed === this.wanted || !this.mayWrite()) return
    const quote = this.wanted
    if (this.parts.bug.believesUnsent === true) {
      this.#confirmed = quote
      return
    }
    this.#isWriting = true
    const ended = watch.writes({
      by: machine.name,
      machine,
      fence: this.fence,
      timeoutMs: TERMS.writeTimeoutMs,
    })
    exchange(network, {
      from: machine,
      link: this.#toVenue(),
      handle: () => venue.write({ by: machine.name, quote }),
      timeoutMs: TERMS.writeTimeoutMs,
      done: (answer) => {
        ended()
        this.#isWriting = false
        this.#confirmed = answer === 'ok' ? quote : null
        // A quote that was decided meanwhile, or one that may not have arrived, is written again.
        if (this.wanted !== quote || answer !== 'ok') machine.later(COUNT_MS, () => this.#write())
      },
    })
  }

  /** Reads its own quote back, as the daemon does: what differs is written again. */
  #look(): void {
    const { machine, network, venue, bug } = this.parts
    machine.later(POLL_MS, () => this.#look())
    const asked = this.#confirmed
    exchange(network, {
      from: machine,
      link: this.#toVenue(),
      handle: () => venue.read(),
      timeoutMs: READ_TIMEOUT_MS,
      done: (answer) => {
        if (answer === null || answer === 'error' || this.isHung) return
        this.#isReconciled = true
        if (bug.believesUnsent === true || asked === null || asked !== this.#confirmed) return
        const { quote } = answer
        if (
          quote.bidBps === asked.bidBps &&
          quote.askBps === asked.askBps &&
          quote.quoteBid &&
          quote.quoteAsk
        )
          return
        this.#confirmed = null
        this.#write()
      },
    })
  }

  #toVenue(): LinkName {
    return `${this.parts.machine.name}-venue`
  }
}

import type { Ms } from '../../../../src/base/time.ts'
import type { PositionAnswer } from '../../../../src/daemon/guard/protocol/renewal.ts'
import type { LeasedDaemon } from './daemon.ts'
import type { Machine, Reality } from './machine.ts'
import type { QuoteVenue } from './venue.ts'

export type WriteStart = {
  readonly by: string
  readonly machine: Machine
  /** Null = the guard's own. */
  readonly fence: number | null
  readonly timeoutMs: Ms
}

/** From a death, or from the moment when the guard can see and act again, to a safe quote. */
const SAFE_WITHIN_MS: Ms = 10_000
/** Where something else than the guard has written since: until the next read-back at the latest. */
const READ_BACK_WITHIN_MS: Ms = 90_000

export type LeaseWatchParts = {
  readonly reality: Reality
  readonly venue: QuoteVenue
  /** Every daemon whose process lives. */
  readonly daemons: () => readonly LeasedDaemon[]
  /** Whether the guard lives, runs, reaches a venue that answers, and watches a lease. */
  readonly canGuard: () => boolean
}

/** Sees everything in real time: who may write, who does, and for how long the quote of no one stands. */
export class LeaseWatch {
  writesOfDaemons = 0
  writesOfGuard = 0
  grants = 0
  /** The longest that a quote stood that was not safe while no one held the lease and the guard could act. */
  longestUnsafeMs: Ms = 0
  readonly #parts: LeaseWatchParts
  readonly #open = new Map<string, { readonly fence: number | null; readonly until: Ms }>()
  /** What does not hold, once it was seen: some of it is seen inside a promise of the guard. */
  broken: string | null = null
  #highest = 0
  /** When someone held the lease last, or the guard could not act. */
  #aloneSince: Ms = 0

  constructor(parts: LeaseWatchParts) {
    this.#parts = parts
  }

  granted(_daemon: LeasedDaemon, { fence }: PositionAnswer): void {
    if (fence === null) return
    if (fence > this.#highest) this.grants += 1
    this.#highest = Math.max(this.#highest, fence)
  }

  /** Bytes of a write leave now; the returned function is called when it has ended. */
  writes({ by, machine, fence, timeoutMs }: WriteStart): () => void {
    const { reality, daemons } = this.#parts
    const now = reality.now()
    if (fence === null) this.writesOfGuard += 1
    else this.writesOfDaemons += 1
    for (const [other, { until }] of this.#open)
      if (other !== by && until > now)
        this.#violated(`two may write at once: ${by} begins while a write of ${other} is under way`)
    for (const daemon of daemons())
      if (daemon.parts.machine !== machine && daemon.mayWrite())
        this.#violated(
          `two may write at once: ${by} begins while ${daemon.parts.machine.name} holds lease ${daemon.fence}`,
        )
    if (fence !== null && fence < this.#highest)
      this.#violated(`${by} writes under lease ${fence} after lease ${this.#highest} was granted`)
    const open = { fence, until: now + machine.realMs(timeoutMs) }
    this.#open.set(by, open)
    return () => {
      if (this.#open.get(by) === open) this.#open.delete(by)
    }
  }

  /** A number that is given out. */
  gaveOut(fence: number, isNew: boolean): void {
    if (isNew && fence <= this.#highest)
      this.#violated(`lease ${fence} is granted after lease ${this.#highest}`)
  }

  #violated(sentence: string): void {
    this.broken ??= sentence
  }

  /** To be called several times a second. */
  look(): void {
    const { reality, venue, daemons, canGuard } = this.#parts
    const now = reality.now()
    const isHeld = daemons().some((daemon) => daemon.standing() !== 'lapsed')
    if (isHeld || !canGuard()) this.#aloneSince = now
    if (venue.isSafe()) return
    // What landed after everybody had let go is found by the next read-back.
    const isLate = venue.unsafeAt > this.#aloneSince
    const passed = now - Math.max(venue.unsafeAt, this.#aloneSince)
    if (!isLate) this.longestUnsafeMs = Math.max(this.longestUnsafeMs, passed)
    if (passed <= (isLate ? READ_BACK_WITHIN_MS : SAFE_WITHIN_MS)) return
    const { bidBps, askBps } = venue.quote
    this.#violated(
      `the quote of ${venue.changedBy}, ${bidBps}/${askBps} bps, is not safe after ${Math.round(passed)} ms without a holder`,
    )
  }
}

import type { Ms } from '../../../base/time.ts'
import type { Rate } from '../../../base/money/rate.ts'
import { inOrder, type MarkoutHorizons } from '../../../core/models/markouts/horizons.ts'
import type { Trade } from './trade.ts'

type Waiting = {
  readonly fill: Omit<Trade, 'markoutsBps'>
  readonly markoutsBps: (number | null)[]
  /** Rate updates before it, and whether the fair value had moved within the day by then. */
  readonly updates: number
  readonly isFed: boolean
}

/** `next` is the index of the first fill that has not passed this horizon. */
type Horizon = {
  readonly index: number
  readonly isDue: (fill: Waiting) => boolean
  readonly isKnown: (fill: Waiting) => boolean
  next: number
}

/** Bounds memory on a tape without rate updates, where fills never complete. */
const MOST_WAITING = 100_000

/**
 * Fills that wait for their markouts, oldest first. Markout of one fill: m(h) = 1e4 (dN + dU M_h) / (|dU| M) with M the
 * fair value after all rows of the moment, at rate updates and after fixed times (quant.md section 3). Markouts after
 * fixed times need a fair value that moved without a rate update before the fill: against the venue's own mid they
 * would only return the spread.
 */
export class WaitingMarkouts {
  readonly #give: (trade: Trade) => void
  readonly #mostWaiting: number
  readonly #queue: Waiting[] = []
  readonly #atUpdates: readonly Horizon[]
  readonly #atTimes: readonly Horizon[]
  #t: Ms = Number.NEGATIVE_INFINITY
  #fair = Number.NaN
  #updates = 0
  /** The mid changed at this moment, and more rows of the moment may follow. */
  #hasUpdate = false
  #isFed = false
  #given = 0
  #cut = 0

  constructor(
    { afterUpdates, afterMs }: MarkoutHorizons,
    give: (trade: Trade) => void,
    mostWaiting = MOST_WAITING,
  ) {
    this.#give = give
    this.#mostWaiting = mostWaiting
    const updates = inOrder([0, ...afterUpdates])
    this.#atUpdates = updates.map((later, index): Horizon => ({
      index,
      isDue: (one) => one.updates + later < this.#updates,
      isKnown: () => true,
      next: 0,
    }))
    this.#atTimes = inOrder(afterMs).map((after, index): Horizon => ({
      index: updates.length + index,
      isDue: (one) => one.fill.t + after < this.#t,
      isKnown: ({ isFed }) => isFed,
      next: 0,
    }))
  }

  open(t: Ms, fair: Rate): void {
    this.#t = t
    this.#fair = Number(fair)
  }

  add(fill: Omit<Trade, 'markoutsBps'>): void {
    this.#reach(fill.t)
    this.#settle()
    const markoutsBps = [...this.#atUpdates, ...this.#atTimes].map(() => null)
    this.#queue.push({ fill, markoutsBps, updates: this.#updates, isFed: this.#isFed })
    if (this.#queue.length <= this.#mostWaiting) return
    this.#cut += 1
    this.#handOn(1)
  }

  /** The fair value moved; `print` = the venue published a new mid. */
  mark(t: Ms, fair: Rate, print: boolean): void {
    this.#reach(t)
    const value = Number(fair)
    if (print) this.#hasUpdate = true
    else if (value !== this.#fair) this.#isFed = true
    this.#fair = value
  }

  /** The source of the fair value changes: pending markouts at rate updates stay null. */
  restate(t: Ms, fair: Rate): void {
    this.#reach(t)
    this.#settle()
    for (const horizon of this.#atUpdates) horizon.next = this.#given + this.#queue.length
    this.#fair = Number(fair)
    this.#isFed = true
  }

  /** Meets horizons that end with the run; later markouts stay null. */
  end(t: Ms): void {
    this.#reach(t)
    this.#settle()
    this.#t = t + 1
    this.#meet(this.#atTimes)
    this.#handOn(this.#queue.length)
  }

  /** Fills emitted before all of their horizons had passed, because too many waited. */
  cutShort(): number {
    return this.#cut
  }

  #reach(t: Ms): void {
    if (t <= this.#t) return
    this.#settle()
    this.#t = t
    this.#meet(this.#atTimes)
    const done = Math.min(...[...this.#atUpdates, ...this.#atTimes].map(({ next }) => next)) - this.#given
    if (done > 0) this.#handOn(done)
  }

  /** Called after all rows of a moment with a rate update. */
  #settle(): void {
    if (!this.#hasUpdate) return
    this.#hasUpdate = false
    this.#updates += 1
    this.#meet(this.#atUpdates)
  }

  #meet(due: readonly Horizon[]): void {
    for (const horizon of due) {
      for (; horizon.next < this.#given + this.#queue.length; horizon.next++) {
        const one = this.#queue[horizon.next - this.#given]!
        if (!horizon.isDue(one)) break
        if (horizon.isKnown(one)) one.markoutsBps[horizon.index] = markoutBps(one.fill, this.#fair)
      }
    }
  }

  #handOn(count: number): void {
    for (const { fill, markoutsBps } of this.#queue.splice(0, count)) this.#give({ ...fill, markoutsBps })
    this.#given += count
    for (const horizon of [...this.#atUpdates, ...this.#atTimes])
      horizon.next = Math.max(horizon.next, this.#given)
  }
}

/** `fair` in TZS per USD at 18 decimals. */
function markoutBps({ dollars18, shillings, fair: atFill }: Waiting['fill'], fair: number): number | null {
  const dollars = Number(dollars18) / 1e18
  const weight = (Math.abs(dollars) * Number(atFill)) / 1e18
  return weight > 0 ? (1e4 * (Number(shillings) / 1e18 + (dollars * fair) / 1e18)) / weight : null
}

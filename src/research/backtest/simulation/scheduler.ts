import { DAY_MS, type Ms } from '../../../base/time.ts'
import { postOpening, postTransfer } from '../../../core/ledger/book/post-transfer.ts'
import { ASSETS, type Amounts, toBook } from '../../../base/money/asset.ts'
import type { EngineDriver } from './engine-driver.ts'
import type { Taker } from '../fill-models/fill-model.ts'
import { matchTaker } from './match-taker.ts'
import type { SimulatedRefills } from '../venue/refills.ts'
import type { RunState } from './state.ts'

/** Runs what happens between the rows of a tape: the core's events, drawn takers, refills and day ends. */
export class Scheduler {
  readonly #run: RunState
  readonly #loop: EngineDriver
  #dayEndsAt: Ms = Infinity
  #takers: Iterator<Taker, undefined> | null = null
  #nextTaker: Taker | undefined

  constructor(run: RunState, loop: EngineDriver) {
    this.#run = run
    this.#loop = loop
  }

  /** Opens the position and starts the daemon, once there is a mid to value it with. */
  openWith(t: Ms, opening: Readonly<Partial<Amounts>> | null): void {
    const { venue, book, parts } = this.#run
    if (this.#run.startedAt !== null || venue.mid === 0n || opening === null) return
    this.#run.startedAt = t
    for (const asset of ASSETS) venue.pool[asset] = opening[asset] ?? 0n
    postOpening(book, t, venue.pool, 'pool', venue.fair)
    this.#run.refills?.open(venue.pool)
    parts.recorder.open(t, venue.pool, venue.mid, venue.fair)
    this.#takers = parts.fills.takers?.(t) ?? null
    this.#nextTaker = this.#takers?.next().value
    this.#dayEndsAt = (Math.floor(t / DAY_MS) + 1) * DAY_MS
    this.#loop.start(t)
  }

  /** Runs everything before `t`, where a row changes the venue. Midnight belongs to the new day. */
  runBefore(t: Ms): void {
    while (this.stepBefore(t));
    this.#loop.askBefore(t)
  }

  /** Runs only what is due first, and sends no poll that is answered later. False = nothing is due before `t`. */
  stepBefore(t: Ms): boolean {
    const at = this.#nextAt()
    const isDue = at < t || (at === t && at === this.#dayEndsAt)
    if (isDue) this.#step(at)
    return isDue
  }

  /** Runs everything up to and including `t`. */
  runUntil(t: Ms): void {
    for (let at = this.#nextAt(); at <= t; at = this.#nextAt()) this.#step(at)
  }

  /** Returns until when, inclusive, only the core's events happen. */
  quietUntil(): Ms {
    const refillAt = this.#run.refills?.nextAt() ?? Infinity
    return Math.min(this.#nextTaker?.t ?? Infinity, refillAt, this.#dayEndsAt - 1)
  }

  #nextAt(): Ms {
    const taker = this.#nextTaker
    const { refills } = this.#run
    const ownAt = Math.min(this.#loop.nextAt(), this.#dayEndsAt)
    const at = refills === null ? ownAt : Math.min(ownAt, refills.nextAt())
    return taker !== undefined && taker.t < at ? taker.t : at
  }

  #step(at: Ms): void {
    const taker = this.#nextTaker
    if (at === this.#dayEndsAt) {
      this.#run.parts.recorder.day(at, this.#run.book)
      this.#dayEndsAt += DAY_MS
    } else if (this.#run.refills?.nextAt() === at) this.#refill(at, this.#run.refills)
    else if (taker !== undefined && taker.t === at) {
      this.#loop.askBefore(at)
      if (this.#run.venue.quotable !== false && matchTaker(this.#run, taker, null))
        this.#loop.news('fills', at)
      this.#nextTaker = this.#takers?.next().value
    } else this.#loop.step()
  }

  /** Ends a refill: the tokens are in the pool at once, and the core learns of them as a treasury top-up. */
  #refill(t: Ms, refills: SimulatedRefills): void {
    const { venue, book, digest } = this.#run
    const arrived = refills.end(venue.fair)
    if (arrived !== null) {
      const { asset, amount, key } = arrived
      const units = toBook(amount, asset)
      venue.pool[asset] += units
      postTransfer(book, t, 'deposit', asset, units, 'pool', key, venue.fair)
      digest.refill(t, asset, amount)
      this.#loop.topUp(t, asset, amount, key)
    }
    refills.look(t, venue.pool)
  }
}

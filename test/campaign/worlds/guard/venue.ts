import type { Ms } from '../../../../src/base/time.ts'
import type { Dice } from '../../../world/dice.ts'
import type { Reality } from './machine.ts'

export const SAFE_BPS = 500

export type Quote = {
  readonly bidBps: number
  readonly askBps: number
  readonly quoteBid: boolean
  readonly quoteAsk: boolean
}

export const SAFE_QUOTE: Quote = { bidBps: SAFE_BPS, askBps: SAFE_BPS, quoteBid: true, quoteAsk: true }

export type VenueWrite =
  | { readonly by: string; readonly quote: Quote }
  | { readonly by: string; readonly isActive: boolean }

/** A venue that cannot be fenced: it takes every write that arrives, no matter who sent it and whenever. */
export class QuoteVenue {
  quote: Quote = SAFE_QUOTE
  isActive = true
  /** The chance that a request is answered by an error and does nothing. */
  errors = 0
  /** The chance that a write is answered at once and carried out late, and how late in the mean. */
  lates = 0
  lateMs: Ms = 0
  changedBy = 'nobody'
  /** When the quote that stands, which is not the safe one, was taken. */
  unsafeAt: Ms = 0
  readonly #reality: Reality
  readonly #dice: Dice
  readonly #onLate: () => void

  constructor(reality: Reality, dice: Dice, onLate: () => void) {
    this.#reality = reality
    this.#dice = dice
    this.#onLate = onLate
  }

  isSafe(): boolean {
    const { bidBps, askBps, quoteBid, quoteAsk } = this.quote
    return !this.isActive || ((!quoteBid || bidBps === SAFE_BPS) && (!quoteAsk || askBps === SAFE_BPS))
  }

  holds({ bidBps, askBps, quoteBid, quoteAsk }: Quote): boolean {
    const { quote } = this
    return (
      quote.bidBps === bidBps &&
      quote.askBps === askBps &&
      quote.quoteBid === quoteBid &&
      quote.quoteAsk === quoteAsk
    )
  }

  /** What is answered to a write: whether it was taken. */
  write(write: VenueWrite): 'ok' | 'error' {
    if (this.errors > 0 && this.#dice.happens(this.errors)) return 'error'
    if (this.lates > 0 && this.#dice.happens(this.lates)) {
      this.#onLate()
      this.#reality.scheduler.add(this.#reality.now() + this.#dice.exponential(this.lateMs), () =>
        this.execute(write),
      )
    } else this.execute(write)
    return 'ok'
  }

  execute(write: VenueWrite): void {
    if ('quote' in write) this.quote = write.quote
    else this.isActive = write.isActive
    this.changedBy = write.by
    if (!this.isSafe()) this.unsafeAt = this.#reality.now()
  }

  read(): { readonly quote: Quote; readonly isActive: boolean } | 'error' {
    if (this.errors > 0 && this.#dice.happens(this.errors)) return 'error'
    return { quote: this.quote, isActive: this.isActive }
  }
}

import type { Ms } from '../../../base/time.ts'
import { type AnswerStretch, MidPlaces } from '../../../core/engine/answer-stretch.ts'
import { markToMarket } from '../../../core/ledger/book/book.ts'
import type { PacingState } from '../../../core/pacing/state.ts'
import type { RateColumns } from '../../../store/tape/model/batch.ts'
import { bestBps } from '../venue/venue.ts'
import type { AbsorbingCore } from './absorbing-core.ts'
import {
  departPoll,
  endPoll,
  markChanged,
  pollAnswer,
  type SimulatedPoll,
  type SimulatedPollKind,
} from './polls.ts'
import type { RunState } from './state.ts'

type Polls = Record<SimulatedPollKind, SimulatedPoll>

/** A poll, and what the venue showed when it was sent: the place of the mid, and its date; NaN = not dated. */
type Look = { readonly poll: SimulatedPoll; mid: number; datedAt: Ms }

/**
 * Absorbs rows with new mids and dates that change no decision. Polls are sent and answered as in the engine's driver, but with places
 * of mids for answers. The core, the account and the recorder take a stretch at its end.
 */
export class RowStretches {
  readonly #run: RunState
  readonly #core: AbsorbingCore
  #places = new MidPlaces([])
  #looks: readonly Look[] = []
  /** What the venue shows. */
  #mid = 0
  #datedAt: Ms = 0

  constructor(run: RunState, core: AbsorbingCore) {
    this.#run = run
    this.#core = core
  }

  /** Returns the row after the last absorbed change, of those until `until`; `first` = none was absorbed. */
  absorb(polls: Polls, pacing: PacingState, rates: RateColumns, first: number, until: Ms): number {
    // A stretch of one row is not worth its beginning.
    if (!(rates.t[first + 1]! <= until)) return first
    if (polls.fills.nextAt !== Infinity || this.#run.unseen.length > 0) return first
    if (!this.#places.isOf(rates.mids)) this.#places = new MidPlaces(rates.mids)
    this.#places.clear()
    const stretch = this.#begin(polls)
    if (stretch === null) return first
    const opening = this.#mid
    const next = this.#take(stretch, pacing, rates, first, until)
    for (const look of this.#looks) this.#restore(look)
    this.#mark(opening, rates, first, next)
    this.#core.absorb(stretch)
    return next
  }

  #begin({ rate, publicBid, publicAsk }: Polls): AnswerStretch | null {
    const { venue, parts } = this.#run
    const places = this.#places
    const { quotable } = venue
    const { protocolFeeBps } = parts.core.fees
    const best = { bid: bestBps(venue, 'bid'), ask: bestBps(venue, 'ask') }
    const isProbed = parts.core.pacing.publicRequestsPerMinute > 0
    const stretch = this.#core.begin(places, { quotable, protocolFeeBps, best, isProbed })
    if (stretch === null) return null
    const mid = places.add(venue.mid)
    const datedAt = venue.rateUpdatedAt ?? Number.NaN
    this.#mid = mid
    this.#datedAt = datedAt
    this.#looks = [rate, publicBid, publicAsk].map((poll) => ({ poll, mid, datedAt }))
    for (const look of this.#looks) {
      const { answer, nextAt } = look.poll
      if (!stretch.admits(mid, datedAt, nextAt)) return null
      if (answer === null) continue
      const isRate = answer.type === 'rate'
      if (!isRate && answer.type !== 'bestQuote') return null
      if (isRate ? answer.quotable !== quotable : answer.bestBps !== best[answer.side]) return null
      look.mid = places.add(answer.mid ?? 0n)
      if (isRate) look.datedAt = answer.rateUpdatedAt ?? Number.NaN
      if (!stretch.admits(look.mid, look.datedAt, nextAt)) return null
    }
    return stretch
  }

  /** Takes rows until one, or an answer before it, has to be processed in full. Returns the row after the last change. */
  #take(
    stretch: AnswerStretch,
    pacing: PacingState,
    { t: times, mid: mids, rateUpdatedAt, quotable, length }: RateColumns,
    first: number,
    until: Ms,
  ): number {
    const { venue } = this.#run
    const isQuotable = venue.quotable === null ? -1 : Number(venue.quotable)
    let next = first
    for (let row = first; row < length; row++) {
      const t = times[row]!
      const mid = mids[row]!
      const datedAt = rateUpdatedAt[row]!
      if (t > until || quotable[row] !== isQuotable) break
      const isNew = !this.#places.isEqual(mid, this.#mid)
      if (!isNew && Object.is(datedAt, this.#datedAt)) continue
      if (!stretch.admits(mid, datedAt, t) || !this.#answerBefore(stretch, t)) break
      for (const look of this.#looks) if (look.poll.askAt < t) this.#ask(look)
      this.#mid = mid
      this.#datedAt = datedAt
      for (const { poll } of this.#looks)
        if (isNew || poll.kind === 'rate') markChanged(poll, t, this.#run, pacing)
      next = row + 1
    }
    return next
  }

  /** Takes the answers before `t`, in their order. False = the next one has to be processed in full. */
  #answerBefore(stretch: AnswerStretch, t: Ms): boolean {
    for (;;) {
      // At equal times the first kind.
      let first = this.#looks[0]!
      for (const look of this.#looks) if (look.poll.nextAt < first.poll.nextAt) first = look
      const { poll } = first
      const { kind, nextAt, answerAt } = poll
      if (!(nextAt < t)) return true
      const isSent = answerAt !== Infinity
      const mid = isSent ? first.mid : this.#mid
      if (kind !== 'rate') stretch.publicRate(kind === 'publicBid', mid, nextAt)
      else if (!stretch.rate(mid, isSent ? first.datedAt : this.#datedAt, nextAt)) return false
      if (!isSent) departPoll(poll)
      endPoll(poll, this.#run)
    }
  }

  /** Sends a poll while the venue shows its old mid. */
  #ask(look: Look): void {
    departPoll(look.poll)
    look.mid = this.#mid
    look.datedAt = this.#datedAt
  }

  /** Gives a poll in flight its answer. */
  #restore({ poll, mid, datedAt }: Look): void {
    if (poll.answerAt === Infinity) return
    const answer = pollAnswer(this.#run, poll.kind, poll.answerAt, poll.last)
    const shown = { mid: this.#places.rates[mid]!, rateUpdatedAt: Number.isNaN(datedAt) ? null : datedAt }
    if (answer.type === 'rate') poll.answer = { ...answer, ...shown }
    else if (answer.type === 'bestQuote') poll.answer = { ...answer, mid: shown.mid }
  }

  /** Moves the venue and the mark of its account through the rows. */
  #mark(opening: number, { t, mid: mids }: RateColumns, first: number, next: number): void {
    const { venue, book, parts } = this.#run
    let before = opening
    for (let row = first; row < next; row++) {
      const mid = mids[row]!
      if (this.#places.isEqual(mid, before)) continue
      before = mid
      const rate = this.#places.rates[mid]!
      markToMarket(book, rate)
      parts.recorder.mark(t[row]!, rate, rate, true)
    }
    venue.mid = this.#places.rates[this.#mid]!
    venue.fair = venue.mid
    venue.rateUpdatedAt = Number.isNaN(this.#datedAt) ? null : this.#datedAt
  }
}

import { MidPlaces } from '../../../base/money/mid-places.ts'
import type { Ms } from '../../../base/time.ts'
import type { AnswerStretch } from '../../../core/engine/answer-stretch.ts'
import { markAlong } from '../../../core/ledger/book/book.ts'
import { intervalsHoldUntil, pollInterval } from '../../../core/pacing/poll-schedule.ts'
import type { PacingState } from '../../../core/pacing/state.ts'
import type { RateColumns } from '../../../store/tape/model/batch.ts'
import type { MarkedRows, Recorder } from '../recorder.ts'
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
  #path = new Int32Array(0)
  #looks: readonly Look[] = []
  /** What the venue shows. */
  #mid = 0
  #datedAt: Ms = Number.NaN

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
    // Each change is answered by three polls.
    if (this.#path.length < 3 * rates.length + 9) this.#path = new Int32Array(3 * rates.length + 9)
    this.#places.clear()
    const stretch = this.#begin(polls)
    if (stretch === null) return first
    const opening = this.#mid
    const next = this.#take(stretch, pacing, rates, first, until)
    for (const look of this.#looks) this.#restore(look)
    if (next > first) this.#mark(opening, rates, first, next)
    this.#core.absorb(stretch)
    return next
  }

  #begin({ rate, publicBid, publicAsk }: Polls): AnswerStretch | null {
    const { venue, parts } = this.#run
    const { fees, pacing } = parts.core
    const polls = [rate, publicBid, publicAsk]
    if (polls.some(({ answer }) => answer !== null)) return null
    const stretch = this.#core.begin(
      { places: this.#places, path: this.#path },
      {
        quotable: venue.quotable,
        protocolFeeBps: fees.protocolFeeBps,
        best: { bid: bestBps(venue, 'bid'), ask: bestBps(venue, 'ask') },
        isProbed: pacing.publicRequestsPerMinute > 0,
      },
    )
    const mid = this.#places.add(venue.mid)
    const datedAt = venue.rateUpdatedAt ?? Number.NaN
    this.#mid = mid
    this.#datedAt = datedAt
    this.#looks = polls.map((poll) => ({ poll, mid, datedAt }))
    const isAdmitted = polls.every(({ nextAt }) => stretch?.admits(mid, datedAt, nextAt))
    return isAdmitted ? stretch : null
  }

  /** Takes rows until one, or an answer before it, has to be processed in full. Returns the row after the last change. */
  #take(
    stretch: AnswerStretch,
    pacing: PacingState,
    { t: times, mid: mids, rateUpdatedAt, quotable, length }: RateColumns,
    first: number,
    until: Ms,
  ): number {
    const { venue, parts } = this.#run
    const settings = parts.core.pacing
    let [rateMs, publicMs, holdUntil] = [0, 0, -Infinity]
    const isQuotable = venue.quotable === null ? -1 : Number(venue.quotable)
    const [rate, bid, ask] = this.#looks as [Look, Look, Look]
    let next = first
    for (let row = first; row < length; row++) {
      const t = times[row]!
      const mid = mids[row]!
      const datedAt = rateUpdatedAt[row]!
      if (t > until) this.#answerBefore(stretch, rate, bid, ask, until)
      if (t > until || quotable[row] !== isQuotable) break
      const isNew = !this.#places.isEqual(mid, this.#mid)
      if (!isNew && Object.is(datedAt, this.#datedAt)) continue
      if (!stretch.admits(mid, datedAt, t) || !this.#answerBefore(stretch, rate, bid, ask, t)) break
      if (rate.poll.askAt < t) this.#ask(rate)
      if (bid.poll.askAt < t) this.#ask(bid)
      if (ask.poll.askAt < t) this.#ask(ask)
      this.#mid = mid
      this.#datedAt = datedAt
      if (t >= holdUntil) {
        rateMs = pollInterval(pacing, settings, t, 'rate')
        publicMs = pollInterval(pacing, settings, t, 'publicBid')
        holdUntil = intervalsHoldUntil(pacing, settings, t)
      }
      markChanged(rate.poll, t, this.#run, rateMs)
      if (isNew) {
        markChanged(bid.poll, t, this.#run, publicMs)
        markChanged(ask.poll, t, this.#run, publicMs)
      }
      next = row + 1
    }
    return next
  }

  /** Takes the answers before `t`, in their order. False = the next one has to be processed in full. */
  #answerBefore(stretch: AnswerStretch, rate: Look, bid: Look, ask: Look, t: Ms): boolean {
    for (;;) {
      // At equal times the first kind.
      let look = rate
      if (bid.poll.nextAt < look.poll.nextAt) look = bid
      if (ask.poll.nextAt < look.poll.nextAt) look = ask
      const { poll } = look
      const { nextAt } = poll
      if (!(nextAt < t)) return true
      const isSent = poll.answerAt !== Infinity
      const mid = isSent ? look.mid : this.#mid
      const isTaken =
        look === rate
          ? stretch.rate(mid, isSent ? look.datedAt : this.#datedAt, nextAt)
          : stretch.publicRate(look === bid, mid, nextAt)
      if (!isTaken) return false
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
    const { recorder } = parts
    markAlong(book, this.#places, mids, first, next)
    const rows = { places: this.#places, opening, t, mids, first, next }
    if (recorder.marks === undefined) markEach(recorder, rows)
    else recorder.marks(rows)
    venue.mid = this.#places.rates[this.#mid]!
    venue.fair = venue.mid
    venue.rateUpdatedAt = Number.isNaN(this.#datedAt) ? null : this.#datedAt
  }
}

function markEach(recorder: Recorder, { places, opening, t, mids, first, next }: MarkedRows): void {
  let before = opening
  for (let row = first; row < next; row++) {
    const mid = mids[row]!
    if (places.isEqual(mid, before)) continue
    before = mid
    const rate = places.rates[mid]!
    recorder.mark(t[row]!, rate, rate, true)
  }
}

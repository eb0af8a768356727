import type { Ms } from '../../../base/time.ts'
import { markToMarket, restateMark } from '../../../core/ledger/book/book.ts'
import type { Amounts } from '../../../base/money/asset.ts'
import type { Rate } from '../../../base/money/rate.ts'
import { type Side, SIDES } from '../../../base/money/side.ts'
import type { RateColumns, TapeBatch } from '../../../store/tape/model/batch.ts'
import {
  type BalancesRow,
  type TapeFill,
  type QuoteRow,
  type ReferenceRow,
  sideOfSwap,
} from '../../../store/tape/model/row.ts'
import type { Scheduler } from './scheduler.ts'
import type { EngineDriver } from './engine-driver.ts'
import type { Taker } from '../fill-models/fill-model.ts'
import { impliedBps } from '../venue/venue.ts'
import { matchTaker } from './match-taker.ts'
import type { RowHandler } from './batch-walker.ts'
import type { RunState } from './state.ts'
import { recordRouting } from './routing.ts'

/** Maximum number of names in a warning. */
const SOURCES_SHOWN = 10
/** Fewer fills, or a smaller mean difference from the recorded quote, warn of nothing. */
const FEWEST_COMPARED = 30
const MOST_BEYOND_BPS = 5

/** Applies a tape's rows to the venue in tape order, and runs the scheduler in between. */
export class MarketRows implements RowHandler {
  readonly #run: RunState
  readonly #loop: EngineDriver
  readonly #scheduler: Scheduler
  #lastAt: Ms = 0
  #opening: Readonly<Partial<Amounts>> | null
  readonly #skipped = { early: 0, pair: 0 }
  /** What recorded fills paid beyond the quote of the tape, bps, summed. */
  readonly #beyond = { bid: { fills: 0, bps: 0 }, ask: { fills: 0, bps: 0 } }
  /** Source of the fair value; null = no reference row yet. */
  #source: string | null
  /** Other sources with reference rows. */
  readonly #passedOver = new Set<string>()

  constructor(run: RunState, loop: EngineDriver, scheduler: Scheduler) {
    this.#run = run
    this.#loop = loop
    this.#scheduler = scheduler
    this.#opening = run.parts.settings.opening
    this.#source = run.parts.settings.fairValue
  }

  lastAt(): Ms {
    return this.#lastAt
  }

  before(t: Ms): void {
    this.#lastAt = t
    this.#scheduler.runBefore(t)
  }

  rates({ rates }: TapeBatch, first: number, otherAt: Ms): number {
    const t = rates.t[first]!
    // What is due before the row may be all that prevents the core from absorbing it: a fill that it has not seen, for example.
    for (;;) {
      const next = this.#absorb(rates, first, otherAt)
      if (next > first) {
        this.#lastAt = rates.t[next - 1]!
        return next
      }
      if (!this.#scheduler.stepBefore(t)) break
    }
    this.before(t)
    this.#rate(t, rates, first)
    return first + 1
  }

  #absorb(rates: RateColumns, first: number, otherAt: Ms): number {
    if (this.#run.venue.fairSource !== null) return first
    return this.#loop.absorbRows(rates, first, Math.min(otherAt, this.#scheduler.quietUntil()))
  }

  #rate(t: Ms, rates: RateColumns, index: number): void {
    const { venue } = this.#run
    const mid = rates.mids[rates.mid[index]!] ?? venue.mid
    const print = mid !== venue.mid
    const dated = rates.rateUpdatedAt[index]!
    venue.mid = mid
    venue.rateUpdatedAt = Number.isNaN(dated) ? null : dated
    venue.quotable = rates.quotable[index] === -1 ? null : rates.quotable[index] === 1
    if (print) this.#moveFair(t, venue.fairSource === null ? mid : venue.fair, true)
    this.#scheduler.openWith(t, this.#opening)
    if (print) this.#loop.newMid(t)
    else this.#loop.news('rate', t)
  }

  reference({ t, source, mid }: ReferenceRow): void {
    const { venue } = this.#run
    this.#source ??= source
    if (this.#source !== source) {
      if (this.#passedOver.size < SOURCES_SHOWN) this.#passedOver.add(source)
      return
    }
    const isFirst = venue.fairSource === null
    if (mid === venue.fair && !isFirst) return
    venue.fairSource = source
    if (isFirst) this.#restateFair(t, mid)
    else this.#moveFair(t, mid, false)
    // A reference equal to the mid counts too: it stays when the mid moves.
    this.#loop.reference(t, source)
  }

  competition(t: Ms, { competition }: TapeBatch, index: number): void {
    const { venue, parts } = this.#run
    const probe = competition.probes[competition.probe[index]!]
    const swap = probe === undefined ? null : sideOfSwap(probe.from, probe.to)
    if (swap === null) return
    const asked = swap.side === 'bid' ? competition.bidBps : competition.askBps
    const own = competition.own[index]!
    this.#run.probes.shown(swap.side, asked[index]!, own)
    for (const side of ['bid', 'ask'] as const) {
      const shown = (side === 'bid' ? competition.bidBps : competition.askBps)[index]!
      // -1 on the side opposite to the probe means not probed, rather than that no provider quotes it.
      if (shown === -1 && side !== swap.side) continue
      // If the best spread is our own, the competitors are unknown; one may quote exactly our spread.
      const isOurs = own === 1 || (own === -1 && shown === venue.recorded[side])
      const other = shown === -1 || isOurs ? null : shown
      if (venue.other[side] === other) continue
      venue.other[side] = other
      parts.recorder.competition(t, side, other)
      recordRouting(this.#run, t)
      this.#loop.news(side === 'bid' ? 'publicBid' : 'publicAsk', t)
    }
  }

  balances({ t, amounts }: BalancesRow): boolean {
    this.#opening ??= amounts
    this.#scheduler.openWith(t, this.#opening)
    return false
  }

  quote({ t, quoteBid, quoteAsk, bidBps, askBps }: QuoteRow): void {
    const { recorded } = this.#run.venue
    recorded.bid = quoteBid ? bidBps : null
    recorded.ask = quoteAsk ? askBps : null
    this.#run.probes.quoted(recorded)
    recordRouting(this.#run, t)
  }

  fill(row: TapeFill): void {
    if (this.#run.startedAt === null) {
      this.#skipped.early += 1
      return
    }
    const taker = takerOf(row, this.#run)
    if (taker !== null) this.#compareWithQuote(row, taker.side)
    if (taker === null) this.#skipped.pair += 1
    else if (this.#run.parts.fills.usesRecorded && matchTaker(this.#run, taker, row.txHash)) {
      this.#loop.news('fills', row.t)
    }
  }

  /** Returns what the tape lacks for a run; null = it is complete. */
  missing(): string | null {
    if (this.#run.startedAt !== null) return null
    if (this.#lastAt === 0) return 'the tape is empty: nothing of it could be read'
    return this.#run.venue.mid === 0n
      ? 'the tape has no rate rows: without a mid nothing can be priced'
      : "the tape has no balances rows: set what you hold in the configuration, such as backtest.opening: { NTZS: '12500000', USDC: '5000' }"
  }

  warnings(): readonly string[] {
    const { early, pair } = this.#skipped
    const tooEarly = `${early} fills came before the first mid and balances of the tape and were skipped`
    const noPair = `${pair} fills are not dollars against shillings and were skipped`
    return [
      ...this.#aboutSources(),
      ...SIDES.flatMap((side) => this.#aboutQuotes(side)),
      ...(early > 0 ? [tooEarly] : []),
      ...(pair > 0 ? [noPair] : []),
    ]
  }

  #compareWithQuote(row: TapeFill, side: Side): void {
    const { venue, parts } = this.#run
    const quoted = venue.recorded[side]
    const paid = quoted === null ? null : impliedBps(row, side, venue.mid, parts.core.fees)
    if (quoted === null || paid === null) return
    this.#beyond[side].fills += 1
    this.#beyond[side].bps += paid - quoted
  }

  /** A strategy is tested at its quotes; fills of the tape that paid something else say that quote, mid or slippage differ. */
  #aboutQuotes(side: Side): readonly string[] {
    const { fills, bps } = this.#beyond[side]
    const mean = bps / fills
    if (fills < FEWEST_COMPARED || Math.abs(mean) <= MOST_BEYOND_BPS) return []
    const much = `${Math.abs(mean).toFixed(1)} bps ${mean > 0 ? 'more' : 'less'}`
    return [
      `the ${fills} recorded ${side} fills paid ${much} than the recorded quote at the recorded mid: takers granted slippage, or fills have another mid; a run fills at the quote`,
    ]
  }

  #aboutSources(): readonly string[] {
    const { venue, parts } = this.#run
    if (this.#passedOver.size === 0) return []
    const others = [...this.#passedOver].sort().join(', ')
    if (venue.fairSource !== null) {
      if (parts.settings.fairValue !== null) return []
      const named = `several sources have references on the tape: the fair value is ${venue.fairSource}, the first of them, and not ${others}`
      return [`${named}; backtest.fairValue names the one to use`]
    }
    return [
      `no reference on the tape is from ${parts.settings.fairValue}, which backtest.fairValue names; there are some from ${others}`,
    ]
  }

  /** Switches the fair value from the mid to the first reference; the step is not PnL. */
  #restateFair(t: Ms, fair: Rate): void {
    const { venue, book, parts, startedAt } = this.#run
    if (fair === venue.fair) return
    venue.fair = fair
    if (startedAt === null) return
    restateMark(book, fair)
    parts.recorder.restate(t, venue.mid, fair)
  }

  #moveFair(t: Ms, fair: Rate, print: boolean): void {
    const { venue, book, parts, startedAt } = this.#run
    venue.fair = fair
    markToMarket(book, fair)
    if (startedAt !== null) parts.recorder.mark(t, venue.mid, fair, print)
  }
}

/** Returns a recorded fill as a returning taker; null unless it is dollars against shillings. */
function takerOf(row: TapeFill, { venue, parts }: RunState): Taker | null {
  const swap = sideOfSwap(row.from, row.to)
  if (swap === null) return null
  const recordedBps = venue.recorded[swap.side] ?? impliedBps(row, swap.side, venue.mid, parts.core.fees)
  const { t, id, amountIn, taker: tags } = row
  const { side, stable } = swap
  const taker = {
    id,
    t,
    side,
    stable,
    amountIn,
    usd: null,
    recordedBps,
    reservationBps: null,
    synthetic: false,
  }
  return tags === undefined ? taker : { ...taker, tags }
}

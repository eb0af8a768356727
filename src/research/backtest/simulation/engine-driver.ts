import { invariant } from '../../../base/result.ts'
import type { Ms } from '../../../base/time.ts'
import type { Asset } from '../../../base/money/asset.ts'
import { type Audit, createEngine, type Engine } from '../../../core/engine/engine.ts'
import type { Effect, Spread } from '../../../core/engine/model/effect.ts'
import type { EngineState } from '../../../core/engine/model/state.ts'
import type { Event } from '../../../core/engine/model/event.ts'
import type { RateColumns } from '../../../store/tape/model/batch.ts'
import { pollInterval } from '../../../core/pacing/poll-schedule.ts'
import { isPublicPoll } from '../../../core/pacing/state.ts'
import { repeatsPublicRate } from '../../../core/market/take-rate.ts'
import { bestBps, standingBps } from '../venue/venue.ts'
import {
  sendPoll,
  createPoll,
  type SimulatedPoll,
  type SimulatedPollKind,
  markChanged,
  openingEvents,
  takePollAnswer,
} from './polls.ts'
import type { BacktestOutcome } from '../settings.ts'
import type { RunState } from './state.ts'
import { AbsorbingCore, type Moment } from './absorbing-core.ts'
import { RowStretches } from './row-stretches.ts'
import { DecisionWatch } from './decision-watch.ts'
import { recordRouting } from './routing.ts'

/** Time that the venue takes to activate or deactivate a position: on-chain, up to a minute (venue.md). */
const ACTIVATION_MS = 20_000

/** The part of the driver that rows and scheduler use; tests replace it with a driver that really polls. */
export type EngineDriver = Pick<
  SimulatedEngine,
  'start' | 'nextAt' | 'step' | 'askBefore' | 'news' | 'newMid' | 'absorbRows' | 'reference' | 'topUp'
>

/** Runs the core on the virtual clock: its requests in flight, and its next poll. */
export class SimulatedEngine {
  readonly #run: RunState
  readonly #engine: Engine
  readonly #core: AbsorbingCore
  readonly #stretches: RowStretches
  readonly #decisions: DecisionWatch
  readonly #acceptAfterMs: Ms
  /** PATCHes and activations in flight; at most one of each. */
  readonly #pending: { readonly at: Ms; readonly effect: Effect }[] = []
  /** When the first of them lands. */
  #landsAt: Ms = Infinity
  /** When a pending mid is adopted in place of a person. */
  #acceptsAt: Ms = Infinity
  /** Start of the strategy's suspension, and the fills before it; a backtest never resumes it. */
  #suspended: { readonly since: Ms; readonly fillsBefore: number } | null = null
  /** State read at every event. Reading the full state settles the marks, so that happens only at the end of the run. */
  #watched: Pick<EngineState, 'market' | 'pacing' | 'strategy'> | null = null
  /** Null before the start. */
  #polls: Record<SimulatedPollKind, SimulatedPoll> | null = null
  /** Time of the next event; recomputed after each event. */
  #nextAt: Ms = Infinity
  #nextPoll: SimulatedPoll | null = null
  #isPlanned = false

  /** `absorbs` false: draws every conclusion, as a comparison. */
  constructor(run: RunState, absorbs = true) {
    const { strategy, calendar, data } = run.parts
    this.#run = run
    this.#decisions = new DecisionWatch(run)
    this.#acceptAfterMs = run.parts.settings.acceptMidAfterMs
    this.#engine = createEngine({
      strategyFor: () => strategy,
      calendar,
      data,
      polling: 'simulated',
      observes: false,
    })
    this.#core = new AbsorbingCore(
      this.#engine,
      (event, audit, state) => this.#react(event, audit, state),
      absorbs,
    )
    this.#stretches = new RowStretches(run, this.#core)
  }

  /** Starts the daemon once the first balances are there; it takes its first decision. */
  start(t: Ms): void {
    this.#polls = firstPolls(t, this.#run.parts.core.pacing.publicRequestsPerMinute)
    for (const event of openingEvents(this.#run, t)) this.#give(event)
  }

  /** Returns the time of the next answer, poll or tick of the core. */
  nextAt(): Ms {
    if (!this.#isPlanned) this.#plan()
    return this.#nextAt
  }

  #plan(): void {
    this.#nextPoll = this.#firstPoll()
    const pollAt = this.#nextPoll === null ? Infinity : this.#nextPoll.nextAt
    this.#nextAt = Math.min(pollAt, this.#landsAt, this.#core.wakeAt, this.#acceptsAt)
    this.#isPlanned = true
  }

  /** Runs the earliest of them. */
  step(): void {
    const at = this.nextAt()
    const poll = this.#nextPoll
    this.#isPlanned = false
    if (this.#landsAt === at) this.#land()
    else if (this.#acceptsAt === at) this.#accept(at)
    else if (poll !== null && poll.nextAt === at) this.#takePoll(poll)
    else if (!this.#core.conclude()) this.#give({ type: 'tick', t: Math.ceil(this.#core.wakeAt) })
  }

  /** Sends the polls due before `t` while the venue still shows its old state; call it before the venue changes. */
  askBefore(t: Ms): void {
    if (this.#polls === null) return
    const { fills, rate, publicBid, publicAsk } = this.#polls
    if (fills.askAt < t) sendPoll(fills, this.#run)
    if (rate.askAt < t) sendPoll(rate, this.#run)
    if (publicBid.askAt < t) sendPoll(publicBid, this.#run)
    if (publicAsk.askAt < t) sendPoll(publicAsk, this.#run)
  }

  /** The venue shows a change from `t` on; the core sees it at its next poll of that kind. */
  news(kind: SimulatedPollKind, t: Ms): void {
    if (this.#polls === null) return
    this.#isPlanned = false
    this.#markChanged(this.#polls[kind], t)
  }

  /** The venue shows a new mid from `t` on; three kinds of polls see it. */
  newMid(t: Ms): void {
    if (this.#polls === null) return
    this.#isPlanned = false
    const { rate, publicBid, publicAsk } = this.#polls
    this.#markChanged(rate, t)
    this.#markChanged(publicBid, t)
    this.#markChanged(publicAsk, t)
  }

  #markChanged(poll: SimulatedPoll, t: Ms): void {
    if (poll.askAt !== Infinity) return
    const { pacing } = this.#run.parts.core
    markChanged(poll, t, this.#run, pollInterval(this.#watch().pacing, pacing, t, poll.kind))
  }

  /**
   * Takes the rows of rates from `first` on that can be absorbed together, until `limit` inclusive. Returns the row after the last
   * of them; `first` = none was absorbed.
   */
  absorbRows(rates: RateColumns, first: number, limit: Ms): number {
    if (this.#polls === null || !this.#core.admitsMids()) return first
    const until = Math.min(limit, this.#landsAt, this.#acceptsAt, this.#core.wakeAt)
    const next = this.#stretches.absorb(this.#polls, this.#watch().pacing, rates, first, until)
    this.#isPlanned = false
    return next
  }

  reference(t: Ms, source: string): void {
    if (this.#polls !== null) this.#give({ type: 'reference', t, source, mid: this.#run.venue.fair })
  }

  /** The treasury's tokens arrived in the wallet, and an activation sweeps them while the position is active. */
  topUp(t: Ms, asset: Asset, amount: bigint, key: string): void {
    this.askBefore(t)
    const command = { name: 'topUp', asset, amount, key } as const
    this.#give({ type: 'operator', t, who: 'backtest', why: 'a refill arrived', command })
    if (!this.#run.venue.active || this.#pending.some(({ effect }) => effect.type === 'activate')) return
    this.#give({ type: 'activation', t, request: 0, isActive: true, partial: false, returned: [] })
  }

  /** Returns whether the core has seen every fill. */
  hasSeenAllFills(): boolean {
    return this.#run.unseen.length === 0 && (this.#polls === null || this.#polls.fills.answer === null)
  }

  /** Returns when and why the strategy was suspended; null = it is not. */
  suspension(): BacktestOutcome['suspension'] {
    const why = this.#watch().strategy.suspended
    return why === null || this.#suspended === null ? null : { ...this.#suspended, why }
  }

  /** Takes the last decision of the timer until `t`, so that the state is that of a core that was never spared one. */
  catchUp(t: Ms): void {
    this.#core.catchUp(t)
  }

  state(): EngineState {
    this.#core.conclude()
    const state = this.#engine.state()
    invariant(state !== null, 'the core of a backtest is read before its start')
    return state
  }

  #watch(): Pick<EngineState, 'market' | 'pacing' | 'strategy'> {
    return (this.#watched ??= this.state())
  }

  #give(event: Event): void {
    this.#isPlanned = false
    this.#core.give(event)
  }

  #react(event: Moment, { effects, observations }: Audit, state: EngineState): void {
    this.#isPlanned = false
    const { market, strategy } = state
    const { pending } = market
    this.#acceptsAt = pending === null ? Infinity : Math.max(event.t, pending.since + this.#acceptAfterMs)
    if (this.#suspended === null && strategy.suspended !== null)
      this.#suspended = { since: event.t, fillsBefore: this.#run.fills }
    this.#decisions.look(event, state, effects, observations, this.#engine.lastQuestion()?.plot)
    if (effects.length > 0) for (const effect of effects) this.#send(effect, event.t)
  }

  /** Adopts the pending mid, because no operator can compare it with another source here. The result counts these. */
  #accept(t: Ms): void {
    const { pending } = this.#watch().market
    invariant(pending !== null, 'a mid is accepted that is not pending')
    this.#run.midsAccepted += 1
    const command = { name: 'acceptMid', mid: pending.mid } as const
    this.#give({ type: 'operator', t, who: 'backtest', why: 'no one is there to ask', command })
  }

  #send(effect: Effect, t: Ms): void {
    const { digest, parts } = this.#run
    // During a sweep the spread may still be changed.
    for (const one of this.#pending)
      invariant(one.effect.type !== effect.type, 'one request of a type is under way at a time')
    const at = t + parts.settings.latencyMs + (effect.type === 'activate' ? ACTIVATION_MS : 0)
    this.#pending.push({ effect, at })
    this.#landsAt = Math.min(this.#landsAt, at)
    if (effect.type === 'setQuote') digest.quote(t, effect.spread)
    else digest.effect(t, effect.type)
  }

  /** The first write in flight has landed: it takes effect now, and the core learns of it at once. */
  #land(): void {
    const t = this.#landsAt
    this.askBefore(t)
    const index = this.#pending.findIndex(({ at }) => at === t)
    const effect = this.#pending.splice(index, 1)[0]?.effect
    this.#landsAt = this.#pending[0]?.at ?? Infinity
    if (effect?.type === 'setQuote') {
      const { id, spread } = effect
      this.#hold(t, spread, this.#run.venue.active, id)
      this.#run.quoteUpdates += 1
      this.#give({ type: 'quoteSet', t, request: id, spread })
    } else if (effect?.type === 'activate') {
      const { id, isActive } = effect
      this.#hold(t, this.#run.venue.own, isActive)
      this.#give({ type: 'activation', t, request: id, isActive, partial: false, returned: [] })
    }
  }

  /** The public probe includes our own quote, so a change of the best is a change there too. */
  #hold(t: Ms, own: Spread, isActive: boolean, request?: number): void {
    const { venue, parts } = this.#run
    const [bid, ask] = [bestBps(venue, 'bid'), bestBps(venue, 'ask')]
    venue.own = own
    venue.active = isActive
    parts.recorder.quote(t, standingBps(venue, 'bid'), standingBps(venue, 'ask'), request)
    recordRouting(this.#run, t)
    if (bestBps(venue, 'bid') !== bid) this.news('publicBid', t)
    if (bestBps(venue, 'ask') !== ask) this.news('publicAsk', t)
  }

  #takePoll(poll: SimulatedPoll): void {
    const event = takePollAnswer(poll, this.#run)
    if (event === null) return
    // The other probe, or GET /rate, was first: drops a poll without a change, as if it had not been made.
    if (isPublicPoll(poll.kind) && event.type === 'bestQuote') {
      if (repeatsPublicRate(this.#watch().market, event)) return
    }
    this.#give(event)
  }

  /** Returns the poll that is answered next; at equal times the first kind. */
  #firstPoll(): SimulatedPoll | null {
    if (this.#polls === null) return null
    const { fills, rate, publicBid, publicAsk } = this.#polls
    let first = fills
    if (rate.nextAt < first.nextAt) first = rate
    if (publicBid.nextAt < first.nextAt) first = publicBid
    return publicAsk.nextAt < first.nextAt ? publicAsk : first
  }
}

/** Everything is polled at the start; the two public probes alternate, as in the live core. */
function firstPolls(t: Ms, publicPerMinute: number): Record<SimulatedPollKind, SimulatedPoll> {
  const turn = publicPerMinute > 0 ? 60_000 / publicPerMinute : 0
  return {
    fills: createPoll('fills', t),
    rate: createPoll('rate', t),
    publicBid: createPoll('publicBid', t),
    publicAsk: createPoll('publicAsk', t + turn),
  }
}

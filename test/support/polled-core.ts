import type { Ms } from '../../src/base/time.ts'
import type { Asset } from '../../src/base/money/asset.ts'
import { bestBps } from '../../src/research/backtest/venue/venue.ts'
import { Scheduler } from '../../src/research/backtest/simulation/scheduler.ts'
import type { EngineDriver } from '../../src/research/backtest/simulation/engine-driver.ts'
import { createBatchWalker } from '../../src/research/backtest/simulation/batch-walker.ts'
import { MarketRows } from '../../src/research/backtest/simulation/replay-rows.ts'
import type { BacktestParts } from '../../src/research/backtest/settings.ts'
import { RunDigest } from '../../src/research/backtest/simulation/run-digest.ts'
import { createRunState, type RunState } from '../../src/research/backtest/simulation/state.ts'
import type { CoreConfig } from '../../src/core/engine/model/config.ts'
import { createEngine, type Engine } from '../../src/core/engine/engine.ts'
import type { Effect, Spread } from '../../src/core/engine/model/effect.ts'
import type { EngineState } from '../../src/core/engine/model/state.ts'
import { withFlags } from '../../src/core/quoting/quote-state.ts'
import type { Event } from '../../src/core/engine/model/event.ts'
import { listeningTrail, type Told } from './backtest-tape.ts'

const ACTIVATION_MS = 20_000

/** A write as it left: what the core wanted standing, and when. */
export type Sent = { readonly t: Ms; readonly spread: Spread | 'activate' | 'deactivate' }

/** What a core that makes its own polls did over a tape, and every event it was given. */
export type Polled = {
  readonly sent: readonly Sent[]
  readonly journal: readonly Event[]
  /** So many events it took until the books were open, all was received and the quote was known. */
  readonly ready: number
  readonly told: Told
}

/**
 * The venue of a tape with a core that does all that the daemon's does: it paces and sends its own polls,
 * and every one of them is answered, `latencyMs` later, with what the venue showed when it was asked.
 */
export async function runPolled(parts: BacktestParts): Promise<Polled> {
  const { trail, told } = listeningTrail()
  const run = createRunState({ ...parts, recorder: trail }, new RunDigest())
  const loop = new PolledLoop(run)
  const scheduler = new Scheduler(run, loop)
  const market = new MarketRows(run, loop, scheduler)
  const walk = createBatchWalker(market)
  for await (const batch of parts.source.batches()) walk(batch)
  scheduler.runUntil(market.lastAt())
  const { sent, journal, ready } = loop
  return { sent, journal, ready, told }
}

/** Stands where a backtest has its loop: the same venue, and a core that asks for itself. */
class PolledLoop implements EngineDriver {
  readonly sent: Sent[] = []
  readonly journal: Event[] = []
  ready = 0
  readonly #ours: RunState
  readonly #core: Engine
  readonly #answers: { readonly at: Ms; readonly event: Event }[] = []
  #started = false
  #wakesAt: Ms = Infinity

  constructor(run: RunState) {
    const { strategy, calendar } = run.parts
    this.#ours = run
    this.#core = createEngine({ strategyFor: () => strategy, calendar })
  }

  start(t: Ms): void {
    const { venue, parts } = this.#ours
    this.#started = true
    this.#tell({ type: 'started', t, version: 'polled', config: { ...parts.core, mode: 'live' } })
    const { fair, fairSource } = venue
    if (fairSource !== null) this.#tell({ type: 'reference', t, source: fairSource, mid: fair })
  }

  nextAt(): Ms {
    return this.#started ? Math.min(this.#answers[0]?.at ?? Infinity, this.#wakesAt) : Infinity
  }

  topUp(t: Ms, asset: Asset, amount: bigint, key: string): void {
    const command = { name: 'topUp', asset, amount, key } as const
    this.#tell({ type: 'operator', t, who: 'backtest', why: 'a refill arrived', command })
    this.#tell({ type: 'activation', t, request: 0, isActive: true, partial: false, returned: [] })
  }

  step(): void {
    const next = this.#answers[0]
    if (next === undefined || next.at > this.#wakesAt) {
      this.#tell({ type: 'tick', t: Math.ceil(this.#wakesAt) })
      return
    }
    this.#answers.shift()
    this.#land(next.event)
    this.#tell(next.event)
  }

  /** It finds out for itself. */
  news(): void {}

  newMid(): void {}

  absorbRows(_rates: unknown, first: number): number {
    return first
  }

  /** It has asked, and keeps the answers that are on their way. */
  askBefore(): void {}

  reference(t: Ms, source: string): void {
    if (this.#started) this.#tell({ type: 'reference', t, source, mid: this.#ours.venue.fair })
  }

  #state(): EngineState {
    const state = this.#core.state()
    if (state === null) throw new Error('the polled core was asked before it was started')
    return state
  }

  #tell(event: Event): void {
    this.journal.push(event)
    const audit = this.#core.process(this.journal.length, event)
    this.#wakesAt = audit.wakeAt
    const { reconciliation, quoting, received } = this.#state()
    const isReady = reconciliation.opened && received.fills && quoting.status === 'confirmed'
    if (this.ready === 0 && isReady) this.ready = this.journal.length
    for (const effect of audit.effects) this.#ask(effect, event.t)
  }

  #ask(effect: Effect, t: Ms): void {
    const write = writeOf(effect)
    if (write !== null) this.sent.push({ t, spread: write })
    const at = t + this.#ours.parts.settings.latencyMs + (effect.type === 'activate' ? ACTIVATION_MS : 0)
    this.#answers.push({ at, event: answerTo(effect, this.#ours, at, t) })
    this.#answers.sort((a, b) => a.at - b.at)
  }

  #land(event: Event): void {
    const { venue, parts } = this.#ours
    if (event.type === 'quoteSet') venue.own = withFlags(event.spread, null)
    else if (event.type === 'activation') venue.active = event.isActive
    else return
    const { own, active } = venue
    const bid = active && own.quoteBid ? own.bidBps : null
    parts.recorder.quote(event.t, bid, active && own.quoteAsk ? own.askBps : null)
  }
}

function writeOf(effect: Effect): Sent['spread'] | null {
  if (effect.type === 'setQuote') return effect.spread
  if (effect.type === 'activate') return effect.isActive ? 'activate' : 'deactivate'
  return null
}

/** What the venue shows now, for when the answer arrives. */
function answerTo(effect: Effect, run: RunState, t: Ms, sentAt: Ms): Event {
  const { venue, parts } = run
  const { protocolFeeBps, bidFormula } = parts.core.fees
  const { mid, rateUpdatedAt, quotable, own, active } = venue
  const base = { t, request: effect.id }
  switch (effect.type) {
    case 'readAccount':
      return { ...base, type: 'account', isActive: active, walletAddress: null }
    case 'readRate':
      return { ...base, type: 'rate', mid, problem: null, rateUpdatedAt, quotable, venueTime: t }
    case 'readBalances':
      return {
        ...base,
        type: 'balances',
        sentAt,
        amounts: { ...venue.pool },
        source: active ? 'pool' : 'wallet',
      }
    case 'readFills': {
      const fills = run.unseen
      run.unseen = []
      return { ...base, type: 'fills', sentAt, fills, quarantined: [], repeated: 1, windowFull: false }
    }
    case 'readQuote': {
      const spreadBps = effect.side === 'bid' ? own.bidBps : own.askBps
      return {
        ...base,
        type: 'quoteRead',
        side: effect.side,
        spreadBps,
        mid,
        protocolFeeBps,
        formula: bidFormula,
      }
    }
    case 'readBestQuote': {
      const { side, probe } = effect
      const best = { mid, bestBps: bestBps(venue, side) }
      return { ...base, type: 'bestQuote', side, probe, ...best, protocolFeeBps, lowLiquidity: false }
    }
    case 'setQuote':
      return { ...base, type: 'quoteSet', spread: effect.spread }
    case 'activate':
      return { ...base, type: 'activation', isActive: effect.isActive, partial: false, returned: [] }
    case 'withdraw':
    case 'readSolver':
    case 'readChain':
    case 'reserveOrder':
    case 'placeOrder':
    case 'withholdOrder':
    case 'cancelOrders':
      throw new Error(`${effect.type}: no such thing in a backtest`)
  }
}

/**
 * A core that is notified only what was news to the polled one, at the very times at which that one learned it,
 * with its own writes answered as they were answered there. What it wants standing, and when.
 */
export function runOnNews(parts: BacktestParts, { journal, ready }: Polled): readonly Sent[] {
  const { latencyMs } = parts.settings
  const engine = createEngine({
    strategyFor: () => parts.strategy,
    calendar: parts.calendar,
    polling: 'simulated',
    observes: false,
  })
  const sent: Sent[] = []
  const pending: { readonly at: Ms; readonly effect: Effect }[] = []
  let seq = 0
  let wakeAt: Ms = Infinity

  const give = (event: Event): void => {
    seq += 1
    const audit = engine.process(seq, event)
    ;({ wakeAt } = audit)
    for (const effect of audit.effects) {
      const write = writeOf(effect)
      if (write === null) throw new Error(`${effect.type}: a core that is given its news sends no polls`)
      sent.push({ t: event.t, spread: write })
      pending.push({ effect, at: event.t + latencyMs + (effect.type === 'activate' ? ACTIVATION_MS : 0) })
    }
  }

  /** Its own write of that kind lands where the polled core's did; false = it has none. */
  const landed = (event: Event): boolean => {
    const index = pending.findIndex(
      ({ at, effect }) => at === event.t && (effect.type === 'activate') === (event.type === 'activation'),
    )
    const effect = pending.splice(index, index < 0 ? 0 : 1)[0]?.effect
    const base = { t: event.t, request: effect?.id ?? 0 }
    if (effect?.type === 'setQuote') give({ ...base, type: 'quoteSet', spread: effect.spread })
    if (effect?.type === 'activate') {
      give({ ...base, type: 'activation', isActive: effect.isActive, partial: false, returned: [] })
    }
    return effect !== undefined
  }

  const tickUntil = (t: Ms): void => {
    for (let at = Math.ceil(wakeAt); at <= t; at = Math.ceil(wakeAt)) give({ type: 'tick', t: at })
  }

  for (const event of newsOf(journal, ready)) {
    tickUntil(event.t - 1)
    const isWrite = event.type === 'quoteSet' || event.type === 'activation'
    if (!isWrite) give('request' in event ? { ...event, request: 0 } : event)
    else if (!landed(event)) break
  }
  // Where it fell silent the polled core may still have wanted something.
  tickUntil(journal.at(-1)?.t ?? 0)
  return sent
}

/** Without ticks and, once the core is ready, without answers that say what was reported before. */
function newsOf(journal: readonly Event[], ready: number): readonly Event[] {
  const last = new Map<string, string>()
  return journal.filter((event, index) => {
    const { type } = event
    if (type === 'tick') return false
    if (type === 'fills') return event.fills.length > 0 || index < ready
    if (type === 'account' || type === 'balances' || type === 'quoteRead') return index < ready
    if (type === 'rate') return isNew(last, type, [event.mid, event.rateUpdatedAt, event.quotable])
    if (type === 'bestQuote') return isNew(last, `${type} ${event.side}`, [event.mid, event.bestBps])
    return true
  })
}

function isNew(last: Map<string, string>, kind: string, values: readonly unknown[]): boolean {
  const text = values.map(String).join(' ')
  if (last.get(kind) === text) return false
  last.set(kind, text)
  return true
}

/** Slower polls than the daemon's, so that simulated hours cost little, and a budget that they do not strain. */
export const SLOW_POLLS: Pick<CoreConfig, 'pacing'> = {
  pacing: {
    requestsPerMinute: 600,
    reservePerMinute: 100,
    publicRequestsPerMinute: 6,
    fillsIntervalMs: 5_000,
    rateIntervalMs: 15_000,
    balancesIntervalMs: 60_000,
    accountIntervalMs: 300_000,
    quoteCheckIntervalMs: 600_000,
    requestTimeoutMs: 5_000,
  },
}

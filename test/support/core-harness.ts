import { decodeJson, encodeJson } from '../../src/base/codec.ts'
import type { CoreConfig, StrategyChoice } from '../../src/core/engine/model/config.ts'
import { createEngine, type Audit, type Engine } from '../../src/core/engine/engine.ts'
import type { Effect, Spread } from '../../src/core/engine/model/effect.ts'
import type { Event, OperatorCommand } from '../../src/core/engine/model/event.ts'
import type { EngineState } from '../../src/core/engine/model/state.ts'
import type { Observation } from '../../src/core/engine/model/observation.ts'
import type { VenueFailure } from '../../src/core/engine/model/venue-answer.ts'
import type { Fill } from '../../src/core/ledger/fills/fill.ts'
import { toBook, zeroAmounts, type Amounts } from '../../src/base/money/asset.ts'
import type { LoadedStrategy } from '../../src/core/strategy/define-strategy.ts'
import { coreConfig } from './core-config.ts'
import { testStrategy } from './test-strategy.ts'

type Answer<E = Event> = E extends { request: number } ? Omit<E, 't' | 'request'> : never

/** A venue that answers everything at once and well; tests replace the answers they are about. */
export type ToyVenue = {
  mid: bigint
  rateUpdatedAt: number | null
  quotable: boolean | null
  isActive: boolean
  amounts: Amounts
  fills: Fill[]
  held: Spread
  answers: Partial<Record<Effect['type'], (effect: Effect) => Answer | VenueFailure | 'silence'>>
}

export type Harness = {
  /** The core at work; another one after `restart`. */
  engine: Engine
  readonly venue: ToyVenue
  readonly observations: Observation[]
  readonly effects: Effect[]
  /** When each request of the key left, ascending. */
  readonly keyed: number[]
  readonly journal: Event[]
  now: number
  readonly state: () => EngineState
  /** Processes one event as it is. */
  readonly give: (event: Event) => Audit
  /** Answers everything that is asked until nothing is, then lets `ms` pass tick by tick. */
  readonly run: (ms: number) => void
  /** An operator's command, now; what the core said to it. */
  readonly order: (command: OperatorCommand) => Extract<Observation, { type: 'operator' }>
  /** The alerts with this code so far. */
  readonly alerts: (code: string) => Extract<Observation, { type: 'alert' }>[]
  /**
   * The process dies with every answer that is under way and another one takes over: from what a snapshot
   * of the state holds. What was sent did reach the venue.
   */
  readonly restart: (config?: CoreConfig) => void
}

const LATENCY_MS = 20

type HarnessOptions = {
  config?: Partial<CoreConfig>
  strategy?: LoadedStrategy
  /** Instead of `strategy`, for reloads that bring another one. */
  strategyFor?: (choice: StrategyChoice) => LoadedStrategy
  start?: number
  /** Differences from the venue's defaults, from the first answer on. */
  venue?: Partial<ToyVenue>
  /** Takes over a core that was recovered from a journal, with the configuration of its state. */
  recovered?: { readonly engine: Engine; readonly seq: number }
}

/** Returns a harness whose core has run for `ms`. */
export function runCore(ms: number, options?: HarnessOptions): Harness {
  const harness = coreHarness(options)
  harness.run(ms)
  return harness
}

/** The core against a toy venue on a virtual clock: quick, deterministic, no I/O. */
export function coreHarness(options: HarnessOptions = {}): Harness {
  const strategy = options.strategy ?? testStrategy()
  const parts = { strategyFor: options.strategyFor ?? (() => strategy), calendar: () => false }
  const start = options.start ?? 1_000_000
  const venue: ToyVenue = {
    mid: 2_500n * 10n ** 18n,
    rateUpdatedAt: start - 60_000,
    quotable: true,
    isActive: false,
    amounts: { ...zeroAmounts(), NTZS: 125_000_000n * 10n ** 18n, USDC: 50_000n * 10n ** 18n },
    fills: [],
    held: { bidBps: 500, askBps: 500, quoteBid: true, quoteAsk: true, quotePairs: null },
    answers: {},
    ...options.venue,
  }
  let seq = options.recovered?.seq ?? 0
  let wakeAt = Infinity
  const queue: { at: number; event: Event }[] = []
  const sentRows = new Set<string>()
  const harness: Harness = {
    engine: options.recovered?.engine ?? createEngine(parts),
    venue,
    observations: [],
    effects: [],
    keyed: [],
    journal: [],
    now: start,
    state() {
      const state = harness.engine.state()
      if (state === null) throw new Error('not started')
      return state
    },
    give(event) {
      seq += 1
      harness.journal.push(event)
      const audit = harness.engine.process(seq, event)
      harness.observations.push(...audit.observations)
      harness.effects.push(...audit.effects)
      wakeAt = audit.wakeAt
      for (const effect of audit.effects) {
        if (effect.type !== 'readBestQuote') harness.keyed.push(harness.now)
        schedule(effect)
      }
      return audit
    },
    run(ms) {
      const until = harness.now + ms
      for (;;) {
        queue.sort((a, b) => a.at - b.at)
        const next = queue[0]
        const at = Math.min(next?.at ?? Infinity, wakeAt)
        if (at > until) break
        harness.now = Math.max(harness.now, at)
        if (next !== undefined && next.at <= wakeAt) {
          queue.shift()
          harness.give(next.event)
        } else harness.give({ type: 'tick', t: harness.now })
      }
      harness.now = until
    },
    alerts: (code) =>
      harness.observations.flatMap((seen) => (seen.type === 'alert' && seen.code === code ? [seen] : [])),
    order(command) {
      const event = { type: 'operator', t: harness.now, who: 'amina', why: 'a test', command } as const
      const told = harness.give(event).observations.find(({ type }) => type === 'operator')
      if (told?.type !== 'operator') throw new Error('the core said nothing to the operator')
      return told
    },
    restart(config = harness.state().config) {
      const state = decodeJson(encodeJson(harness.state())) as EngineState
      harness.engine = createEngine({ ...parts, from: { state, seq } })
      queue.length = 0
      sentRows.clear()
      harness.give({ type: 'started', t: harness.now, version: 'test', config, isHandOver: true })
    },
  }

  function schedule(effect: Effect): void {
    const at = harness.now + LATENCY_MS
    const custom = venue.answers[effect.type]?.(effect) ?? answer(effect)
    if (custom === 'silence') return
    const base = { t: at, request: effect.id }
    const event =
      'kind' in custom ? { ...base, type: 'requestFailed', failure: custom } : { ...base, ...custom }
    queue.push({ at, event: event as Event })
  }

  function answer(effect: Effect): Answer {
    const sentAt = harness.now
    switch (effect.type) {
      case 'readAccount':
        return { type: 'account', isActive: venue.isActive, walletAddress: null }
      case 'readRate': {
        const { mid, rateUpdatedAt, quotable } = venue
        return { type: 'rate', mid, problem: null, rateUpdatedAt, quotable, venueTime: harness.now }
      }
      case 'readBalances':
        return { type: 'balances', sentAt, amounts: { ...venue.amounts }, source: null }
      case 'readFills': {
        const fills = venue.fills.filter((fill) => !sentRows.has(fill.id))
        for (const fill of fills) sentRows.add(fill.id)
        return {
          type: 'fills',
          sentAt,
          fills,
          quarantined: [],
          repeated: venue.fills.length - fills.length,
          windowFull: false,
        }
      }
      case 'readQuote': {
        const spreadBps = effect.side === 'bid' ? venue.held.bidBps : venue.held.askBps
        return {
          type: 'quoteRead',
          side: effect.side,
          spreadBps,
          mid: venue.mid,
          protocolFeeBps: 10,
          formula: 'divide',
        }
      }
      case 'readBestQuote':
        return {
          type: 'bestQuote',
          side: effect.side,
          probe: effect.probe,
          mid: venue.mid,
          bestBps: 70,
          protocolFeeBps: 10,
          lowLiquidity: false,
        }
      case 'setQuote':
        venue.held = effect.spread
        return { type: 'quoteSet', spread: effect.spread }
      case 'activate':
        venue.isActive = effect.isActive
        return { type: 'activation', isActive: effect.isActive, partial: false, returned: [] }
      case 'withdraw':
        venue.amounts[effect.asset] -= toBook(effect.amount, effect.asset)
        return { type: 'withdrawn', asset: effect.asset, amount: effect.amount, txHash: '0x1' }
      case 'readSolver':
      case 'readChain':
      case 'reserveOrder':
      case 'placeOrder':
      case 'withholdOrder':
      case 'cancelOrders':
        throw new Error(`${effect.type}: this harness has no chain`)
    }
  }

  const config = options.recovered === undefined ? coreConfig(options.config) : harness.state().config
  harness.give({ type: 'started', t: start, version: 'test', config })
  return harness
}

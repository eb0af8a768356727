import type { CoreConfig, StrategyChoice } from '../../src/core/engine/model/config.ts'
import type { Event } from '../../src/core/engine/model/event.ts'
import type { Observation } from '../../src/core/engine/model/observation.ts'
import type { VenueFailure } from '../../src/core/engine/model/venue-answer.ts'
import type { TargetOrder } from '../../src/core/rfq/build-order.ts'
import type { OpenOrder } from '../../src/core/rfq/open-order.ts'
import type { Hex, RfqOrder } from '../../src/core/rfq/rfq-order.ts'
import type { RfqSettings } from '../../src/core/rfq/rfq-settings.ts'
import type { StrategyContext } from '../../src/core/strategy/context.ts'
import type { LoadedStrategy } from '../../src/core/strategy/define-strategy.ts'
import { coreHarness, type Harness, type ToyVenue } from './core-harness.ts'
import { testStrategy } from './test-strategy.ts'
import { hashOfOrder, toyChain, type ToyChain } from './toy-chain.ts'

const address = (digit: string): Hex => `0x${digit.repeat(40)}`

export { hashOfOrder }
export const SOLVER: Hex = address('5')

/** Settings with plain values; a final block is three blocks deep. */
export function rfqSettings(change: Partial<RfqSettings> = {}): RfqSettings {
  return {
    chainId: 8453,
    exchange: address('e'),
    maker: address('a'),
    solver: null,
    tokens: { NTZS: address('1'), USDC: address('2'), USDT: address('3') },
    expiryMs: 120_000,
    maxLifeMs: null,
    maxOrderUsd: null,
    maxOutstandingUsd: null,
    refreshMs: 45_000,
    replaceThresholdBps: 5,
    promiseFactor: 1,
    maxOrders: 40,
    minOrderUsd: 1,
    minEdgeBps: 10,
    confirmations: 3,
    pollMs: 2_000,
    maxChainLagMs: 30_000,
    maxClockOffsetMs: 5_000,
    cancel: { policy: 'auto', usdPerEth: 3_000, pickOffsPerMinute: 0.5 },
    ...change,
  }
}

/** What the venue makes of an order: it takes it, or anything else that can come back. */
export type Placing =
  | 'placed'
  | Omit<Extract<Event, { type: 'orderFailed' }>, 't' | 'request' | 'type' | 'salt'>

export type OrderHarness = {
  readonly core: Harness
  readonly chain: ToyChain
  /** What the strategy wants standing; change it at will. */
  wishes: readonly TargetOrder[]
  /** By salt: orders whose signature left the process. */
  readonly held: Map<bigint, RfqOrder>
  /** The next orders' fate; by default all are taken. */
  placing: (order: RfqOrder) => Placing
  /** Whether chain readings are answered; the reading at hand may be replaced. */
  reading: ToyChain['read'] | 'silence' | VenueFailure
  /** A block every two seconds, or every `blockMs`, while time runs. */
  mines: boolean
  readonly owed: () => OpenOrder[]
  /** Has the strategy want something else, and asked. */
  readonly want: (wishes: readonly TargetOrder[]) => void
  /** Lets time pass, with blocks and answers. */
  readonly run: (ms: number) => void
  readonly seen: <T extends Observation['type']>(type: T) => Extract<Observation, { type: T }>[]
  readonly alerts: (code: string) => Extract<Observation, { type: 'alert' }>[]
}

export const BID: TargetOrder = { side: 'bid', stable: 'USDC', usd: 100, tzsPerUsd: 2_515 }
export const ASK: TargetOrder = { side: 'ask', stable: 'USDC', usd: 100, tzsPerUsd: 2_485 }

type OrderHarnessOptions = {
  rfq?: Partial<RfqSettings>
  config?: Partial<CoreConfig>
  wishes?: readonly TargetOrder[]
  venue?: Partial<ToyVenue>
  want?: (context: StrategyContext) => readonly TargetOrder[]
  /** The time between two blocks. */
  blockMs?: number
}

/** Returns an order harness whose core has run for `ms`. */
export function runOrders(ms: number, options?: OrderHarnessOptions): OrderHarness {
  const harness = orderHarness(options)
  harness.run(ms)
  return harness
}

/** The core in self-custody against a toy venue and a toy chain, on a virtual clock. */
export function orderHarness(options: OrderHarnessOptions = {}): OrderHarness {
  const settings = rfqSettings(options.rfq)
  const start = 1_000_000_000
  const { blockMs = 2_000 } = options
  const balances = { NTZS: 2_500_000n * 10n ** 18n, USDC: 1_000n * 10n ** 6n, USDT: 1_000n * 10n ** 6n }
  const chain = toyChain(settings, { t: start - 1_000, balances })
  const held = new Map<bigint, RfqOrder>()
  let harness: OrderHarness | null = null
  const current = () => harness!
  const strategyFor = (choice: StrategyChoice) =>
    wishingStrategy(choice, (context) => options.want?.(context) ?? current().wishes)
  const answers: ToyVenue['answers'] = {
    readSolver: () => ({ type: 'solver', solverWallet: SOLVER, chainId: null, exchange: null }),
    readChain(effect) {
      if (effect.type !== 'readChain' || current().reading === 'silence') return 'silence'
      const { reading } = current()
      if (typeof reading !== 'function') return reading
      const { orders, fillsFrom, after } = effect
      const read = reading(orders, fillsFrom)
      const isGone = after !== null && after.number <= read.head.number && !chain.isBelow(after, read.head)
      return {
        type: 'chainRead',
        sentAt: current().core.now,
        reading: isGone ? { ...read, isReorganised: true } : read,
      }
    },
    reserveOrder(effect) {
      if (effect.type !== 'reserveOrder') return 'silence'
      return { type: 'orderReserved', reservation: effect.reservation }
    },
    withholdOrder(effect) {
      if (effect.type !== 'withholdOrder') return 'silence'
      return { type: 'orderWithheld', salt: effect.salt, why: effect.why }
    },
    placeOrder(effect) {
      if (effect.type !== 'placeOrder') return 'silence'
      const { order } = effect
      const { salt } = order
      const hash = hashOfOrder(order)
      const fate = current().placing(order)
      if (fate === 'placed' || !fate.isVoid) held.set(salt, order)
      return fate === 'placed' ? { type: 'orderPlaced', salt, hash } : { type: 'orderFailed', salt, ...fate }
    },
    cancelOrders(effect) {
      if (effect.type !== 'cancelOrders') return 'silence'
      return { type: 'cancelSent', txHash: chain.submit({ kind: 'cancel', cancel: effect.cancel }) }
    },
    ...options.venue?.answers,
  }
  // The core asks as soon as it starts, so what answers it must be there before it is.
  const early: Partial<OrderHarness> = {
    chain,
    wishes: options.wishes ?? [BID, ASK],
    held,
    placing: () => 'placed',
    reading: (orders, fillsFrom, blocks) => chain.read(orders, fillsFrom, blocks),
    mines: true,
  }
  harness = early as OrderHarness
  const world = harness
  Object.assign(world, {
    core: { now: start },
    owed: () => Object.values(world.core.state().rfq.openOrders),
    want(wishes: readonly TargetOrder[]) {
      world.wishes = wishes
      const { config } = world.core.state()
      const strategy = { ...config.strategy, params: { wishes } }
      world.core.give({ type: 'reloaded', t: world.core.now, config: { ...config, strategy } })
    },
    run(ms: number) {
      const until = world.core.now + ms
      while (world.core.now < until) {
        world.core.run(Math.min(500, until - world.core.now))
        if (world.mines && world.core.now - chain.tip().t >= blockMs) chain.mine(world.core.now)
      }
    },
    seen: (type: string) => world.core.observations.filter((one) => one.type === type),
    alerts: (code: string) =>
      world.core.observations.filter((one) => one.type === 'alert' && one.code === code),
  })
  Object.assign(world, {
    core: coreHarness({
      strategyFor,
      start,
      config: { rfq: settings, ...options.config },
      venue: { ...options.venue, answers },
    }),
  })
  return world
}

/** Wants what its parameters say, so that a journal holds it; without any, what `otherwise` says. */
export function wishingStrategy(
  { params }: StrategyChoice,
  otherwise: (context: StrategyContext) => readonly TargetOrder[] = () => [],
): LoadedStrategy {
  const { wishes } = params as { readonly wishes?: readonly TargetOrder[] }
  return testStrategy((context) => ({
    bidBps: 60,
    askBps: 60,
    orders: wishes ?? otherwise(context),
    reasons: ['test'],
  }))
}

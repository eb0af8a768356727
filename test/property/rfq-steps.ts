import * as fc from 'fast-check'
import type { TargetOrder } from '../../src/core/rfq/build-order.ts'
import { failureOf } from '../support/failure-of.ts'
import type { OrderHarness } from '../support/order-harness.ts'
import type { ToyBlock } from '../support/toy-chain.ts'
import { CONFIRMATIONS, TOKENS, type Fate, type World } from './rfq-world.ts'

export type Step =
  | { readonly do: 'run'; readonly ms: number }
  | { readonly do: 'want'; readonly wishes: readonly TargetOrder[] }
  | { readonly do: 'fate'; readonly fate: Fate }
  | { readonly do: 'fill'; readonly which: number; readonly part: number; readonly thenMs: number }
  | { readonly do: 'mine'; readonly blocks: number; readonly holdsBack: number }
  | {
      readonly do: 'reorganise'
      readonly depth: number
      readonly drops: number
      readonly longer: number
      readonly thenMs: number
      readonly fillsBefore: boolean
    }
  | { readonly do: 'see'; readonly what: 'honest' | 'behind' | 'abandoned' | 'nothing' | 'failure' }
  | { readonly do: 'cancel'; readonly which: number | null }
  | { readonly do: 'restart'; readonly custody: 'on' | 'off' }
  | { readonly do: 'move'; readonly asset: (typeof TOKENS)[number]; readonly percent: number }
  | { readonly do: 'allow'; readonly asset: (typeof TOKENS)[number]; readonly percent: number }
  | { readonly do: 'withdraw'; readonly asset: (typeof TOKENS)[number]; readonly percent: number }
  | { readonly do: 'explain' }
  | { readonly do: 'settle' }
  | { readonly do: 'halt' }

const wish: fc.Arbitrary<TargetOrder> = fc.record({
  side: fc.constantFrom('bid', 'ask'),
  stable: fc.constantFrom('USDC', 'USDT'),
  usd: fc.integer({ min: 1, max: 700 }),
  tzsPerUsd: fc.integer({ min: 24_500, max: 25_500 }).map((tenths) => tenths / 10),
})

/** Anything that can happen to a wallet, its chain and its core. */
export const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant('run' as const), ms: fc.integer({ min: 1, max: 15_000 }) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('want' as const),
      wishes: fc.array(wish, { minLength: 1, maxLength: 8 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('fate' as const),
      fate: fc.constantFrom<Fate>(
        'placed',
        'placed',
        'refused',
        'unknown',
        'void',
        'unsure-signer',
        'lost-outside',
        'lost-inside',
      ),
    }),
  },
  {
    weight: 10,
    arbitrary: fc.record({
      do: fc.constant('fill' as const),
      which: fc.nat(),
      part: fc.oneof(
        fc.constant(1),
        fc.integer({ min: 1, max: 99 }).map((percent) => percent / 100),
      ),
      thenMs: fc.constantFrom(0, 0, 2_500),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('mine' as const),
      blocks: fc.integer({ min: 1, max: 4 }),
      holdsBack: fc.integer({ min: 0, max: 15 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('reorganise' as const),
      depth: fc.integer({ min: 1, max: CONFIRMATIONS }),
      drops: fc.integer({ min: 0, max: 7 }),
      longer: fc.integer({ min: 0, max: 3 }),
      thenMs: fc.constantFrom(0, 2_500),
      fillsBefore: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('see' as const),
      what: fc.constantFrom('honest', 'honest', 'behind', 'abandoned', 'nothing', 'failure'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('cancel' as const), which: fc.option(fc.nat(), { nil: null }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('restart' as const),
      custody: fc.constantFrom('on', 'on', 'on', 'off'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('move' as const),
      asset: fc.constantFrom(...TOKENS),
      percent: fc.integer({ min: -60, max: 60 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('allow' as const),
      asset: fc.constantFrom(...TOKENS),
      percent: fc.integer({ min: 0, max: 150 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('withdraw' as const),
      asset: fc.constantFrom(...TOKENS),
      percent: fc.integer({ min: 1, max: 60 }),
    }),
  },
  { weight: 2, arbitrary: fc.constant({ do: 'explain' } as const) },
  { weight: 6, arbitrary: fc.constant({ do: 'settle' } as const) },
  { weight: 1, arbitrary: fc.constant({ do: 'halt' } as const) },
)

/** Has it happen. */
export function take(world: World, one: Step): void {
  const { core, chain, pace } = world
  const orders = [...world.held.values()]
  switch (one.do) {
    case 'run':
      return world.run(pace * one.ms)
    case 'want':
      return world.want(one.wishes)
    case 'fate':
      world.fate = one.fate
      return
    case 'fill': {
      const open = orders.filter((order) => chain.status(order) === 'FILLABLE')
      const order = open[one.which % Math.max(1, open.length)]
      const taker = order === undefined ? 0n : BigInt(Math.floor(Number(order.takerAmount) * one.part))
      if (order !== undefined && taker > 0n) chain.submit({ kind: 'fill', order, takerAmount: taker })
      if (one.thenMs > 0) chain.mine(core.now)
      return world.run(pace * one.thenMs)
    }
    case 'mine':
      for (let i = 0; i < one.blocks; i++)
        chain.mine(core.now, (_, index) => (one.holdsBack & (1 << (index % 4))) === 0)
      return
    case 'reorganise':
      if (one.fillsBefore) {
        take(world, { do: 'fill', which: one.depth, part: one.longer === 0 ? 1 : 0.4, thenMs: 2_500 })
      }
      chain.reorganise(one.depth, (index) => (one.drops & (1 << (index % 3))) !== 0)
      for (let i = 0; i < one.depth + one.longer; i++)
        chain.mine(core.now, (_, index) => (index + i) % 2 === 0 || i >= one.depth)
      return world.run(pace * one.thenMs)
    case 'see':
      return see(world, one.what)
    case 'cancel': {
      const salts = one.which === null ? null : [orders[one.which % Math.max(1, orders.length)]?.salt ?? 0n]
      core.order({ name: 'cancelOrders', salts })
      return
    }
    case 'restart':
      return core.restart({ ...core.state().config, rfq: one.custody === 'on' ? world.rfq : null })
    case 'move':
    case 'allow': {
      const amount = (chain.tip().after.balances[one.asset] * BigInt(one.percent)) / 100n
      chain.submit({ kind: one.do, asset: one.asset, amount })
      return
    }
    case 'withdraw': {
      const amount = (chain.tip().after.balances[one.asset] * BigInt(one.percent)) / 100n
      core.order({ name: 'withdraw', asset: one.asset, amount, toAddress: '0xd' })
      return
    }
    case 'explain':
      world.explainedBlind ||= core.state().config.rfq === null
      core.order({ name: 'resume', book: 'adjustment' })
      return
    case 'settle':
      see(world, 'honest')
      if (core.state().config.rfq === null) core.restart({ ...core.state().config, rfq: world.rfq })
      world.fate = 'placed'
      world.run(pace * 4_000)
      core.order({ name: 'resume', book: 'adjustment' })
      return world.run(pace * 8_000)
    case 'halt':
      core.order({ name: 'halt' })
  }
}

export function see(world: World, what: 'honest' | 'behind' | 'abandoned' | 'nothing' | 'failure'): void {
  const { chain } = world
  const other =
    (blocks: readonly ToyBlock[]): OrderHarness['reading'] =>
    (orders, from) =>
      chain.read(orders, from, blocks)
  if (what === 'honest') world.reading = (orders, from) => chain.read(orders, from)
  if (what === 'behind') world.reading = (orders, from) => chain.read(orders, from, chain.blocks.slice(0, -1))
  if (what === 'abandoned') world.reading = other(chain.abandoned.at(-1) ?? chain.blocks)
  if (what === 'nothing') world.reading = failureOf('timeout')
  if (what === 'failure') world.reading = failureOf('network')
}

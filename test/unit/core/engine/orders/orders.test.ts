import { describe, expect, it } from 'vitest'
import { buildView } from '../../../../../src/daemon/view/position-view.ts'
import { bookAmounts } from '../../../../../src/base/money/asset.ts'
import type { Hex } from '../../../../../src/core/rfq/rfq-order.ts'
import { coreConfig } from '../../../../support/core-config.ts'
import { failureOf } from '../../../../support/failure-of.ts'
import {
  ASK,
  BID,
  orderHarness,
  SOLVER,
  rfqSettings,
  type OrderHarness,
  runOrders,
} from '../../../../support/order-harness.ts'
import { rateAnswer, refused } from '../../../../support/answers.ts'

function placed(world: OrderHarness) {
  return world.core.effects.filter((effect) => effect.type === 'placeOrder')
}

/** The venue names this solver, chain and exchange. */
function nameSolver(
  world: OrderHarness,
  change: { solverWallet?: Hex; chainId?: number; exchange?: Hex },
): void {
  const info = { type: 'solver', solverWallet: SOLVER, chainId: null, exchange: null, ...change } as const
  world.core.venue.answers.readSolver = () => info
}

/** The chain is read with orders that contradict their fills. */
function contradict(world: OrderHarness): void {
  world.reading = (orders, from) => {
    const reading = world.chain.read(orders, from)
    return { ...reading, orders: reading.orders.map((order) => ({ ...order, takerFilled: 5n })) }
  }
}

/** How many orders are signed in the half minute from here on, while the fair value walks away from those that stand. */
function signedFromNow(world: OrderHarness): number {
  const before = placed(world).length
  for (let i = 1; i <= 6; i++) {
    world.want([BID, ASK].map((wish) => ({ ...wish, tzsPerUsd: wish.tzsPerUsd * (1 + i / 500) })))
    world.run(5_000)
  }
  return placed(world).length - before
}

function running(options: Parameters<typeof orderHarness>[0] = {}): OrderHarness {
  return runOrders(10_000, options)
}

describe('orders', () => {
  it('stand once venue, chain, solver and books are known', () => {
    const world = running()
    expect(world.owed().map(({ phase, side }) => [phase, side])).toEqual([
      ['open', 'bid'],
      ['open', 'ask'],
    ])
  })

  it('are reserved in the very turn that asks for their signature', () => {
    const world = orderHarness()
    while (placed(world).length === 0) world.run(10)
    expect(world.owed().map(({ order }) => order.salt)).toEqual(placed(world).map(({ order }) => order.salt))
  })

  it('are signed once while nothing changes, and again shortly before they expire', () => {
    const world = running()
    world.run(60_000)
    expect(placed(world)).toHaveLength(2)
    world.run(20_000)
    expect(placed(world)).toHaveLength(4)
  })

  it('are replaced once the venue has another solver, which cannot fill those for the former one', () => {
    const world = running({ rfq: { expiryMs: 3_600_000 } })
    const solverWallet = `0x${'4'.repeat(40)}` as const
    nameSolver(world, { solverWallet })
    world.run(660_000)
    expect(placed(world)).toHaveLength(4)
    for (const { order } of placed(world).slice(-2)) expect(order.taker).toBe(solverWallet)
    world.run(60_000)
    expect(placed(world)).toHaveLength(4)
  })

  it('are replaced where the price moved further than the threshold, and only there', () => {
    const world = running()
    world.want([{ ...BID, tzsPerUsd: BID.tzsPerUsd * 1.0004 }, ASK])
    world.run(20_000)
    expect(placed(world)).toHaveLength(2)
    world.want([{ ...BID, tzsPerUsd: BID.tzsPerUsd * 1.0006 }, ASK])
    world.run(20_000)
    expect(placed(world)).toHaveLength(3)
  })

  it('never promise more than the wallet has, and stay as they are where it does not cover what is wanted', () => {
    const world = running({
      wishes: [{ ...BID, usd: 800 }],
      rfq: { cancel: { policy: 'always', usdPerEth: 1, pickOffsPerMinute: 1 } },
    })
    world.want([{ ...BID, usd: 1_200 }])
    world.run(40_000)
    expect(world.seen('cancelSent')).toEqual([])
    expect(placed(world)).toHaveLength(1)
  })

  it('never number more than rfq.maxOrders', () => {
    const wishes = Array.from({ length: 30 }, (_, i) => ({ ...BID, usd: 10, tzsPerUsd: 2_515 + 10 * i }))
    const world = running({ wishes, rfq: { maxOrders: 7 } })
    world.run(30_000)
    expect(world.owed()).toHaveLength(7)
  })

  it('share the requests with everything else, and never go over what is allowed', () => {
    const wishes = Array.from({ length: 40 }, (_, i) => ({ ...BID, usd: 10, tzsPerUsd: 2_515 + 10 * i }))
    const world = runOrders(180_000, { wishes })
    const { keyed } = world.core
    const isRead = new Set(['readChain', 'reserveOrder', 'cancelOrders', 'readBestQuote'])
    const counted = world.core.effects.filter(({ type }) => !isRead.has(type)).length
    expect(counted).toBeGreaterThan(100)
    const paid = world.core.effects.flatMap(({ type }, i) => (type === 'readBestQuote' ? [] : [{ type, i }]))
    expect(paid).toHaveLength(keyed.length)
    const times = keyed.filter((_, i) => !isRead.has(paid[i]!.type))
    for (const [i, at] of times.entries()) {
      const minute = times.slice(i).filter((other) => other < at + 60_000)
      expect(minute.length).toBeLessThanOrEqual(60)
    }
  })

  it('have salts that grow, also across a restart', () => {
    const world = running()
    world.core.restart()
    world.want([BID, ASK].map((wish) => ({ ...wish, tzsPerUsd: wish.tzsPerUsd * 1.01 })))
    world.run(10_000)
    const salts = placed(world).map(({ order }) => order.salt)
    expect(salts.length).toBeGreaterThan(3)
    for (const [i, salt] of salts.entries()) if (i > 0) expect(salt).toBeGreaterThan(salts[i - 1]!)
  })
})

describe('no order is signed while', () => {
  it('nothing is in the way: then they are (the control of the tests below)', () => {
    expect(signedFromNow(running())).toBeGreaterThan(4)
  })

  const cases: Record<string, (world: OrderHarness) => void> = {
    'the mid is not usable': (world) => {
      world.core.venue.answers.readRate = () =>
        rateAnswer({ mid: null, problem: 'it is zero', rateUpdatedAt: null, venueTime: null })
      world.run(7_000)
    },
    'the mid is too old': (world) => {
      world.core.venue.rateUpdatedAt = world.core.now - 345_600_001
      world.run(7_000)
    },
    'the position is halted': (world) => {
      world.core.order({ name: 'halt' })
    },
    'it is paused': (world) => {
      world.core.order({ name: 'pause' })
    },
    'the chain stands still': (world) => {
      world.mines = false
      world.run(30_000)
    },
    'the chain is not read': (world) => {
      world.reading = failureOf('network')
      world.run(32_000)
    },
    'the venue has another time than we have': (world) => {
      world.core.venue.answers.readRate = () =>
        rateAnswer({
          mid: 2_500n * 10n ** 18n,
          rateUpdatedAt: world.core.now,
          venueTime: world.core.now + 7_000,
        })
      world.run(7_000)
    },
    'the chain is ahead of our time': (world) => {
      world.reading = (orders, from) => {
        const reading = world.chain.read(orders, from)
        return { ...reading, head: { ...reading.head, t: world.core.now + 7_000 } }
      }
      world.run(3_000)
    },
    'the venue names another solver than the configuration': (world) => {
      world.core.restart(coreConfig({ rfq: rfqSettings({ solver: `0x${'7'.repeat(40)}` }) }))
    },
    'the solver is not known': (world) => {
      world.core.venue.answers.readSolver = () => failureOf('network')
      world.core.restart()
    },
    'the venue names no one as solver': (world) => {
      nameSolver(world, { solverWallet: `0x${'0'.repeat(40)}` })
      world.core.restart()
    },
    'the venue is on another chain': (world) => {
      nameSolver(world, { chainId: 56 })
      world.core.restart()
    },
    'the venue names another exchange': (world) => {
      nameSolver(world, { exchange: `0x${'6'.repeat(40)}` })
      world.core.restart()
    },
    'the capital is in the pool': (world) => {
      world.core.venue.isActive = true
      world.core.restart()
    },
    'no one knows whether the capital is in the pool': (world) => {
      world.core.venue.answers.readAccount = () => failureOf('network')
      world.core.restart()
    },
    'the venue says that self-custody is off': (world) => {
      world.placing = () => rejection('NOT_SELF_CUSTODY')
      world.want([{ ...BID, tzsPerUsd: 2_600 }])
      world.run(1_000)
    },
    'the books are in a gap': (world) => {
      world.chain.submit({ kind: 'move', asset: 'USDT', amount: 10n ** 9n })
      world.run(10_000)
    },
    'an endpoint contradicts itself': (world) => {
      contradict(world)
      world.run(3_000)
    },
    'the key is refused': (world) => {
      world.core.venue.answers.readRate = () => failureOf('auth')
      // The second refusal, five seconds after the first or later, is the one that counts.
      world.run(20_000)
    },
    'the daemon is shutting down': (world) => {
      world.core.order({ name: 'shutdown' })
    },
    'it is a dry run': (world) => {
      world.core.restart(coreConfig({ mode: 'dry-run', rfq: rfqSettings() }))
    },
  }

  function rejection(code: string) {
    const failure = { ...failureOf('refused'), code, status: 409 }
    return { hash: null, stage: 'submit', isVoid: false, failure } as const
  }

  for (const [what, happens] of Object.entries(cases)) {
    it(what, () => {
      const world = running()
      happens(world)
      expect(signedFromNow(world)).toBe(0)
    })
  }

  it('the position is being taken into the pool', () => {
    const world = orderHarness({ config: { rfq: null }, wishes: [BID] })
    world.core.venue.answers.activate = () => 'silence'
    world.run(10_000)
    expect(world.core.state().activation).toMatchObject({ isActive: false })
    expect(world.core.state().activation.inFlight).not.toBeNull()
    world.core.give({ type: 'reloaded', t: world.core.now, config: coreConfig({ rfq: rfqSettings() }) })
    world.run(20_000)
    expect(placed(world)).toEqual([])
    expect(world.core.state().orders.blocked).toContain('into or out of')
  })

  it('says an endpoint contradicts itself once an order, and signs again when it has stopped', () => {
    const world = running()
    const honest = world.reading
    contradict(world)
    world.run(20_000)
    expect(world.alerts('chain-disagrees')).toHaveLength(2)
    expect(world.owed()).toHaveLength(2)
    world.reading = honest
    world.run(5_000)
    expect(signedFromNow(world)).toBeGreaterThan(0)
  })
})

describe('a ladder of which nothing stands', () => {
  const rows: readonly (readonly [string, Parameters<typeof orderHarness>[0], RegExp])[] = [
    ['none is wanted', { wishes: [] }, /^the strategy wants no order: test$/],
    [
      'the wanted ones are too small',
      { wishes: [{ ...BID, usd: 5 }, ASK], rfq: { minOrderUsd: 101 } },
      /^none of the 2 wanted orders can be placed; the first: its size is 5 dollars, below rfq.minOrderUsd of 101$/,
    ],
    [
      'the wallet has too little',
      { wishes: [{ ...BID, usd: 1_500 }], rfq: { minOrderUsd: 1_200 } },
      /the available USDC is worth 1000.00 dollars, below rfq.minOrderUsd of 1200$/,
    ],
    [
      'the wallet has no such token',
      { wishes: [{ ...BID, stable: 'USDT.bnb' }] },
      /the first: rfq.tokens names no USDT.bnb$/,
    ],
  ]
  it.each(rows)('says that %s', (_why, options, words) => {
    const world = running(options)
    expect(world.owed()).toEqual([])
    const view = () => buildView(world.core.state(), world.core.now, { seq: 1, digest: '' }).rfq
    expect(view()?.blocked).toMatch(words)
    world.core.restart(coreConfig({ rfq: rfqSettings() }))
    world.want([BID])
    world.run(10_000)
    expect(view()?.blocked).toBeNull()
  })

  it('says who halted it', () => {
    const world = running()
    world.core.order({ name: 'halt' })
    world.run(20_000)
    const view = buildView(world.core.state(), world.core.now, { seq: 1, digest: '' })
    expect(view.rfq?.blocked).toMatch(/halted by amina/)
  })
})

describe('the pool and the orders', () => {
  it('pool and orders never share capital: activation is refused while an order is outstanding, and an operator is notified', () => {
    const world = running()
    world.core.restart(coreConfig({ activation: 'auto', rfq: null }))
    world.core.order({ name: 'activate' })
    world.run(60_000)
    expect(world.core.effects.some(({ type }) => type === 'activate')).toBe(false)
    expect(world.alerts('orders-left')).toHaveLength(1)
    expect(world.owed()).toHaveLength(2)
  })

  it('change over once the orders have ended', () => {
    const world = running()
    world.want([])
    world.run(150_000)
    expect(world.owed()).toEqual([])
    world.core.venue.amounts = bookAmounts(world.chain.tip().after.balances)
    world.core.restart(coreConfig({ activation: 'auto', rfq: null }))
    world.run(20_000)
    expect(world.core.effects.some((effect) => effect.type === 'activate' && effect.isActive)).toBe(true)
  })

  it('never ask for activation while self-custody is on', () => {
    const world = running()
    expect(world.core.order({ name: 'activate' }).accepted).toBe(false)
    world.run(30_000)
    expect(world.core.effects.some(({ type }) => type === 'activate')).toBe(false)
  })
})

describe('a new process', () => {
  it('owes every order that the old one signed, also one that was being signed', () => {
    const world = running()
    world.placing = () => 'placed'
    world.core.venue.answers.placeOrder = () => 'silence'
    world.want([BID, ASK, { ...BID, tzsPerUsd: 2_600 }])
    world.run(1_000)
    expect(world.owed().map(({ phase }) => phase)).toEqual(['open', 'open', 'placing'])
    world.core.restart()
    expect(world.owed().map(({ phase }) => phase)).toEqual(['open', 'open', 'unknown'])
    world.run(200_000)
    expect(world.owed().filter(({ reservedAt }) => reservedAt < 1_000_011_000)).toEqual([])
  })

  it('does what an operator asked the old one for', () => {
    const world = running()
    world.core.venue.answers.cancelOrders = () => 'silence'
    const salts = world.owed().map(({ order }) => order.salt)
    world.core.order({ name: 'cancelOrders', salts: null })
    expect(world.seen('cancelSent').flatMap((sent) => sent.salts)).toEqual(salts)
    delete world.core.venue.answers.cancelOrders
    const sent = world.core.effects.length
    world.core.venue.answers.cancelOrders = () => ({ type: 'cancelSent', txHash: `0x${'f'.repeat(64)}` })
    world.core.restart()
    world.run(20_000)
    const again = world.core.effects.slice(sent).filter(({ type }) => type === 'cancelOrders')
    expect(again).toHaveLength(2)
  })

  it('that may not cancel what the old one signed says so to who asks for it', () => {
    const world = running()
    const cancelAll = () => world.core.order({ name: 'cancelOrders', salts: null })
    world.core.restart(coreConfig({ rfq: rfqSettings(), mode: 'dry-run' }))
    expect(cancelAll()).toMatchObject(refused('dry run'))
    world.core.restart(coreConfig({ rfq: rfqSettings({ maker: `0x${'b'.repeat(40)}` }) }))
    expect(cancelAll()).toMatchObject(refused('another wallet'))
    world.core.restart(coreConfig({ rfq: rfqSettings() }))
    expect(cancelAll().accepted).toBe(true)
    world.run(20_000)
    expect(world.seen('orderResolved')).toMatchObject([{ how: 'cancelled' }, { how: 'cancelled' }])
  })

  it('with another wallet signs nothing and forgets nothing until the orders of the former one have ended', () => {
    const world = running()
    const other = rfqSettings({ maker: `0x${'b'.repeat(40)}` })
    world.core.restart(coreConfig({ rfq: other }))
    const before = placed(world).length
    world.run(20_000)
    expect(placed(world)).toHaveLength(before)
    expect(world.owed()).toHaveLength(2)
    expect(world.alerts('orders-left')).toHaveLength(1)
    world.core.restart(coreConfig({ rfq: rfqSettings() }))
    world.want([])
    world.run(150_000)
    expect(world.owed()).toEqual([])
    world.core.restart(coreConfig({ rfq: other }))
    expect(world.core.state().rfq).toMatchObject({ chain: null, fillsFrom: null })
    world.run(10_000)
    expect(world.core.state().rfq.chain).not.toBeNull()
  })
})

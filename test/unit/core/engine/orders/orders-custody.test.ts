import { describe, expect, it } from 'vitest'
import type { Fill } from '../../../../../src/core/ledger/fills/fill.ts'
import { identityResidual } from '../../../../../src/core/ledger/book/pnl.ts'
import { bookAmounts } from '../../../../../src/base/money/asset.ts'
import type { Hex } from '../../../../../src/core/rfq/rfq-order.ts'
import {
  BID,
  orderHarness,
  rfqSettings,
  type OrderHarness,
  runOrders,
} from '../../../../support/order-harness.ts'
import { coreConfig } from '../../../../support/core-config.ts'

function standing(world: OrderHarness) {
  return world.owed().map(({ order }) => order)
}

/** A world that has quoted for ten seconds, and a transaction, not mined yet, that takes its bid whole. */
function filledWhole(): { readonly world: OrderHarness; readonly hash: Hex } {
  const world = runOrders(10_000)
  const [bid] = standing(world)
  return { world, hash: world.chain.submit({ kind: 'fill', order: bid!, takerAmount: bid!.takerAmount }) }
}

/** A row as GET /fills may list a fill that the chain has too. */
function rowOf(txHash: Hex | null, over: Partial<Fill> = {}): Fill {
  return {
    id: 'row-1',
    side: 'bid',
    inAsset: 'NTZS',
    amountIn: 251_500n * 10n ** 18n,
    outAsset: 'USDC',
    amountOut: 100n * 10n ** 18n,
    fee: 0n,
    earnedText: null,
    txHash,
    createdAt: null,
    raw: '{}',
    ...over,
  }
}

function booked(world: OrderHarness, kind = 'fill') {
  return world.seen('entryPosted').filter(({ entry }) => entry.kind === kind)
}

function walletOf(world: OrderHarness) {
  const { wallet, pool } = world.core.state().book.accounts
  return { NTZS: wallet.NTZS + pool.NTZS, USDC: wallet.USDC + pool.USDC }
}

function expectBooksEqualChain(world: OrderHarness): void {
  const { NTZS, USDC } = bookAmounts(world.chain.tip().after.balances)
  expect(walletOf(world)).toEqual({ NTZS, USDC })
  expect(world.core.state().reconciliation.state).toBe('reconciled')
  expect(identityResidual(world.core.state().book)).toEqual({ tzs: 0n, usd: 0n })
}

describe('the fills of orders', () => {
  it('are booked in the wallet, once, and the books equal the chain', () => {
    const world = runOrders(10_000)
    const [bid, ask] = standing(world)
    world.chain.submit({ kind: 'fill', order: bid!, takerAmount: bid!.takerAmount / 3n })
    world.chain.submit({ kind: 'fill', order: ask!, takerAmount: ask!.takerAmount })
    world.run(20_000)
    expect(booked(world)).toHaveLength(2)
    expect(world.seen('orderFilled')).toHaveLength(2)
    expectBooksEqualChain(world)
  })

  it('are not booked before the books are opened, for then they are in the opening', () => {
    const world = runOrders(10_000)
    const [bid] = standing(world)
    // Another store, and a wallet whose orders it does not know.
    const fresh = runOrders(8_000, { venue: { answers: { readAccount: () => 'silence' } }, wishes: [] })
    expect(fresh.core.state().reconciliation.opened).toBe(false)
    fresh.chain.submit({ kind: 'fill', order: bid!, takerAmount: bid!.takerAmount })
    fresh.run(4_000)
    const { now: t } = fresh.core
    fresh.core.give({ type: 'account', t, request: 0, isActive: false, walletAddress: null })
    fresh.run(20_000)
    expect(booked(fresh)).toHaveLength(0)
    expectBooksEqualChain(fresh)
  })

  it('wait for a reading that was asked for their order, however the clocks of core and shell differ', () => {
    const world = runOrders(10_000, { wishes: [] })
    world.reading = 'silence'
    world.run(4_000)
    const request = world.core.state().nextRequest - 1
    const question = world.core.effects.findLast(({ type }) => type === 'readChain')
    expect(question).toMatchObject({ orders: [] })
    world.placing = () => ({ hash: null, stage: 'submit', isVoid: false, failure: NO_ANSWER })
    world.wishes = [BID]
    world.run(30_000)
    const [order] = standing(world)
    world.chain.submit({ kind: 'fill', order: order!, takerAmount: order!.takerAmount })
    world.chain.mine(world.core.now)
    // The shell got to the question only now: by its own word it asked after the order was reserved.
    const reading = world.chain.read([], world.core.state().rfq.fillsFrom)
    world.reading = (orders, from) => world.chain.read(orders, from)
    const id = question?.id ?? request
    world.core.give({ type: 'chainRead', t: world.core.now, request: id, sentAt: world.core.now, reading })
    expect(booked(world)).toHaveLength(0)
    world.run(10_000)
    expect(booked(world)).toHaveLength(1)
    expect(world.alerts('order-unknown')).toEqual([])
    expectBooksEqualChain(world)
  })

  it('of an order that no one here signed are booked, with an alarm', () => {
    const world = runOrders(10_000)
    const [bid] = standing(world)
    world.chain.submit({ kind: 'fill', order: { ...bid!, salt: 17n }, takerAmount: bid!.takerAmount })
    world.run(10_000)
    expect(booked(world)).toHaveLength(1)
    expect(world.alerts('order-unknown')).toHaveLength(1)
    expectBooksEqualChain(world)
  })

  it('are of a known order also where the same reading says that it has ended for good', () => {
    const world = runOrders(10_000, { rfq: { confirmations: 0 } })
    const [bid] = standing(world)
    world.chain.submit({ kind: 'fill', order: bid!, takerAmount: bid!.takerAmount })
    world.run(10_000)
    expect(world.seen('orderFilled')).toMatchObject([{ salt: bid!.salt, isWhole: true }])
    expect(world.alerts('order-unknown')).toEqual([])
    expectBooksEqualChain(world)
  })

  it('a fill in an unknown token raises one notice', () => {
    const world = runOrders(10_000)
    const foreign: Hex = `0x${'9'.repeat(40)}`
    const [bid] = standing(world)
    const { hash, number: block } = world.chain.tip()
    world.reading = (orders, from) => {
      const reading = world.chain.read(orders, from)
      const fill = { ...bid!, key: 'f:0', orderHash: hash, block, txHash: hash }
      return { ...reading, fills: [...reading.fills, { ...fill, makerToken: foreign, salt: null }] }
    }
    world.run(6_000)
    expect(world.alerts('order-unknown')).toHaveLength(1)
  })

  it('that a reorganisation takes away are taken back by name, and booked again where they come back', () => {
    const world = runOrders(10_000)
    const [bid] = standing(world)
    world.mines = false
    world.chain.submit({ kind: 'fill', order: bid!, takerAmount: bid!.takerAmount })
    world.chain.mine(world.core.now)
    world.run(3_000)
    world.chain.reorganise(1)
    world.chain.mine(world.core.now, () => false)
    world.run(3_000)
    const [fill] = booked(world)
    expect(booked(world, 'fill-undone').map(({ entry }) => entry.fillId)).toEqual([fill!.entry.fillId])
    expectBooksEqualChain(world)
    world.mines = true
    world.run(20_000)
    expect(booked(world)).toHaveLength(2)
    expectBooksEqualChain(world)
  })
})

const NO_ANSWER = {
  kind: 'timeout',
  code: 'TIMEOUT',
  status: null,
  route: 'POST /rfq/orders',
  message: 'POST /rfq/orders: no answer',
  retriable: true,
  outcome: 'unknown',
  retryAfterMs: null,
} as const

describe('a difference that fills of orders explain', () => {
  it('is not booked a second time by an operator who was shown it before', () => {
    const world = runOrders(10_000)
    const [bid] = standing(world)
    world.core.venue.answers.readBalances = () => ({
      type: 'balances',
      sentAt: world.core.now,
      amounts: bookAmounts(world.chain.tip().after.balances),
      source: null,
    })
    world.core.restart(coreConfig({ activation: 'manual', rfq: null }))
    world.chain.submit({ kind: 'fill', order: bid!, takerAmount: bid!.takerAmount })
    world.run(150_000)
    expect(world.core.state().reconciliation.state).toBe('break')
    // The account does not answer, so the wallet cannot be compared when the chain is read.
    world.core.venue.answers.readAccount = () => 'silence'
    world.core.restart(coreConfig({ rfq: rfqSettings() }))
    world.run(4_000)
    expect(booked(world)).toHaveLength(1)
    world.core.order({ name: 'resume', book: 'adjustment' })
    expect(booked(world, 'adjustment')).toEqual([])
    delete world.core.venue.answers.readAccount
    world.core.restart(coreConfig({ rfq: rfqSettings() }))
    world.run(70_000)
    expectBooksEqualChain(world)
  })
})

describe('a row of the venue', () => {
  it('that comes before the chain tells is held until it does, and then dropped', () => {
    const { world, hash } = filledWhole()
    world.core.venue.fills = [rowOf(hash)]
    world.mines = false
    world.run(6_000)
    expect(world.core.state().orders.heldRows).toHaveLength(1)
    world.mines = true
    world.run(60_000)
    expect(booked(world)).toHaveLength(1)
    expectBooksEqualChain(world)
  })

  it('that comes after the chain told is dropped, in any letters', () => {
    const { world, hash } = filledWhole()
    world.run(10_000)
    world.core.venue.fills = [rowOf(hash.toUpperCase().replace('0X', '0x') as Hex)]
    world.run(60_000)
    expect(booked(world)).toHaveLength(1)
    expectBooksEqualChain(world)
  })

  it('that is the first thing a new process hears is not booked beside the chain', () => {
    const { world, hash } = filledWhole()
    world.chain.mine(world.core.now)
    world.core.venue.fills = [rowOf(hash)]
    let isSilent = true
    world.core.venue.answers.readAccount = () =>
      isSilent ? 'silence' : { type: 'account', isActive: false, walletAddress: null }
    world.reading = 'silence'
    world.core.restart()
    world.run(6_000)
    isSilent = false
    world.reading = (orders, from) => world.chain.read(orders, from)
    world.core.restart()
    world.run(60_000)
    expect(booked(world)).toHaveLength(1)
    expectBooksEqualChain(world)
  })

  it('that is held when the process dies is still held by the next one', () => {
    const { world, hash } = filledWhole()
    world.core.venue.fills = [rowOf(hash)]
    world.mines = false
    world.run(6_000)
    world.core.restart()
    world.mines = true
    world.run(60_000)
    expect(booked(world)).toHaveLength(1)
    expectBooksEqualChain(world)
  })

  it('that no transaction explains is booked after half a minute, and the books say what they think of it', () => {
    const world = runOrders(10_000)
    world.core.venue.fills = [rowOf(null)]
    world.run(25_000)
    expect(booked(world)).toHaveLength(0)
    world.run(20_000)
    expect(booked(world)).toHaveLength(1)
    expect(world.core.state().reconciliation.state).not.toBe('reconciled')
  })

  it('of an order that is outstanding waits for the chain also while the configuration has no rfq section', () => {
    const { world, hash } = filledWhole()
    world.core.restart(coreConfig({ activation: 'manual' }))
    world.run(4_000)
    world.core.venue.fills = [rowOf(hash)]
    world.core.venue.amounts = bookAmounts(world.chain.tip().after.balances)
    world.run(30_000)
    world.core.restart(coreConfig({ rfq: rfqSettings() }))
    world.run(60_000)
    expect(booked(world)).toHaveLength(1)
    expectBooksEqualChain(world)
  })

  it('that is held is booked with the pool again once self-custody is off', () => {
    const world = runOrders(10_000, { wishes: [] })
    world.core.venue.fills = [rowOf(null)]
    world.run(6_000)
    expect(world.core.state().orders.heldRows).toHaveLength(1)
    world.core.restart(coreConfig({ activation: 'manual' }))
    world.run(10_000)
    expect(booked(world)).toHaveLength(1)
    expect(world.core.state().orders.heldRows).toEqual([])
  })
})

const LADDER = [
  { ...BID, usd: 100 },
  { ...BID, usd: 300, tzsPerUsd: 2_520 },
  { ...BID, usd: 500, tzsPerUsd: 2_530 },
]

describe('what leaves the wallet', () => {
  const withdraw = {
    enabled: true,
    destinations: ['0xd'],
    maxPerDay: { USDC: 10n ** 12n },
  } as const

  it('is refused as far as orders promise it', () => {
    const world = runOrders(10_000, { config: { withdraw } })
    const order = (amount: bigint) =>
      world.core.order({ name: 'withdraw', asset: 'USDC', amount, toAddress: '0xd' })
    const refused = order(901n * 10n ** 6n)
    expect(refused).toMatchObject({ accepted: false })
    expect(refused.answer).toContain('1 USDC')
    expect(order(900n * 10n ** 6n)).toMatchObject({ accepted: true })
  })

  it('is not promised while the withdrawal is under way, nor before the chain shows it', () => {
    let answered = false
    const world = orderHarness({ config: { withdraw }, wishes: [] })
    world.core.venue.answers.withdraw = () => {
      answered = true
      return 'silence'
    }
    world.run(10_000)
    const left = { name: 'withdraw', asset: 'USDC', amount: 950n * 10n ** 6n, toAddress: '0xd' } as const
    expect(world.core.order(left)).toMatchObject({ accepted: true })
    world.wishes = [BID]
    world.run(20_000)
    expect(answered).toBe(true)
    const dollars = () => standing(world).reduce((sum, { makerAmount }) => sum + makerAmount, 0n)
    expect(dollars()).toBeLessThanOrEqual(50n * 10n ** 6n)
    // The venue confirms, and the endpoint shows a block from before it for a while.
    world.mines = false
    const { nextRequest, requests } = world.core.state()
    const request = Number(
      Object.keys(requests).find((id) => requests[id]?.what === 'withdraw') ?? nextRequest,
    )
    const withdrawn = { asset: 'USDC', amount: left.amount, txHash: null } as const
    world.core.give({ type: 'withdrawn', t: world.core.now, request, ...withdrawn })
    world.run(10_000)
    expect(dollars()).toBeLessThanOrEqual(50n * 10n ** 6n)
    world.chain.submit({ kind: 'move', asset: 'USDC', amount: -left.amount })
    world.mines = true
    world.run(20_000)
    expect(dollars()).toBe(50n * 10n ** 6n - 1n)
    expectBooksEqualChain(world)
  })

  it('an unannounced outflow cancels orders down to the balance, the largest first, and raises one notice', () => {
    const world = runOrders(10_000, { wishes: LADDER })
    const [small, middle, large] = standing(world)
    world.chain.submit({ kind: 'allow', asset: 'USDC', amount: 450n * 10n ** 6n })
    world.run(40_000)
    expect(world.seen('cancelSent').map(({ salts }) => salts)).toEqual([[large!.salt]])
    // What is left over goes to the level that has nothing.
    expect(standing(world).slice(0, 2)).toEqual([small, middle])
    expect(standing(world)[2]!.makerAmount).toBeLessThanOrEqual(50n * 10n ** 6n)
    const alerts = world.alerts('promise-over-balance')
    expect(alerts.map(({ severity }) => severity)).toEqual(['critical'])
    expect(alerts[0]!.message).toContain('450 USDC')
  })

  it('without a word has all orders cancelled within 5 s where no fill could have taken it', () => {
    const world = runOrders(10_000, { wishes: LADDER })
    const [small, middle, large] = standing(world)
    world.chain.submit({ kind: 'move', asset: 'USDC', amount: -550n * 10n ** 6n })
    world.run(5_000)
    const cancelled = world.seen('cancelSent').flatMap(({ salts }) => salts)
    expect(new Set(cancelled)).toEqual(new Set([small!.salt, middle!.salt, large!.salt]))
    expect(world.alerts('foreign-hand').map(({ severity }) => severity)).toEqual(['critical'])
    world.run(15_000)
    expect(world.owed()).toEqual([])
    expect(world.core.state().latch.halted).toMatchObject({ rule: 'foreign-hand' })
    expect(world.alerts('promise-over-balance')).toHaveLength(1)
  })

  it('takes no more orders with it than it must while others are ending already', () => {
    const world = runOrders(10_000, {
      rfq: { confirmations: 10 },
      wishes: [
        { ...BID, usd: 300 },
        { ...BID, usd: 500, tzsPerUsd: 2_530 },
      ],
    })
    const large = standing(world)[1]!
    world.wishes = world.wishes.slice(0, 1)
    world.core.order({ name: 'cancelOrders', salts: [large.salt] })
    world.run(6_000)
    expect(world.owed().find(({ order }) => order.salt === large.salt)?.endedAt).not.toBeNull()
    world.chain.submit({ kind: 'allow', asset: 'USDC', amount: 400n * 10n ** 6n })
    world.run(10_000)
    expect(world.seen('cancelSent').flatMap(({ salts }) => salts)).toEqual([large.salt])
  })
})

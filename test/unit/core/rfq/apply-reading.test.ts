import { describe, expect, it } from 'vitest'
import type { ChainFill } from '../../../../src/core/rfq/chain-reading.ts'
import { buildOrder, nextSalt, type TargetOrder } from '../../../../src/core/rfq/build-order.ts'
import type { OpenOrder } from '../../../../src/core/rfq/open-order.ts'
import { createRfqState, recordBookedFill, type RfqState } from '../../../../src/core/rfq/state.ts'
import { applyReading, type ChainChanges } from '../../../../src/core/rfq/apply-reading.ts'
import { ASK, BID, rfqSettings, SOLVER } from '../../../support/order-harness.ts'
import { toyChain, type ToyChain } from '../../../support/toy-chain.ts'

const SETTINGS = rfqSettings()
const CONFIRMATIONS = 3
const START = 1_000_000_000

/** A wallet whose chain was read once, with the orders of these wishes owed. */
function wallet(...wishes: TargetOrder[]) {
  const chain = toyChain(SETTINGS, { t: START, balances: { NTZS: 10n ** 27n, USDC: 10n ** 12n } })
  const state = createRfqState()
  const booked: ChainFill[] = []
  const undone: string[] = []
  const world = {
    chain,
    state,
    /** Keys as they were booked and taken back. */
    booked,
    undone,
    mine: (blocks = 1): void => {
      for (let i = 0; i < blocks; i++) chain.mine(chain.tip().t + 2_000)
    },
    read: (over: Partial<ReturnType<ToyChain['read']>> = {}, blocks = chain.blocks): ChainChanges => {
      const orders = Object.values(state.openOrders).map(({ order }) => order)
      const reading = { ...chain.read(orders, state.fillsFrom, blocks), ...over }
      const news = applyReading(state, reading, chain.tip().t, CONFIRMATIONS)
      for (const { fill } of news.fills) recordBookedFill(state, { fill, mid: null }, true)
      booked.push(...news.fills.map(({ fill }) => fill))
      undone.push(...news.undone.map(({ fill }) => fill.key))
      return news
    },
  }
  world.read()
  for (const wish of wishes) owe(state, wish)
  return world
}

function owe(state: RfqState, wish: TargetOrder): OpenOrder {
  const salt = nextSalt(state.lastSalt, START)
  const built = buildOrder(wish, { settings: SETTINGS, solver: SOLVER, salt, now: START, offsetMs: 0 })
  if (!built.ok) throw new Error(built.error)
  state.lastSalt = salt
  state.openOrders[salt.toString()] = built.value
  return built.value
}

/** One bid, of which a fill of 1,000 units was read. */
function partlyFilled() {
  const world = wallet(BID)
  world.chain.submit({ kind: 'fill', order: first(world.state).order, takerAmount: 1_000n })
  world.mine()
  world.read()
  return world
}

function first({ openOrders }: RfqState): OpenOrder {
  return Object.values(openOrders)[0]!
}

describe('a reading of the chain', () => {
  it('the first reading books no fill, because the books open with its balances', () => {
    const chain = toyChain(SETTINGS, { t: START, balances: { USDC: 10n ** 12n } })
    const state = createRfqState()
    const { order } = owe(state, BID)
    chain.submit({ kind: 'fill', order, takerAmount: 5n })
    chain.mine(START + 2_000)
    const reading = chain.read([order], 0n)
    expect(reading.fills).toHaveLength(1)
    expect(applyReading(state, reading, START, CONFIRMATIONS)).toMatchObject({ fills: [], ended: [] })
    expect(state.fillsFrom).toBe(chain.tip().number + 1n)
  })

  it('leaves balances and allowances as book amounts', () => {
    const { state, read } = wallet()
    const millionth = 10n ** 12n
    read({ balances: { NTZS: 5n, USDC: 7n, USDT: 8n }, allowances: { NTZS: 6n, USDC: 9n } })
    expect(state.chain?.balances).toEqual({ NTZS: 5n, USDC: 7n * millionth, USDT: 8n * millionth })
    expect(state.chain?.allowances).toEqual({ NTZS: 6n, USDC: 9n * millionth })
  })

  it('a fill that several readings show is booked once', () => {
    const { chain, state, mine, read, booked } = wallet(BID)
    chain.submit({ kind: 'fill', order: first(state).order, takerAmount: 1_000n })
    for (let i = 0; i < 8; i++) {
      mine()
      read()
    }
    expect(booked).toHaveLength(1)
    expect(first(state)).toMatchObject({ takerFilled: 1_000n, makerFilled: booked[0]!.makerAmount })
  })

  it('a fill that readings hide for long is booked by the first one that shows it', () => {
    const { chain, state, mine, read, booked } = wallet(BID)
    chain.submit({ kind: 'fill', order: first(state).order, takerAmount: 1_000n })
    for (let i = 0; i < 3 * CONFIRMATIONS; i++) {
      mine()
      expect(read({ fills: [] }).mismatched).toHaveLength(1)
    }
    expect(booked).toHaveLength(0)
    expect(read().mismatched).toHaveLength(0)
    expect(booked).toHaveLength(1)
    expect(first(state).takerFilled).toBe(1_000n)
  })

  it('a reading with a head behind the last one changes nothing', () => {
    const { chain, state, read } = partlyFilled()
    const behind = chain.blocks.slice(0, -1)
    expect(read({}, behind)).toEqual({ fills: [], undone: [], ended: [], mismatched: [] })
    expect(state.chain?.head.number).toBe(chain.tip().number)
  })

  it('a fill whose block is gone is undone, and booked again when it returns', () => {
    const { chain, state, mine, read, booked, undone } = partlyFilled()
    chain.reorganise(1)
    chain.mine(chain.tip().t + 2_000, () => false)
    read()
    expect(undone).toEqual([booked[0]!.key])
    expect(first(state).takerFilled).toBe(0n)
    mine()
    read()
    expect(booked).toHaveLength(2)
    expect(first(state).takerFilled).toBe(1_000n)
  })

  it('a fill that a reorganisation moved to a later block is not booked again', () => {
    const { chain, mine, read, booked, undone } = partlyFilled()
    chain.reorganise(1)
    for (let i = 0; i < 3; i++) chain.mine(chain.tip().t + 2_000, () => false)
    mine()
    read()
    for (let i = 0; i < 6; i++) {
      mine()
      read()
    }
    expect(undone).toEqual([])
    expect(booked).toHaveLength(1)
  })

  it('a fill that a reorganisation replaced under the same key is undone', () => {
    const { chain, state, mine, read, booked, undone } = wallet(BID)
    const { order } = first(state)
    const [half, all] = [order.takerAmount / 2n, order.takerAmount]
    chain.submit({ kind: 'fill', order, takerAmount: half })
    mine()
    chain.submit({ kind: 'fill', order, takerAmount: all })
    mine()
    read()
    chain.reorganise(2)
    chain.mine(chain.tip().t + 2_000, (_, index) => index === 1)
    mine()
    read()
    expect(undone).toHaveLength(2)
    expect(booked[2]!.key).toBe(booked[1]!.key)
    expect(booked.slice(2).map(({ takerAmount }) => takerAmount)).toEqual([all])
    expect(first(state).takerFilled).toBe(all)
  })

  it.each(['filled', 'cancelled', 'expired'])(
    'an order is no longer open once it is %s three blocks deep',
    (how) => {
      const { chain, state, mine, read } = wallet(BID)
      const { order } = first(state)
      if (how === 'filled') chain.submit({ kind: 'fill', order, takerAmount: order.takerAmount })
      if (how === 'cancelled') chain.submit({ kind: 'cancel', cancel: { kind: 'each', orders: [order] } })
      if (how === 'expired') chain.mine(Number(order.expiry) * 1_000)
      else mine()
      for (let depth = 0; depth < CONFIRMATIONS; depth++) {
        expect(read().ended).toEqual([])
        expect(first(state).endedAt).not.toBeNull()
        mine()
      }
      expect(read().ended.map((end) => end.how)).toEqual([how])
      expect(state.openOrders).toEqual({})
      expect(state.counts).toMatchObject({
        cancelled: how === 'cancelled' ? 1 : 0,
        expired: how === 'expired' ? 1 : 0,
      })
    },
  )

  it('an order is open a millisecond before its expiry on chain, however long past that is by our clock', () => {
    const { chain, state, read } = wallet(BID)
    const expiry = Number(first(state).order.expiry) * 1_000
    for (let i = 0; i < 10; i++) chain.mine(expiry - 1)
    const orders = [first(state).order]
    applyReading(state, chain.read(orders, state.fillsFrom), expiry + 86_400_000, CONFIRMATIONS)
    expect(first(state).endedAt).toBeNull()
    chain.mine(expiry)
    read()
    expect(first(state).endedAt).toBe(chain.tip().number)
  })

  it('an order whose cancellation a reorganisation removed is live again', () => {
    const { chain, state, mine, read } = wallet(BID)
    chain.submit({ kind: 'cancel', cancel: { kind: 'each', orders: [first(state).order] } })
    mine()
    read()
    expect(first(state).endedAt).not.toBeNull()
    chain.reorganise(1, () => true)
    mine(2)
    read()
    expect(first(state)).toMatchObject({ endedAt: null, status: 'FILLABLE' })
  })

  it.each(['cancelled', 'expired'])(
    'counts anew from where an order is seen %s after a reorganisation between two readings',
    (how) => {
      const { chain, state, mine, read } = wallet(BID)
      const { order } = first(state)
      if (how === 'cancelled') chain.submit({ kind: 'cancel', cancel: { kind: 'each', orders: [order] } })
      chain.mine(how === 'cancelled' ? chain.tip().t + 2_000 : Number(order.expiry) * 1_000)
      read()
      const seen = chain.tip().number
      // It ends two blocks later than it did, and no reading falls between.
      chain.reorganise(1)
      for (let i = 0; i < 2; i++) chain.mine(chain.tip().t + 2_000, () => false)
      chain.mine(how === 'cancelled' ? chain.tip().t + 2_000 : Number(order.expiry) * 1_000)
      expect(read({ isReorganised: true }).ended).toEqual([])
      expect(first(state).endedAt).toBe(seen + 2n)
      mine()
      expect(read().ended).toEqual([])
      mine(2)
      expect(read().ended.map((end) => end.how)).toEqual([how])
    },
  )

  it('an order is open until its last fill is deep enough, also when a reorganisation moved that up', () => {
    const { chain, state, mine, read } = wallet(BID)
    const { order } = first(state)
    chain.submit({ kind: 'fill', order, takerAmount: order.takerAmount })
    mine()
    read()
    chain.reorganise(1)
    for (let i = 0; i < 2; i++) chain.mine(chain.tip().t + 2_000, () => false)
    mine(2)
    expect(chain.tip().number - first(state).endedAt!).toBe(3n)
    expect(read().ended).toEqual([])
    mine(2)
    expect(read().ended).toHaveLength(1)
  })

  it('an order is open until its last fill is deep enough, also when that is another fill by then', () => {
    const { chain, state, mine, read, undone } = wallet(BID)
    const { order } = first(state)
    chain.submit({ kind: 'fill', order, takerAmount: order.takerAmount })
    mine()
    read()
    chain.reorganise(1, () => true)
    mine(2)
    chain.submit({ kind: 'fill', order, takerAmount: order.takerAmount })
    mine(2)
    expect(read().ended).toEqual([])
    expect(undone).toHaveLength(1)
    mine(3)
    expect(read().ended).toHaveLength(1)
  })

  it('an order whose filled amount contradicts its fills stays open', () => {
    const { chain, state, mine, read } = wallet(BID)
    const { order } = first(state)
    chain.submit({ kind: 'fill', order, takerAmount: order.takerAmount })
    mine(6)
    const news = read({ fills: [] })
    expect(news.mismatched).toHaveLength(1)
    expect(news.ended).toEqual([])
    expect(Object.keys(state.openOrders)).toHaveLength(1)
    expect(read().fills).toHaveLength(1)
  })

  it('a fill finds its order by hash if the order was placed after the reading was requested', () => {
    const { chain, state, mine, read } = wallet(ASK)
    const owed = first(state)
    owed.hash = chain.read([owed.order], null).orders[0]!.hash
    chain.submit({ kind: 'fill', order: owed.order, takerAmount: 7n })
    mine()
    const fills = chain.read([], state.fillsFrom).fills
    expect(fills[0]!.salt).toBeNull()
    expect(read({ fills, orders: [] }).fills).toHaveLength(1)
    expect(owed.takerFilled).toBe(7n)
  })

  it('a fill is compared until its block is final, and never booked again by a reading that shows it later', () => {
    const { chain, state, mine, read, booked } = wallet(BID)
    chain.submit({ kind: 'fill', order: first(state).order, takerAmount: 1_000n })
    mine()
    const { fills } = chain.read([first(state).order], state.fillsFrom)
    read()
    const { block } = booked[0]!
    mine(CONFIRMATIONS - 1)
    read()
    expect(state).toMatchObject({ recentFills: [{ fill: { block } }], fillsFrom: block })
    mine()
    read()
    expect(state).toMatchObject({ recentFills: [], fillsFrom: block + 1n })
    expect(read({ fills }).fills).toEqual([])
    expect(booked).toHaveLength(1)
  })

  it('a fill before the blocks that a reading covers is neither undone nor booked again', () => {
    const { mine, read, booked, undone } = partlyFilled()
    mine()
    read({ fills: [], fillsFrom: booked[0]!.block + 1n })
    read()
    expect(undone).toEqual([])
    expect(booked).toHaveLength(1)
  })

  it.each(['orderHash', 'makerAmount', 'takerAmount'] as const)(
    'a fill under a known key with another %s undoes the booked one',
    (field) => {
      const { chain, state, read, undone } = partlyFilled()
      const { fills } = chain.read([first(state).order], state.fillsFrom)
      const other = { ...fills[0]!, [field]: field === 'orderHash' ? '0xother' : fills[0]![field] + 1n }
      expect(read({ fills: [other] }).fills).toHaveLength(1)
      expect(undone).toEqual([fills[0]!.key])
    },
  )

  it('a fill of an order that is not known is reported without one, and changes no other', () => {
    const { chain, state, mine, read } = wallet(BID, ASK)
    chain.submit({ kind: 'fill', order: first(state).order, takerAmount: 1_000n })
    mine()
    const { fills } = chain.read([first(state).order], state.fillsFrom)
    const strange = { ...fills[0]!, key: 'other:0', salt: null, orderHash: '0xstrange' as const }
    const news = read({ fills: [strange], orders: [] })
    expect(news.fills).toEqual([{ fill: strange, open: null }])
    expect(Object.values(state.openOrders).map(({ takerFilled }) => takerFilled)).toEqual([0n, 0n])
  })

  it('a fill without a salt belongs to the order of its hash, and to no other', () => {
    const { chain, state, mine, read } = wallet(ASK, BID)
    const [ask, bid] = Object.values(state.openOrders) as [OpenOrder, OpenOrder]
    for (const one of [ask, bid]) one.hash = chain.read([one.order], null).orders[0]!.hash
    chain.submit({ kind: 'fill', order: bid.order, takerAmount: 7n })
    mine()
    const { fills } = chain.read([], state.fillsFrom)
    read({ fills, orders: [] })
    expect([ask.takerFilled, bid.takerFilled]).toEqual([0n, 7n])
  })

  it('an order of a reading that is no longer open is passed over', () => {
    const { chain, state, mine, read } = wallet(BID, ASK)
    const [gone, kept] = Object.values(state.openOrders) as [OpenOrder, OpenOrder]
    delete state.openOrders[gone.order.salt.toString()]
    mine()
    const { orders } = chain.read([gone.order, kept.order], state.fillsFrom)
    expect(read({ orders })).toMatchObject({ ended: [], mismatched: [] })
    expect(kept.status).toBe('FILLABLE')
  })

  it('where no block has to follow, an order that ended is gone at once, and a live one stays', () => {
    const { chain, state, mine } = wallet(BID, ASK)
    const [filled, live] = Object.values(state.openOrders) as [OpenOrder, OpenOrder]
    chain.submit({ kind: 'cancel', cancel: { kind: 'each', orders: [filled.order] } })
    mine()
    const reading = chain.read([filled.order, live.order], state.fillsFrom)
    expect(applyReading(state, reading, START, 0).ended).toMatchObject([{ how: 'cancelled' }])
    expect(Object.values(state.openOrders)).toEqual([live])
  })

  it('an order that was filled in part and then cancelled waits for the block of its cancellation', () => {
    const { chain, state, mine, read } = wallet(BID)
    const { order } = first(state)
    chain.submit({ kind: 'fill', order, takerAmount: 1_000n })
    mine()
    read()
    mine()
    chain.submit({ kind: 'cancel', cancel: { kind: 'each', orders: [order] } })
    mine()
    read()
    for (let depth = 1; depth < CONFIRMATIONS; depth++) {
      mine()
      expect(read().ended).toEqual([])
    }
    mine()
    expect(read().ended).toHaveLength(1)
  })

  it('the end of an order does not wait for a later fill of another one', () => {
    const { chain, state, mine, read } = wallet(BID, ASK)
    const [gone, other] = Object.values(state.openOrders) as [OpenOrder, OpenOrder]
    chain.submit({ kind: 'cancel', cancel: { kind: 'each', orders: [gone.order] } })
    mine()
    read()
    mine(CONFIRMATIONS - 1)
    chain.submit({ kind: 'fill', order: other.order, takerAmount: 7n })
    mine()
    expect(read().ended.map(({ open }) => open)).toEqual([gone])
  })
})

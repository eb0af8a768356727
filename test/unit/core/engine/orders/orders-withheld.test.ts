import { describe, expect, it, test } from 'vitest'
import { encodeJson } from '../../../../../src/base/codec.ts'
import { createEngine } from '../../../../../src/core/engine/engine.ts'
import type { Reservation } from '../../../../../src/core/rfq/open-order.ts'
import { BID, orderHarness, wishingStrategy, type OrderHarness } from '../../../../support/order-harness.ts'

// Between the decision to sign an order and its place in the journal there is time, and what is learned in it counts.

type Decided = { readonly world: OrderHarness; readonly id: number; readonly reservation: Reservation }

/** A world in which one order is decided and the disk has not said that it is in the journal. */
function decided(): Decided {
  const world = orderHarness({ wishes: [BID], venue: {} })
  world.core.venue.answers.reserveOrder = () => 'silence'
  while (!world.core.effects.some(({ type }) => type === 'reserveOrder')) world.run(10)
  const effect = world.core.effects.find(({ type }) => type === 'reserveOrder')
  if (effect?.type !== 'reserveOrder') throw new Error('nothing was decided')
  return { world, id: effect.id, reservation: effect.reservation }
}

/** It is in the journal now. */
function reserve({ world, id, reservation }: Decided): void {
  world.core.give({ type: 'orderReserved', t: world.core.now, request: id, reservation })
  world.core.run(500)
}

function kindsOf({ core }: OrderHarness, ...types: readonly string[]) {
  return core.effects.map(({ type }) => type).filter((type) => types.includes(type))
}

const NEWS: readonly [string, (world: OrderHarness) => void, RegExp][] = [
  ['a halt', ({ core }) => core.order({ name: 'halt' }), /no longer wanted/],
  [
    'a person who wants every order gone',
    ({ core }) => core.order({ name: 'cancelOrders', salts: null }),
    /no longer wanted/,
  ],
  ['a strategy that wants it no more', (world) => world.want([]), /no longer wanted/],
  [
    'a wallet that the exchange may no longer reach',
    (world) => {
      world.chain.submit({ kind: 'allow', asset: 'USDC', amount: 0n })
      world.run(6_000)
    },
    /^orders commit more than is available: 100 USDC$/,
  ],
  [
    'a configuration without self-custody',
    ({ core }) => core.give({ type: 'reloaded', t: core.now, config: { ...core.state().config, rfq: null } }),
    /self-custody is off/,
  ],
  [
    'a chain that is received no more',
    (world) => {
      world.reading = 'silence'
      world.run(40_000)
    },
    /the chain was last seen/,
  ],
]

describe.each(NEWS)('after %s, an order that was decided before', (_name, hear, why) => {
  it('is not signed, not cancelled on a chain that never saw it, and outstanding no more once the journal says so', () => {
    const all = decided()
    const { world, reservation } = all
    hear(world)
    expect(Object.keys(world.core.state().rfq.openOrders)).toEqual([String(reservation.order.salt)])
    reserve(all)
    expect(kindsOf(world, 'placeOrder', 'withholdOrder', 'cancelOrders')).toEqual(['withholdOrder'])
    expect(world.seen('orderWithheld')).toMatchObject([
      { salt: reservation.order.salt, why: expect.stringMatching(why) },
    ])
    expect(world.seen('orderResolved')).toMatchObject([{ how: 'void' }])
    expect(world.core.state().rfq.openOrders).not.toHaveProperty(String(reservation.order.salt))
    expect(world.held.size).toBe(0)
    expect(world.core.state().rfq.counts).toMatchObject({ signed: 0, rejected: 0, void: 1 })
  })
})

test('without news it is signed: the control of the tests above', () => {
  const all = decided()
  all.world.run(6_000)
  reserve(all)
  expect(kindsOf(all.world, 'placeOrder', 'withholdOrder')).toEqual(['placeOrder'])
})

test('a wish that comes back while the order waits is signed anew, and never both', () => {
  const all = decided()
  const { world } = all
  world.want([])
  world.core.venue.answers.reserveOrder = (effect) =>
    effect.type === 'reserveOrder' ? { type: 'orderReserved', reservation: effect.reservation } : 'silence'
  world.want([BID])
  reserve(all)
  world.run(4_000)
  expect(world.owed().map(({ phase }) => phase)).toEqual(['open'])
  expect([...world.held.keys()]).not.toContain(all.reservation.order.salt)
})

describe('an order that is kept back when the process dies', () => {
  it('before its reservation was in the journal is forgotten: no one signed it', () => {
    const { world } = decided()
    world.core.order({ name: 'halt' })
    world.core.restart()
    expect(world.owed()).toEqual([])
  })

  it('after it is outstanding like any other: another strategy may have signed it', () => {
    const all = decided()
    const { world } = all
    world.core.venue.answers.withholdOrder = () => 'silence'
    world.core.order({ name: 'halt' })
    reserve(all)
    world.core.restart()
    expect(world.owed()).toMatchObject([{ phase: 'unknown', order: { salt: all.reservation.order.salt } }])
    world.run(150_000)
    expect(world.owed()).toEqual([])
  })
})

test('a journal in which it was signed owes it, though the code that reads it would have kept it back', () => {
  const all = decided()
  const { world, reservation } = all
  const salt = String(reservation.order.salt)
  reserve(all)
  world.run(2_000)
  // This reader wants nothing from the moment of the decision on.
  let reads = 0
  const reader = createEngine({
    strategyFor: (choice) => wishingStrategy(choice, () => (reads++ === 0 ? [BID] : [])),
    calendar: () => false,
  })
  for (const [i, event] of world.core.journal.entries()) reader.process(i + 1, event)
  expect(encodeJson(reader.state()?.rfq.openOrders[salt]?.order)).toBe(encodeJson(reservation.order))
  expect(reader.state()?.rfq.openOrders[salt]?.phase).toBe('open')
})

import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { encodeJson } from '../../src/base/codec.ts'
import { createEngine } from '../../src/engine/engine.ts'
import { position } from '../../src/ledger/book/book.ts'
import type { Amounts } from '../../src/money/asset.ts'
import { wishingStrategy } from '../support/order-harness.ts'
import { see, step, take } from './rfq-steps.ts'
import { CONFIG, createWorld, expectNothingForgotten, TOKENS, type World } from './rfq-world.ts'

// The real core against a small exact model of chain and venue: whatever happens in whatever order, what it owes is
// never forgotten, never promised twice, and every fill is in the books once.

/** Everything honest, nothing wanted, until all that was signed has ended for good. */
function calmDown(world: World): void {
  world.fate = 'placed'
  see(world, 'honest')
  world.core.restart(CONFIG)
  world.want([])
  world.run(10_000)
  world.core.order({ name: 'resume' })
  world.run(150_000)
}

function expectEveryFillOnce({ chain, core }: World): void {
  const net = new Map<string, number>()
  for (const one of core.observations) {
    if (one.type !== 'entryPosted' || one.entry.fillId === null) continue
    const { fillId, kind } = one.entry
    if (kind === 'fill') net.set(fillId, (net.get(fillId) ?? 0) + 1)
    if (kind === 'fill-undone') net.set(fillId, (net.get(fillId) ?? 0) - 1)
  }
  for (const [key, count] of net) if (count === 0) net.delete(key)
  const fills = chain.blocks.flatMap((block) => block.fills.map(({ key }) => [key, 1] as const))
  expect(net).toEqual(new Map(fills))
}

function ours(amounts: Readonly<Amounts>): Partial<Amounts> {
  return Object.fromEntries(TOKENS.map((asset) => [asset, amounts[asset]]))
}

function expectBooksEqualChain(world: World): void {
  const { core, chain } = world
  if (core.state().reconciliation.state !== 'reconciled') {
    core.order({ name: 'resume', book: 'adjustment' })
    world.run(20_000)
  }
  expect(ours(position(core.state().book))).toEqual(ours(chain.tip().after.balances))
  expect(core.state().reconciliation.state).toBe('reconciled')
}

/** Another core, given the same events, says the same word for word and remembers the same. */
function expectSameReplay({ core, audits }: World): void {
  const engine = createEngine({ strategyFor: (choice) => wishingStrategy(choice), calendar: () => false })
  const said = core.journal.map((event, i) => encodeJson(engine.process(i + 1, event)))
  expect(said.slice(-audits.length)).toEqual(audits)
  expect(encodeJson(engine.state())).toBe(encodeJson(core.state()))
}

describe('promises', () => {
  it('are never forgotten, never more than is there, and every fill of them is in the books once', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 10, maxLength: 60, size: 'max' }), (steps) => {
        const world = createWorld()
        const moved = steps.some((one) => one.do === 'move' || one.do === 'withdraw')
        for (const one of steps) {
          take(world, one)
          expectNothingForgotten(world)
        }
        calmDown(world)
        expectNothingForgotten(world)
        // Only our own orders are filled here: one that the core does not know would be one it forgot.
        expect(world.alerts('order-unknown')).toEqual([])
        expect(world.owed()).toEqual([])
        expectEveryFillOnce(world)
        if (!moved && !world.explainedBlind)
          expect(world.core.state().reconciliation.state).toBe('reconciled')
        expectBooksEqualChain(world)
        expectSameReplay(world)
      }),
      { numRuns: 60 },
    )
  }, 120_000)
})

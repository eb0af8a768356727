import { encodeJson } from '../../src/base/codec.ts'
import { createEngine } from '../../src/core/engine/engine.ts'
import { position } from '../../src/core/ledger/book/book.ts'
import { bookAmounts } from '../../src/base/money/asset.ts'
import { wishingStrategy } from '../support/order-harness.ts'
import { violated } from '../world/step.ts'
import { see } from './rfq-steps.ts'
import { expectNothingForgotten, TOKENS, type World } from './rfq-world.ts'

/** Everything honest, nothing wanted, until all that was signed has ended for good; then all that has to hold in the end. */
export function expectConvergence(world: World): void {
  calmDown(world)
  expectNothingForgotten(world)
  // Only our own orders are filled here: one that the core does not know would be one it forgot.
  if (world.alerts('order-unknown').length > 0)
    violated('a fill is reported of an order that the core does not know')
  const open = world.owed()
  if (open.length > 0) violated(`${open.length} orders are still outstanding after they have expired`)
  expectEveryFillOnce(world)
}

function calmDown(world: World): void {
  const { core, pace } = world
  world.fate = 'placed'
  see(world, 'honest')
  core.restart(world.config)
  world.want([])
  world.run(pace * 10_000)
  core.order({ name: 'resume' })
  world.run(pace * 150_000)
}

function expectEveryFillOnce({ chain, core }: World): void {
  const net = new Map<string, number>()
  for (const one of core.observations) {
    if (one.type !== 'entryPosted' || one.entry.fillId === null) continue
    const { fillId, kind } = one.entry
    if (kind === 'fill') net.set(fillId, (net.get(fillId) ?? 0) + 1)
    if (kind === 'fill-undone') net.set(fillId, (net.get(fillId) ?? 0) - 1)
  }
  for (const { fills } of chain.blocks) for (const { key } of fills) net.set(key, (net.get(key) ?? 0) - 1)
  for (const [key, off] of net)
    if (off !== 0)
      violated(`fill ${key} is in the books ${Math.abs(off)} times too ${off > 0 ? 'often' : 'seldom'}`)
}

/** After a person has explained what is left to explain. */
export function expectBooksEqualChain(world: World): void {
  const { core, chain, pace } = world
  if (core.state().reconciliation.state !== 'reconciled') {
    core.order({ name: 'resume', book: 'adjustment' })
    world.run(pace * 20_000)
  }
  const booked = position(core.state().book)
  const balances = bookAmounts(chain.tip().after.balances)
  for (const asset of TOKENS)
    if (booked[asset] !== balances[asset])
      violated(`the books have ${booked[asset]} of ${asset}, the chain ${balances[asset]}`)
  const { state, why } = core.state().reconciliation
  if (state !== 'reconciled') violated(`in the end the books are ${state}: ${why}`)
}

/** Another core, given the same events, decides the same word for word and remembers the same. */
export function expectSameReplay({ core, audits }: World): void {
  const engine = createEngine({ strategyFor: (choice) => wishingStrategy(choice), calendar: () => false })
  const replayed = core.journal.map((event, index) => encodeJson(engine.process(index + 1, event)))
  const isSame = replayed.slice(-audits.length).every((audit, index) => audit === audits[index])
  if (!isSame || encodeJson(engine.state()) !== encodeJson(core.state()))
    violated('the replay of the journal decides otherwise')
}

import { decodeJson } from '../../src/base/codec.ts'
import type { TreasuryRecord } from '../../src/store/treasury/journal.ts'
import { createTreasury } from '../../src/treasury/core/treasury.ts'
import type { TreasuryEvent } from '../../src/treasury/model/event.ts'
import { chainLine, kindAndValues, valuesOf } from './decision-lines.ts'
import type { Facts } from './position-facts.ts'

/** What the journal of a treasury folds to: intents, books and caps in use, and a chain over all its effects. */
export function treasuryFacts(journal: Iterable<TreasuryRecord>): Facts {
  const treasury = createTreasury()
  let [effects, decided] = [0, '']
  for (const { seq, body } of journal) {
    const audit = treasury.process(decodeJson(body) as TreasuryEvent)
    effects += audit.effects.length
    for (const effect of audit.effects)
      decided = chainLine(decided, `${seq} ${kindAndValues(effect, valuesOf)}`)
  }
  const state = treasury.state()
  if (state === null) return null
  return {
    effects,
    decided,
    intents: Object.values(state.intents).map(({ id, route, stage, expected: { cost }, legs }) => [
      id,
      route,
      stage,
      `${cost}`,
      legs.map((leg) => leg.stage),
    ]),
    accounts: valuesOf(state.books).toSorted(),
    caps: state.capUses.map(({ route, destination, asset, amount }) => [
      route,
      destination,
      asset,
      `${amount}`,
    ]),
  }
}

import type { Observation } from '../../core/engine/model/observation.ts'
import type { Entries, CatalogueEntry, ObservationType } from './entry.ts'
import { LEDGER_ENTRIES } from './ledger.ts'
import { MARKET_ENTRIES } from './market.ts'
import { ORDER_ENTRIES } from './orders.ts'
import { POSITION_ENTRIES } from './position.ts'

/** Every observation, and what is shown of it. */
const CATALOGUE: Entries<ObservationType> = {
  ...MARKET_ENTRIES,
  ...LEDGER_ENTRIES,
  ...ORDER_ENTRIES,
  ...POSITION_ENTRIES,
}

/** The entry of an observation; null where a newer version of mizani wrote it. */
export function entryOf(observation: Observation): CatalogueEntry<ObservationType> | null {
  if (!Object.hasOwn(CATALOGUE, observation.type)) return null
  // The catalogue has exactly the entry of each type; TypeScript cannot see that both come from one key.
  return CATALOGUE[observation.type] as unknown as CatalogueEntry<ObservationType>
}

/** Whether it is a line of the event log: the rest has tables and charts of its own and would drown it. */
export function isListed({ type }: Observation): boolean {
  return Object.hasOwn(CATALOGUE, type) && CATALOGUE[type].table === 'notices'
}

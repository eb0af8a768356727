import type { Observation } from '../../core/engine/model/observation.ts'
import type { Entries, CatalogueEntry, ObservationType } from './entry.ts'
import { LEDGER_ENTRIES } from './ledger.ts'
import { MARKET_ENTRIES } from './market.ts'
import { ORDER_ENTRIES } from './orders.ts'
import { POSITION_ENTRIES } from './position.ts'

/** How each observation is shown. */
const CATALOGUE: Entries<ObservationType> = {
  ...MARKET_ENTRIES,
  ...LEDGER_ENTRIES,
  ...ORDER_ENTRIES,
  ...POSITION_ENTRIES,
}

/** The entry of an observation; null where a newer version of mizani wrote it. */
export function entryOf(observation: Observation): CatalogueEntry<ObservationType> | null {
  if (!Object.hasOwn(CATALOGUE, observation.type)) return null
  // TypeScript cannot see that the key and the entry belong to the same type.
  return CATALOGUE[observation.type] as unknown as CatalogueEntry<ObservationType>
}

/** Whether the event log shows it; other observations have their own tables and charts and would flood the log. */
export function isListed({ type }: Observation): boolean {
  return Object.hasOwn(CATALOGUE, type) && CATALOGUE[type].table === 'notices'
}

import { err, ok, type Result } from '../../../../base/result.ts'
import type { Ms } from '../../../../base/time.ts'
import type { LoadedConfig } from '../../../config/load/loaded-config.ts'
import { openReader } from '../../../../store/open-reader.ts'
import { createTreasury, type Treasury } from '../../../../treasury/core/treasury.ts'
import type { TreasuryEvent } from '../../../../treasury/model/event.ts'
import type { TreasuryObservation } from '../../../../treasury/model/observation.ts'
import { placeText } from '../../../../store/place.ts'
import { storedEventOf } from '../../../../store/treasury/journal.ts'

type StoredTreasury = {
  readonly treasury: Treasury
  readonly observations: readonly TreasuryObservation[]
  readonly events: readonly TreasuryEvent[]
}

/** Folds the treasury's whole journal, with all observations, up to a moment. Throws StoreReadError. */
export function storedTreasury(
  { store }: Pick<LoadedConfig, 'store'>,
  until: Ms = Infinity,
): Result<StoredTreasury, string> {
  const reader = openReader(store.place)
  if (!reader.ok) return err(reader.error.message)
  try {
    const treasury = createTreasury()
    const observations: TreasuryObservation[] = []
    const events: TreasuryEvent[] = []
    for (const record of reader.value.treasury()) {
      if (record.t >= until) break
      const event = storedEventOf(record, placeText(store.place)) as TreasuryEvent
      events.push(event)
      observations.push(...treasury.process(event).observations)
    }
    return ok({ treasury, observations, events })
  } finally {
    reader.value.close()
  }
}

import { openStore } from '../../src/store/journal/open-store.ts'
import { DAY_MS, MINUTE_MS } from '../../src/base/time.ts'
import type { StrategyChoice } from '../../src/core/engine/model/config.ts'
import type { Event } from '../../src/core/engine/model/event.ts'
import { coreConfig } from './core-config.ts'
import { coreHarness } from './core-harness.ts'
import { worldStrategy } from './world-strategies.ts'

/** Half an hour of a market that fixed-spread made, under the choice of strategy that `changes` name. */
export function halfHourJournal(changes: Partial<StrategyChoice> = {}): Event[] {
  const strategy = worldStrategy({ use: 'fixed-spread', params: { bidBps: 60, askBps: 60 } })
  const { use, params, sourceHash } = strategy
  const start = Date.UTC(2026, 8, 7)
  const harness = coreHarness({
    config: coreConfig({ strategy: { use, params, sourceHash, ...changes } }),
    strategy,
    start,
    venue: { rateUpdatedAt: start - DAY_MS / 2 },
  })
  harness.run(30 * MINUTE_MS)
  return harness.journal
}

/** Writes `journal` as a new store at `path`, and returns the path. */
export async function writtenStore(path: string, journal: readonly Event[]): Promise<string> {
  const store = await openStore(path)
  if (!store.ok) throw new Error(store.error.message)
  journal.forEach((event, index) => store.value.append(index + 1, event))
  await store.value.close()
  return path
}

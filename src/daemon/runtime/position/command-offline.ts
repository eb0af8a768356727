import { existsSync } from 'node:fs'
import { err, ok, type Result } from '../../../base/result.ts'
import type { LoadedConfig } from '../../config/load/loaded-config.ts'
import type { OperatorCommand } from '../../../core/engine/model/event.ts'
import { systemClock } from './clock.ts'
import { createPositionLoop } from './position-loop.ts'
import { removeSavedStops, readSavedStops, stopsOfJournal, type SavedStop } from './saved-stops.ts'
import { recoverPosition } from './recover-position.ts'
import { answerOf, stopEvent } from './run-position.ts'
import { createStrategyRegistry, strategyLoader } from './strategy-registry.ts'
import { openStore } from '../../../store/journal/open-store.ts'
import { storeFiles } from '../../../store/store-files.ts'
import type { Store } from '../../../store/store.ts'
import type { StoreFailure } from '../../../store/failure.ts'
import { placeText, type StorePlace } from '../../../store/place.ts'

type OfflineOrder = { readonly command: OperatorCommand; readonly who: string; readonly why: string }
type OfflineAnswer = { readonly accepted: boolean; readonly answer: string }

/**
 * Journals an operator's command while no daemon runs: the core is restored as by a restart, processes this one event,
 * and is saved. Its effects are not sent; the next start finds the command in force.
 */
export async function commandOffline(
  config: LoadedConfig,
  order: OfflineOrder,
): Promise<Result<OfflineAnswer, StoreFailure>> {
  const { place } = config.store
  if (typeof place === 'string' && !existsSync(storeFiles(place).database)) return err(neverRan(place))
  const opened = await openStore(place)
  if (!opened.ok) return opened
  const store = opened.value
  let failure: StoreFailure | null = null
  store.onFailure((reported) => (failure = reported))
  const kept = stopsOfJournal(readSavedStops(config.store.path))
  const answer = await journal(config, store, kept, order)
  await store.close()
  if (failure !== null) return err(failure)
  if (answer.ok) removeSavedStops(kept)
  return answer
}

async function journal(
  config: LoadedConfig,
  store: Store,
  kept: readonly SavedStop[],
  { command, who, why }: OfflineOrder,
): Promise<Result<OfflineAnswer, StoreFailure>> {
  const { engine, seq, digest } = await recoverPosition({
    from: store.recover(),
    strategies: createStrategyRegistry(config),
    loadStrategy: strategyLoader(config),
    onAudit: (record, audit) => store.project(record.seq, audit.observations),
  })
  if (engine.state() === null) return err(neverRan(config.store.place))
  const clock = systemClock()
  const loop = createPositionLoop({
    store,
    engine,
    clock,
    perform: () => Promise.reject(new Error('a loop that has stopped performs nothing')),
    observe: () => undefined,
    observeDecision: () => undefined,
    heartbeat: { enter: () => undefined, leave: () => undefined },
    from: { seq, digest },
  })
  // Submit saved stops first, so that a resume lifts them too.
  for (const stop of kept) loop.submit(stopEvent(stop, clock.now()))
  const audit = loop.submit({ type: 'operator', t: clock.now(), who, why, command })
  loop.snapshot()
  loop.stop()
  return ok(answerOf(audit))
}

function neverRan(place: StorePlace): StoreFailure {
  return {
    kind: 'io',
    message: `this position has never run: the store ${placeText(place)} has no events. If it did run, this is another folder than its store (${process.cwd()} is the present one); \`deactivate\` needs no store`,
  }
}

import { existsSync } from 'node:fs'
import { encodeJson } from '../../base/codec.ts'
import { err, ok, type Result } from '../../base/result.ts'
import type { LoadedConfig } from '../../config/load/loaded-config.ts'
import type { Audit } from '../../engine/engine.ts'
import type { OperatorCommand } from '../../engine/model/event.ts'
import { createCalendar } from '../../runtime/position/calendar.ts'
import { systemClock } from '../../runtime/position/clock.ts'
import { chainDigest, digestLink } from '../../runtime/position/decision-digest.ts'
import { recover } from '../../runtime/position/recover.ts'
import { strategyChoices } from '../../runtime/position/strategy-registry.ts'
import { openStore } from '../../store/journal/open-store.ts'
import { storeFiles } from '../../store/store-files.ts'
import type { Store } from '../../store/store.ts'
import type { StoreFailure } from '../../store/failure.ts'
import { unkeptMemory } from '../../strategy/memory.ts'
import { preloadStrategies } from '../journal/strategies.ts'

export type OfflineOrder = { readonly command: OperatorCommand; readonly who: string; readonly why: string }
export type OfflineAnswer = { readonly accepted: boolean; readonly answer: string }

/**
 * Journals a person's word while no daemon runs: the core is brought back as a restart would, takes this
 * one event, and is saved. What it would like to send is not sent; the next start finds the word in force.
 */
export async function commandOffline(
  config: LoadedConfig,
  order: OfflineOrder,
): Promise<Result<OfflineAnswer, StoreFailure>> {
  const { path } = config.store
  if (!existsSync(storeFiles(path).database)) return err(neverRan(path))
  const opened = await openStore(path)
  if (!opened.ok) return opened
  const store = opened.value
  let failure: StoreFailure | null = null
  store.onFailure((told) => (failure = told))
  const answer = await journal(config, store, order)
  await store.close()
  return failure === null ? answer : err(failure)
}

async function journal(
  config: LoadedConfig,
  store: Store,
  { command, who, why }: OfflineOrder,
): Promise<Result<OfflineAnswer, StoreFailure>> {
  const memory = store.recover()
  const tail = [...memory.tail]
  const shelf = await preloadStrategies(config, strategyChoices(memory.snapshot, tail))
  const { engine, seq, digest } = recover({
    ...memory,
    tail,
    strategyFor: shelf.strategyFor,
    calendar: createCalendar(),
    onAudit: (record, audit) => store.project(record.seq, audit.observations),
  })
  const pending = memory.suspensions.find((suspension) => suspension.seq > seq)
  if (pending !== undefined) engine.suspendStrategy(pending.reason)
  if (engine.state() === null) return err(neverRan(config.store.path))
  const event = { type: 'operator', t: systemClock().now(), who, why, command } as const
  store.append(seq + 1, event)
  const audit = engine.process(seq + 1, event)
  store.project(seq + 1, audit.observations)
  const state = engine.state()
  const { memory: kept = null } = state?.strategy ?? {}
  if (state !== null && (kept === null || unkeptMemory(kept) === null)) {
    const chained = chainDigest(digest, digestLink(audit, state))
    store.saveSnapshot({ seq: seq + 1, t: state.now, state: encodeJson(state), digest: chained })
  }
  return ok(answerOf(audit))
}

function answerOf({ observations }: Audit): OfflineAnswer {
  const told = observations.find((observation) => observation.type === 'operator')
  return { accepted: told?.accepted ?? false, answer: told?.answer ?? 'no answer' }
}

function neverRan(path: string): StoreFailure {
  return {
    kind: 'io',
    message: `this position has never run: the store ${path} has no events; \`run\` starts it`,
  }
}

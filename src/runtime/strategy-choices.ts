import { decodeJson } from '../base/codec.ts'
import type { StrategyChoice } from '../engine/model/config.ts'
import type { EngineState } from '../engine/model/state.ts'
import type { JournalRecord, Snapshot } from '../store/store.ts'

/** The strategies that a replay from here will ask for. */
export function strategyChoices(snapshot: Snapshot | null, tail: readonly JournalRecord[]): StrategyChoice[] {
  const choices = snapshot === null ? [] : [(decodeJson(snapshot.state) as EngineState).config.strategy]
  for (const { event } of tail) {
    if (event.type === 'started' || event.type === 'reloaded') choices.push(event.config.strategy)
  }
  return choices
}

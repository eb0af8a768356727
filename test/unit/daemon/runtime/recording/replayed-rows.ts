import { type Audit, createEngine } from '../../../../../src/core/engine/engine.ts'
import type { EngineState } from '../../../../../src/core/engine/model/state.ts'
import type { Event } from '../../../../../src/core/engine/model/event.ts'
import type { LoadedStrategy } from '../../../../../src/core/strategy/define-strategy.ts'
import { testStrategy } from '../../../../support/test-strategy.ts'

export type OnAudit = (seq: number, event: Event, audit: Audit, state: EngineState | null) => void

/** Runs a journal from its first event through a core of its own and shows each event with what came of it. */
export function replayed(
  journal: readonly Event[],
  onAudit: OnAudit,
  strategy: LoadedStrategy = testStrategy(),
): void {
  const engine = createEngine({ strategyFor: () => strategy, calendar: () => false })
  journal.forEach((event, index) => {
    const audit = engine.process(index + 1, event)
    onAudit(index + 1, event, audit, engine.state())
  })
}

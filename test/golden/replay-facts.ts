import { createCalendar } from '../../src/daemon/runtime/position/calendar.ts'
import { recover } from '../../src/daemon/runtime/position/recover-position.ts'
import type { EngineState } from '../../src/core/engine/model/state.ts'
import type { JournalRecord, Snapshot, Suspension } from '../../src/store/store.ts'
import { worldStrategy } from '../support/world-strategies.ts'
import { chainLine, decisionLine, type DecisionLine } from './decision-lines.ts'
import { fillFacts, positionFacts, type Facts } from './position-facts.ts'

/** After the event of that number: the chains of what was decided and what was noticed so far. */
export type Checkpoint = readonly [seq: number, decided: string, noticed: string]

/** What a journal comes to: compared between the code that recorded it and the code of today. */
export type Replay = {
  readonly lines: readonly DecisionLine[]
  readonly checkpoints: readonly Checkpoint[]
  readonly fills: readonly Facts[]
  readonly facts: Facts
  readonly state: EngineState
  readonly seq: number
}

export type Recorded = {
  readonly snapshot: Snapshot | null
  readonly tail: Iterable<JournalRecord>
  readonly suspensions?: readonly Suspension[]
}

const CHECKPOINT_EVERY = 100

/** Recovers a core as a start does, and keeps what it decided on the way. */
export function replayFacts({ snapshot, tail, suspensions = [] }: Recorded): Replay {
  const lines: DecisionLine[] = []
  const checkpoints: Checkpoint[] = []
  const fills: Facts[] = []
  let [decided, noticed] = ['', '']
  const { engine, seq } = recover({
    snapshot,
    tail,
    suspensions,
    strategyFor: worldStrategy,
    calendar: createCalendar(),
    onAudit(record, audit, _digest, state) {
      const line = decisionLine(record, audit, state)
      lines.push(line)
      fills.push(...fillFacts(audit.observations))
      decided = chainLine(decided, line.decided)
      noticed = chainLine(noticed, line.noticed)
      if (record.seq % CHECKPOINT_EVERY === 0) checkpoints.push([record.seq, decided, noticed])
    },
  })
  const state = engine.state()
  if (state === null) throw new Error('the journal is empty')
  if (checkpoints.at(-1)?.[0] !== seq) checkpoints.push([seq, decided, noticed])
  return { lines, checkpoints, fills, facts: positionFacts(state), state, seq }
}

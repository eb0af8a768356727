import { createJournalTape, type JournalTape } from '../../../daemon/runtime/recording/journal-tape.ts'
import { tapeRowsOf } from '../../../daemon/runtime/recording/tape-rows.ts'
import { createDecisionCheck, type DecisionComparison } from './decisions.ts'
import type { JournalConfig } from './journal-config.ts'
import type { OnRecord, Replayed } from './replay-journal.ts'

/** A store's journal, ready to be replayed through the core. */
export type JournalReplay = {
  /** Latest configuration of the position. */
  readonly config: JournalConfig
  /** Replays it from its beginning, with progress; `onRecord` receives every event. Throws StoreReadError. */
  readonly run: (onRecord: OnRecord) => Promise<Replayed>
}

/** A replayed journal: its configuration, its events, and whether the decisions are equal. */
export type Journal = {
  readonly config: JournalConfig
  readonly tape: JournalTape
  readonly decisions: DecisionComparison
  readonly replayed: Replayed
}

/** Runs the journal and returns it with its tape and its decisions. Throws StoreReadError. */
export async function readJournal({ config, run }: JournalReplay): Promise<Journal> {
  const tape = createJournalTape()
  const check = createDecisionCheck()
  const replayed = await run(({ seq, event }, audit, state) => {
    check.take(seq, event, audit)
    tape.add(tapeRowsOf(event, audit, state))
  })
  return { config, tape, decisions: check.held(), replayed }
}

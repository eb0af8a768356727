import { tapeRowsOf } from '../runtime/tape-rows-of.ts'
import { createDecisionCheck, type DecisionsHeld } from './decision-check.ts'
import type { JournalConfig } from './journal-config.ts'
import { createJournalTape, type JournalTape } from './journal-tape.ts'
import type { Replayed } from './replay-journal.ts'
import type { Voice } from './say.ts'
import { withReplay } from './with-replay.ts'

/** A journal run through the core once more: what it ran with, what it saw, and whether it decided the same. */
export type Journal = {
  readonly config: JournalConfig
  readonly tape: JournalTape
  readonly decisions: DecisionsHeld
  readonly replayed: Replayed
}

/** Reads the journal of the store in `folder` and hands it on; what stands in the way is said. */
export async function withJournal(
  folder: string,
  configFile: string,
  voice: Voice,
  use: (journal: Journal) => Promise<void>,
): Promise<void> {
  await withReplay(folder, configFile, voice, async ({ config, run }) => {
    const tape = createJournalTape()
    const check = createDecisionCheck()
    const replayed = await run(({ seq, event }, audit, state) => {
      check.take(seq, event, audit)
      tape.add(tapeRowsOf(event, audit, state))
    })
    await use({ config, tape, decisions: check.held(), replayed })
  })
}

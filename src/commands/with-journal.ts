import { tapeRowsOf } from '../runtime/tape-rows-of.ts'
import { openReader } from '../store/open-reader.ts'
import { createDecisionCheck, type DecisionsHeld } from './decision-check.ts'
import { EXIT_CODE } from './exit-code.ts'
import { journalConfig, type JournalConfig } from './journal-config.ts'
import { createJournalTape, type JournalTape } from './journal-tape.ts'
import { leaveWithReader } from './leave-with-reader.ts'
import { sayReadingError } from './reading-error.ts'
import { replayJournal, type Replayed } from './replay-journal.ts'
import { replayProgress } from './replay-progress.ts'
import { fail, type Voice } from './say.ts'

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
  leaveWithReader()
  const reader = openReader(folder)
  if (!reader.ok) return fail(voice, EXIT_CODE.failed, reader.error.message, { kind: reader.error.kind })
  try {
    await sayReadingError(voice, async () => {
      const config = await journalConfig(reader.value, configFile)
      if (!config.ok) return fail(voice, EXIT_CODE.failed, config.error)
      const tape = createJournalTape()
      const check = createDecisionCheck()
      const events = reader.value.lastSeq() - reader.value.firstSeq() + 1
      const progress = replayProgress(events, process.stderr, () => performance.now())
      const replayed = await replayJournal(
        config.value,
        reader.value,
        progress.note,
        ({ seq, event }, audit, state) => {
          check.take(seq, event, audit)
          tape.add(tapeRowsOf(event, audit, state))
        },
      )
      progress.end()
      await use({ config: config.value, tape, decisions: check.held(), replayed })
    })
  } finally {
    reader.value.close()
  }
}

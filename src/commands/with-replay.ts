import { openReader } from '../store/open-reader.ts'
import { EXIT_CODE } from './exit-code.ts'
import { journalConfig, type JournalConfig } from './journal-config.ts'
import { leaveWithReader } from './leave-with-reader.ts'
import { sayReadingError } from './reading-error.ts'
import { replayJournal, type OnRecord, type Replayed } from './replay-journal.ts'
import { replayProgress } from './replay-progress.ts'
import { fail, type Voice } from './say.ts'

/** The journal of a store, ready to be run through the core once more. */
export type Replay = {
  /** What the position ran with last. */
  readonly config: JournalConfig
  /** Runs it from its beginning, with progress; `onRecord` hears of every event. Throws StoreReadError. */
  readonly run: (onRecord: OnRecord) => Promise<Replayed>
}

/** Opens the store in `folder` for reading and hands its replay to `use`; what stands in the way is said. */
export async function withReplay(
  folder: string,
  configFile: string,
  voice: Voice,
  use: (replay: Replay) => Promise<void>,
): Promise<void> {
  leaveWithReader()
  const reader = openReader(folder)
  if (!reader.ok) return fail(voice, EXIT_CODE.failed, reader.error.message, { kind: reader.error.kind })
  try {
    await sayReadingError(voice, async () => {
      const config = await journalConfig(reader.value, configFile)
      if (!config.ok) return fail(voice, EXIT_CODE.failed, config.error)
      await use({
        config: config.value,
        async run(onRecord) {
          const events = reader.value.lastSeq() - reader.value.firstSeq() + 1
          const progress = replayProgress(events, process.stderr, () => performance.now())
          const replayed = await replayJournal(config.value, reader.value, progress.note, onRecord)
          progress.end()
          return replayed
        },
      })
    })
  } finally {
    reader.value.close()
  }
}

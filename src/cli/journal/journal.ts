import { openReader } from '../../store/open-reader.ts'
import { parsePlace, type StorePlace } from '../../store/place.ts'
import { journalConfig } from '../../research/jobs/journal/journal-config.ts'
import { type Journal, type JournalReplay, readJournal } from '../../research/jobs/journal/read-journal.ts'
import { replayJournal } from '../../research/jobs/journal/replay-journal.ts'
import { type StrategyWatch, UNWATCHED } from '../../research/jobs/apart/watch-strategy.ts'
import { EXIT_CODE } from '../../base/exit-code.ts'
import { fail, exitWhenPipeCloses, printStoreError, type OutputFormat } from '../output/print.ts'
import { replayProgress } from '../output/progress.ts'

/** Reads the journal of the store in an option and passes it to `use`; prints why it cannot. */
export async function withJournal(
  store: string,
  configFile: string,
  voice: OutputFormat,
  use: (journal: Journal) => Promise<void>,
  watch: StrategyWatch,
): Promise<void> {
  const place = parsePlace(store)
  if (!place.ok) return fail(voice, EXIT_CODE.usage, place.error)
  const replay = async (found: JournalReplay): Promise<void> => use(await readJournal(found))
  await withReplay(place.value, configFile, voice, replay, watch)
}

/** Opens a store for reading and passes its replay to `use`; prints why it cannot. */
export async function withReplay(
  place: StorePlace,
  configFile: string,
  voice: OutputFormat,
  use: (replay: JournalReplay) => Promise<void>,
  watch: StrategyWatch = UNWATCHED,
): Promise<void> {
  exitWhenPipeCloses()
  const reader = openReader(place)
  if (!reader.ok) return fail(voice, EXIT_CODE.failed, reader.error.message, { kind: reader.error.kind })
  try {
    await printStoreError(voice, async () => {
      const config = await journalConfig(reader.value, configFile, watch)
      if (!config.ok) return fail(voice, EXIT_CODE.failed, config.error)
      await use({
        config: config.value,
        async run(onRecord) {
          const events = reader.value.lastSeq() - reader.value.firstSeq() + 1
          const progress = replayProgress(events, process.stderr, () => performance.now())
          const replayed = await replayJournal(config.value, reader.value, watch, progress.note, onRecord)
          progress.end()
          return replayed
        },
      })
    })
  } finally {
    reader.value.close()
  }
}

import { openReader, type StoreReader } from '../../store/open-reader.ts'
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
  await withReader(place, voice, async (reader) => {
    const config = await journalConfig(reader, configFile, watch)
    if (!config.ok) return fail(voice, EXIT_CODE.failed, config.error)
    await use({
      config: config.value,
      async run(onRecord) {
        const events = reader.lastSeq() - reader.firstSeq() + 1
        const progress = replayProgress(events)
        const replayed = await replayJournal(config.value, reader, watch, progress.note, onRecord)
        progress.end()
        return replayed
      },
    })
  })
}

/** Opens a store for reading and passes its reader to `use`; prints why it cannot be opened or read. */
export async function withReader(
  place: StorePlace,
  voice: OutputFormat,
  use: (reader: StoreReader) => Promise<void>,
): Promise<void> {
  const reader = openReader(place)
  if (!reader.ok) return fail(voice, EXIT_CODE.failed, reader.error.message, { kind: reader.error.kind })
  try {
    await printStoreError(voice, () => use(reader.value))
  } finally {
    reader.value.close()
  }
}

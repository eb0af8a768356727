import { tapeRowsOf } from '../../runtime/recording/tape-rows.ts'
import { createDecisionCheck, type DecisionComparison } from '../research/parity/decisions.ts'
import { createJournalTape, type JournalTape } from '../../runtime/recording/journal-tape.ts'
import { type OnRecord, type Replayed, replayJournal, type FallbackStrategy } from './replay-journal.ts'
import { type StrategyWatch, UNWATCHED } from '../apart/watch-strategy.ts'
import { fail, exitWhenPipeCloses, printStoreError, type OutputFormat } from '../output/print.ts'
import { openReader, type StoreReader } from '../../store/open-reader.ts'
import { EXIT_CODE } from '../exit-code.ts'
import { replayProgress } from '../output/progress.ts'
import { dirname, resolve } from 'node:path'
import { encodeJson } from '../../base/codec.ts'
import { err, ok, type Result } from '../../base/result.ts'
import { loadStrategyHere } from '../../config/strategy/load-strategy.ts'
import type { CoreConfig } from '../../engine/model/config.ts'
import { strategiesFolder } from '../../runtime/position/strategy-registry.ts'
import { readState } from '../../engine/upcast/written.ts'
import { parsePlace, type StorePlace } from '../../store/place.ts'

/** A journal run through the core once more: what it ran with, what it saw, and whether it decided the same. */
export type Journal = {
  readonly config: JournalConfig
  readonly tape: JournalTape
  readonly decisions: DecisionComparison
  readonly replayed: Replayed
}

/** Reads the journal of the store that an option names and passes it to `use`; prints why it cannot. */
export async function withJournal(
  store: string,
  configFile: string,
  voice: OutputFormat,
  use: (journal: Journal) => Promise<void>,
  watch: StrategyWatch,
): Promise<void> {
  const place = parsePlace(store)
  if (!place.ok) return fail(voice, EXIT_CODE.usage, place.error)
  const replay = async ({ config, run }: JournalReplay): Promise<void> => {
    const tape = createJournalTape()
    const check = createDecisionCheck()
    const replayed = await run(({ seq, event }, audit, state) => {
      check.take(seq, event, audit)
      tape.add(tapeRowsOf(event, audit, state))
    })
    await use({ config, tape, decisions: check.held(), replayed })
  }
  await withReplay(place.value, configFile, voice, replay, watch)
}

/** The journal of a store, ready to be run through the core once more. */
export type JournalReplay = {
  /** What the position ran with last. */
  readonly config: JournalConfig
  /** Runs it from its beginning, with progress; `onRecord` receives every event. Throws StoreReadError. */
  readonly run: (onRecord: OnRecord) => Promise<Replayed>
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

/** A journal's own configuration, the last of those that were in force, and how many there were. */
type JournalConfig = FallbackStrategy & {
  readonly configurations: number
  /** The strategy's code is not the one that ran: only today's can be loaded. */
  readonly codeChanged: boolean
}

/**
 * The configuration that a store's position ran with, with its strategy loaded: a name from strategies/, a path
 * relative to `configFile`. Throws StoreReadError; the error names the option to give.
 */
async function journalConfig(
  reader: StoreReader,
  configFile: string,
  watch: StrategyWatch,
): Promise<Result<JournalConfig, string>> {
  const snapshot = reader.oldestSnapshot()
  let core: CoreConfig | null = snapshot === null ? null : readState(snapshot.state).config
  const seen = new Set<string>(core === null ? [] : [encodeJson(core)])
  for (const { event } of reader.journal(Math.max(1, reader.firstSeq()))) {
    if (event.type !== 'started' && event.type !== 'reloaded') continue
    core = event.config
    seen.add(encodeJson(core))
  }
  if (core === null) return err('the store has no journal yet: run the daemon first')
  const { use, params } = core.strategy
  const folder = { folder: strategiesFolder(), baseFolder: dirname(resolve(configFile)) }
  const loaded = await watch.loading(() => loadStrategyHere({ use, params }, folder))
  if (!loaded.ok) {
    const why = loaded.error.map(({ message }) => message).join('; ')
    return err(
      `strategy ${use} cannot be loaded (${why}): give --config, the file that its path is relative to`,
    )
  }
  const strategy = watch.watched(loaded.value.strategy)
  // Under today's hash, so that edited code differs from the code that ran.
  const codeChanged = strategy.sourceHash !== core.strategy.sourceHash
  const today = { ...core, strategy: { ...core.strategy, sourceHash: strategy.sourceHash } }
  return ok({ core: today, strategy, file: configFile, configurations: seen.size, codeChanged })
}

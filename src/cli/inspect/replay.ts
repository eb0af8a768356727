import type { LoadedConfig } from '../../daemon/config/load/loaded-config.ts'
import type { StoreReader } from '../../store/open-reader.ts'
import { EXIT_CODE } from '../../base/exit-code.ts'
import { exitWhenPipeCloses, print, type ConfigOptions, type OutputFormat } from '../output/print.ts'
import { type StrategyWatch, UNWATCHED } from '../../research/jobs/apart/watch-strategy.ts'
import { loadOrExplain } from '../load-or-explain.ts'
import { replayJournal, type Replayed } from '../../research/jobs/journal/replay-journal.ts'
import { withReader } from '../journal/journal.ts'
import { replayProgress } from '../output/progress.ts'
import { floatText } from '../../base/text/numbers.ts'

/** Replays the journal through the core and compares the decisions with the stored ones. */
export async function replay(options: ConfigOptions, watch: StrategyWatch = UNWATCHED): Promise<void> {
  const loaded = await watch.loading(() =>
    loadOrExplain(options.config, options, { offline: true, strategy: 'load' }),
  )
  if (loaded === null) return
  const config = { ...loaded, strategy: watch.watched(loaded.strategy) }
  exitWhenPipeCloses()
  await withReader(config.store.place, options, (reader) => report(config, reader, options, watch))
}

async function report(
  config: LoadedConfig,
  reader: StoreReader,
  voice: OutputFormat,
  watch: StrategyWatch,
): Promise<void> {
  const progress = replayProgress(reader.lastSeq() - reader.firstSeq() + 1)
  const replayed = await replayJournal(config, reader, watch, progress.note)
  progress.end()
  if (replayed.parted !== null) process.exitCode = EXIT_CODE.failed
  print(voice, textOf(replayed), {
    ...replayed,
    equal: replayed.parted === null,
    exitCode: process.exitCode ?? EXIT_CODE.ok,
  })
}

function textOf({ from, to, events, effects, digest, checkpoints, parted, warnings }: Replayed): string {
  const decided = Object.entries(effects).map(([type, count]) => `${floatText(count, 0)} ${type}`)
  const last = checkpoints.at(-1)
  const verdict =
    parted !== null
      ? `DIFFERENT from the stored digests: the decisions differ between event ${parted.after} and event ${parted.upTo}`
      : last === undefined
        ? 'no snapshot to compare with yet'
        : `equal to the stored digests, up to event ${last.seq}`
  return [
    ...warnings.map((warning) => `warning    ${warning}`),
    `events     ${floatText(events, 0)} (${from} to ${to})`,
    `decided    ${decided.length === 0 ? 'nothing' : decided.join(', ')}`,
    `digest     ${digest}`,
    `verdict    ${verdict}`,
  ].join('\n')
}

import { join } from 'node:path'
import type { LoadedConfig } from '../../config/load/loaded-config.ts'
import type { PostedStore } from '../../../store/journal/posted-store.ts'
import type { Log } from '../../telemetry/log/log.ts'
import type { Metrics } from '../../telemetry/metrics/metrics.ts'
import type { TapeThread } from '../../../store/tape/writer/writer.ts'
import { journalRows } from './journal-rows.ts'
import type { PositionRecorder } from './recorder.ts'
import { openTapeCursor } from './row-queue.ts'

type RecordPositionParts = {
  readonly config: Pick<LoadedConfig, 'core' | 'record' | 'store'>
  readonly store: Pick<PostedStore, 'durableSeq'>
  readonly log: Log
  readonly metrics: Metrics
  /** Writes the tapes of all positions of this worker. */
  readonly tapes: TapeThread
  /** Called when recording has stopped. */
  readonly onTrouble?: (message: string) => void
}

/**
 * Records a position on the tape in `record.path`/its name; null = recording is off. If the tape cannot be written, the failure
 * is logged and counted, and the position runs without it.
 */
export async function recordPosition({
  config,
  store,
  log,
  metrics,
  tapes,
  onTrouble,
}: RecordPositionParts): Promise<PositionRecorder | null> {
  const { path, rotateMs } = config.record
  if (path === null) return null
  const { name, mode } = config.core
  const folder = join(path, name)
  metrics.tapeRecording.set(1)
  // Loaded lazily: Parquet is a lot of code for a start without recording.
  const { startRecorder } = await import('./recorder.ts')
  return startRecorder({
    folder,
    rotateMs,
    thread: tapes,
    cursor: openTapeCursor(config.store.path, folder, store.durableSeq()),
    durableSeq: store.durableSeq,
    earlier: (from, to) => journalRows(config.store.place, { from, to, mode }),
    onRows: (rows) => metrics.tapeRows.inc(rows),
    onFailure(message) {
      metrics.tapeRecording.set(0)
      const restart =
        'trading continues; the next start records again and completes the tape from the journal'
      log.warn({ event: 'alert', severity: 'warning', code: 'tape' }, `${message}; ${restart}`)
      onTrouble?.(message)
    },
    onNotice: (message) => log.warn({ event: 'tape' }, message),
  })
}

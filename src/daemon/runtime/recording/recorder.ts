import { setTimeout as pause } from 'node:timers/promises'
import { errorText } from '../../../base/result.ts'
import { SECOND_MS, type Ms } from '../../../base/time.ts'
import type { Audit } from '../../../core/engine/engine.ts'
import type { EngineState } from '../../../core/engine/model/state.ts'
import type { Event } from '../../../core/engine/model/event.ts'
import { openTapeWriter, type TapeThread, type TapeWriter } from '../../../store/tape/writer/writer.ts'
import type { TapeRow } from '../../../store/tape/model/row.ts'
import { catchUpTape } from './catch-up.ts'
import { createRowQueue, type RowQueue, type TapeCursor } from './row-queue.ts'
import { tapeRowsOf } from './tape-rows.ts'
import { runEvery } from '../../../base/threads/timing.ts'

/**
 * Records the events of a position on its tape, in the order of its journal and never ahead of it. Never throws, blocks or grows
 * without bound, even if the tape's disk fails: trading has priority.
 */
export type PositionRecorder = {
  /** Records every event in order, including replayed ones; rows that are already on the tape are skipped. */
  readonly record: (seq: number, event: Event, audit: Audit, state: EngineState | null) => void
  /** Called when the journal has more events on disk: writes their rows to the tape. */
  readonly release: () => void
  /** Converts the tape to Parquet while time remains; the next start converts the rest. */
  readonly close: (withinMs: Ms) => Promise<void>
}

export type RecorderParts = {
  readonly folder: string
  readonly rotateMs: Ms
  /** The thread that writes the tapes of several positions; absent = a separate thread. */
  readonly thread?: TapeThread
  readonly cursor: TapeCursor
  /** The last event that the journal has on disk. */
  readonly durableSeq: () => number
  /** Rows of events that a restart does not replay. Throws StoreReadError. */
  readonly earlier: (from: number, to: number) => AsyncIterable<readonly TapeRow[]>
  /** Called with the number of rows that were written to the tape. */
  readonly onRows: (rows: number) => void
  /** Recording has stopped; the position continues without it. Called once. */
  readonly onFailure: (message: string) => void
  /** Part of the tape is missing, but recording continues. */
  readonly onNotice: (message: string) => void
}

const FLUSH_EVERY_MS = SECOND_MS
/** A few hours of market data, tens of megabytes. A disk that is further behind is too slow. */
const MAX_HELD_ROWS = 100_000

type Recording = {
  readonly parts: RecorderParts
  readonly queue: RowQueue
  /** The last event of the journal at the start of this process; later events are new. */
  readonly replayedTo: number
  /** Resolves with the first new event, when the replay is over. */
  readonly alive: PromiseWithResolvers<void>
  firstSeq: number | null
  last: number
  writer: TapeWriter | null
  /** Whether all of the journal before the first new event is on the tape. */
  isComplete: boolean
  failed: boolean
}

/** Starts recording, and opens and completes the tape in the background. */
export function startRecorder(parts: RecorderParts): PositionRecorder {
  const recording: Recording = {
    parts,
    queue: createRowQueue(),
    replayedTo: parts.durableSeq(),
    alive: Promise.withResolvers(),
    firstSeq: null,
    last: parts.cursor.seq() ?? 0,
    writer: null,
    isComplete: false,
    failed: false,
  }
  const guarded = (work: Promise<void>): Promise<void> =>
    work.catch((error: unknown) => fail(recording, errorText(error)))
  const opening = guarded(open(recording))
  const flush = onePerTime(() => guarded(putOnDisk(recording)))
  const timer = runEvery(() => flush(), FLUSH_EVERY_MS)
  timer.unref()
  return {
    record: (seq, event, audit, state) => take(recording, seq, event, audit, state),
    release: () => release(recording),
    async close(withinMs) {
      clearInterval(timer)
      recording.alive.resolve()
      const closing = opening
        .then(flush)
        .then(flush)
        .then(() => recording.writer?.close())
      await Promise.race([closing, pause(withinMs, undefined, { ref: false })])
    },
  }
}

function take(
  recording: Recording,
  seq: number,
  event: Event,
  audit: Audit,
  state: EngineState | null,
): void {
  const { queue, replayedTo, alive } = recording
  recording.firstSeq ??= seq
  if (seq > recording.last && !recording.failed) {
    recording.last = seq
    try {
      queue.add({ seq, rows: tapeRowsOf(event, audit, state) })
    } catch (error) {
      fail(recording, `event ${seq} cannot be recorded: ${errorText(error)}`)
    }
    if (queue.held() > MAX_HELD_ROWS) {
      fail(recording, `${queue.held()} rows wait to be written: the disk is too slow`)
    }
  }
  if (seq > replayedTo) alive.resolve()
}

async function open(recording: Recording): Promise<void> {
  const { parts, queue, replayedTo } = recording
  const { folder, cursor: marker, onNotice } = parts
  const [opened, obstacle] = await Promise.all([openTapeWriter(folder, parts), begin(recording)])
  if (!opened.ok) return fail(recording, opened.error)
  const writer = opened.value
  recording.writer = writer
  if (obstacle !== null) return fail(recording, obstacle)
  writer.onFailure((message) => fail(recording, message))
  for (const { file, at, message } of writer.recovered) onNotice(`${file}, ${at}: ${message}`)
  const replayed = queue.takeUpTo(replayedTo).flatMap(({ rows }) => rows)
  const marked = marker.seq() ?? 0
  await catchUpTape({
    ...parts,
    writer,
    missing: { from: marked + 1, to: (recording.firstSeq ?? 0) - 1 },
    replayed,
    append: (rows) => append(recording, rows),
  })
  recording.isComplete = true
  release(recording)
}

/**
 * Waits for the end of the replay and sets the cursor of a new tape to its start, even if the tape cannot be written yet: the
 * missing rows are added once it can. Resolves with the error of writing the cursor, or null.
 */
async function begin(recording: Recording): Promise<string | null> {
  const { cursor: marker } = recording.parts
  await recording.alive.promise
  if (marker.seq() !== null || recording.firstSeq === null) return null
  return marker.moveTo(recording.firstSeq - 1).then(() => null, errorText)
}

function append({ parts, writer, failed }: Recording, rows: readonly TapeRow[]): void {
  if (failed || writer === null || rows.length === 0) return
  for (const row of rows) writer.append(row)
  parts.onRows(rows.length)
}

function release(recording: Recording): void {
  const { queue, parts, isComplete } = recording
  if (!isComplete) return
  for (const { rows } of queue.takeUpTo(parts.durableSeq())) append(recording, rows)
}

/** Moves the cursor over rows that are on disk, once no earlier row is missing. */
async function putOnDisk(recording: Recording): Promise<void> {
  const { queue, parts, writer } = recording
  if (!recording.isComplete || recording.failed || writer === null || recording.firstSeq === null) return
  const upTo = Math.min(recording.last, parts.durableSeq())
  release(recording)
  const rows = queue.outside()
  await writer.flush()
  // `flush` also resolves if the writer failed meanwhile.
  if (recording.failed as boolean) return
  queue.settle(rows)
  await parts.cursor.moveTo(upTo)
}

function fail(recording: Recording, message: string): void {
  if (recording.failed) return
  recording.failed = true
  recording.queue.clear()
  recording.alive.resolve()
  recording.parts.onFailure(`${recording.parts.folder}: ${message}`)
  void recording.writer?.close()
}

/** Returns a function that joins work in progress, so that a hanging disk gets one request at a time. */
function onePerTime(work: () => Promise<void>): () => Promise<void> {
  let current: Promise<void> | null = null
  return () => {
    current ??= work().finally(() => (current = null))
    return current
  }
}

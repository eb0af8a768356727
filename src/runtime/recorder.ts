import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { err, ok, type Result } from '../base/result.ts'
import { SECOND_MS } from '../base/time.ts'
import type { LoadedConfig } from '../config/loaded-config.ts'
import type { Audit } from '../engine/create-engine.ts'
import type { EngineState } from '../engine/engine-state.ts'
import type { Event } from '../engine/event.ts'
import { openTapeWriter, type TapeWriter } from '../tape/open-tape-writer.ts'
import type { TapeRow } from '../tape/tape-row.ts'
import { createTapeMarker, type TapeMarker } from './tape-marker.ts'
import { tapeRowsOf } from './tape-rows-of.ts'

/** Puts what a position saw and did on its tape. Never throws and never waits: trading goes first. */
export type Recorder = {
  /** Every event in order, those of a restart's replay too: what is on the tape already is passed over. */
  readonly record: (seq: number, event: Event, audit: Audit, state: EngineState | null) => void
  readonly close: () => Promise<void>
}

export type RecorderHooks = {
  /** The last event that the journal has on disk: the marker never goes beyond, for numbers may come again. */
  readonly durableSeq: () => number
  /** Rows that went to the tape. */
  readonly onRows: (rows: number) => void
  /** Nothing is recorded from now on; the position goes on without. Called once. */
  readonly onFailure: (message: string) => void
  /** The replay began after what the tape ends with: these events are not on it. */
  readonly onHole: (after: number, before: number) => void
}

const FLUSH_EVERY_MS = SECOND_MS

/** Null where the configuration records nothing. The error says what is in the way of the tape. */
export async function openRecorder(
  { record: { path, rotateMs }, core }: Pick<LoadedConfig, 'record' | 'core'>,
  hooks: RecorderHooks,
): Promise<Result<Recorder | null, string>> {
  if (path === null) return ok(null)
  const folder = join(path, core.name)
  try {
    mkdirSync(folder, { recursive: true })
  } catch (error) {
    return err(`${folder} cannot be made (${String(error)}): check record.path`)
  }
  const writer = await openTapeWriter(folder, { rotateMs })
  if (!writer.ok) return writer
  return ok(createRecorder(writer.value, createTapeMarker(folder), hooks))
}

function createRecorder(writer: TapeWriter, marker: TapeMarker, hooks: RecorderHooks): Recorder {
  let [last, first] = [marker.seq(), true]
  let failed = false
  let flushing: Promise<void> = Promise.resolve()

  const fail = (message: string): void => {
    if (failed) return
    failed = true
    hooks.onFailure(message)
  }
  /** The marker moves only over what is on disk. */
  const flush = (): Promise<void> => {
    const upTo = Math.min(last, hooks.durableSeq())
    flushing = flushing
      .then(() => writer.flush())
      .then(() => (failed ? undefined : marker.move(upTo)))
      .catch((error: unknown) => fail(`what is on the tape cannot be noted: ${String(error)}`))
    return flushing
  }
  writer.onFailure(fail)
  const timer = setInterval(() => void flush(), FLUSH_EVERY_MS)
  timer.unref()

  return {
    record(seq, event, audit, state) {
      if (seq <= last) return
      if (first && last > 0 && seq > last + 1) hooks.onHole(last, seq)
      first = false
      last = seq
      if (failed) return
      const rows = tapeRowsOf(event, audit, state)
      rows.forEach((row: TapeRow) => writer.append(row))
      hooks.onRows(rows.length)
    },
    async close() {
      clearInterval(timer)
      await flush()
      await writer.close()
    },
  }
}

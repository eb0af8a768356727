import { mkdirSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import type { Event } from '../../../../../src/core/engine/model/event.ts'
import { journalRows } from '../../../../../src/daemon/runtime/recording/journal-rows.ts'
import {
  startRecorder,
  type PositionRecorder,
  type RecorderParts,
} from '../../../../../src/daemon/runtime/recording/recorder.ts'
import { openTapeCursor } from '../../../../../src/daemon/runtime/recording/row-queue.ts'
import { tapeRowsOf } from '../../../../../src/daemon/runtime/recording/tape-rows.ts'
import { compareRows } from '../../../../../src/store/tape/model/encode-row.ts'
import { openTape } from '../../../../../src/store/tape/folder/open-tape.ts'
import { readRows } from '../../../../../src/store/tape/folder/merge-tapes.ts'
import type { TapeProblem } from '../../../../../src/store/tape/model/batch.ts'
import type { TapeRow } from '../../../../../src/store/tape/model/row.ts'
import { createTapeThread } from '../../../../../src/store/tape/writer/writer.ts'
import { openHere, valueOf } from '../../../store/store-fixture.ts'
import { replayed } from './replayed-rows.ts'

export type Place = { readonly tape: string; readonly store: string }

/** Writes the tapes of all tests, as it does for all positions of a worker. */
export const thread = createTapeThread()
afterAll(() => thread.close())

/** What a recorder said of itself. */
export type Said = { rows: number; readonly failures: string[]; readonly notices: string[] }

/** Folders of the test's own for a tape and a store. */
export function freshPlace(): Place {
  const root = mkdtempSync(join(tmpdir(), 'mizani-recorder-'))
  // A worker that was not waited for may still write when its folder goes.
  mkdirSync(join(root, 'store'))
  return { tape: join(root, 'tape'), store: join(root, 'store') }
}

/** Puts a journal with what the core posted into the store. */
export async function writeStore({ store }: Place, journal: readonly Event[]): Promise<void> {
  const written = valueOf(await openHere(store, { maxBacklog: journal.length + 1 }))
  replayed(journal, (seq, event, audit) => {
    written.append(seq, event)
    written.project(seq, audit.observations)
  })
  await written.close()
}

export function startedRecorder(
  place: Place,
  durableSeq: () => number,
  change: Partial<RecorderParts> = {},
): { readonly recorder: PositionRecorder; readonly said: Said } {
  const said: Said = { rows: 0, failures: [], notices: [] }
  const recorder = startRecorder({
    folder: place.tape,
    thread,
    rotateMs: 3_600_000,
    cursor: openTapeCursor(place.store, place.tape, durableSeq()),
    durableSeq,
    earlier: (from, to) => journalRows(place.store, { from, to, mode: 'live' }),
    onRows: (rows) => (said.rows += rows),
    onFailure: (message) => said.failures.push(message),
    onNotice: (message) => said.notices.push(message),
    ...change,
  })
  return { recorder, said }
}

export type Life = {
  /** The journal as this process found it, and the snapshot that it recovers from. */
  readonly found: number
  readonly snapshot: number
  /** It lives up to this event. */
  readonly until: number
}

/** One process's recording of its part of a journal, to its orderly end. */
export async function live(
  place: Place,
  journal: readonly Event[],
  { found, snapshot, until }: Life,
): Promise<Said> {
  let durable = found
  const { recorder, said } = startedRecorder(place, () => durable)
  replayed(journal.slice(0, until), (seq, event, audit, state) => {
    if (seq > snapshot) recorder.record(seq, event, audit, state)
  })
  durable = until
  recorder.release()
  await recorder.close(10_000)
  return said
}

/** All that a tape of this journal has to hold, in its order. */
export function rowsOf(journal: readonly Event[]): readonly TapeRow[] {
  const rows: TapeRow[] = []
  replayed(journal, (_seq, event, audit, state) => rows.push(...tapeRowsOf(event, audit, state)))
  return rows.toSorted(compareRows)
}

export async function readTape({
  tape,
}: Place): Promise<{ readonly rows: readonly TapeRow[]; readonly problems: readonly TapeProblem[] }> {
  const opened = openTape(tape, { decisions: true })
  if (!opened.ok) throw new Error(opened.error)
  const rows: TapeRow[] = []
  for await (const row of readRows(opened.value)) rows.push(row)
  return { rows, problems: opened.value.problems() }
}

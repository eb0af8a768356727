import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Audit } from '../../../../../src/core/engine/engine.ts'
import type { Event } from '../../../../../src/core/engine/model/event.ts'
import { recordPosition } from '../../../../../src/daemon/runtime/recording/record-position.ts'
import { openTapeCursor } from '../../../../../src/daemon/runtime/recording/row-queue.ts'
import { createMetrics } from '../../../../../src/daemon/telemetry/metrics/metrics.ts'
import { openTapeWriter } from '../../../../../src/store/tape/writer/writer.ts'
import type { TapeRow } from '../../../../../src/store/tape/model/row.ts'
import { coreConfig } from '../../../../support/core-config.ts'
import { longJournal } from './long-journal.ts'
import { freshPlace, live, readTape, rowsOf, startedRecorder, thread, writeStore } from './recorded-life.ts'
import { replayed } from './replayed-rows.ts'

const JOURNAL = longJournal()
const END = JOURNAL.length
const ROWS = rowsOf(JOURNAL)

const QUIET: Omit<Audit, 'seq'> = { effects: [], observations: [], wakeAt: 0, reconcileAt: Infinity }

function reference(t: number): Event {
  return { type: 'reference', t, source: 'bank-board', mid: 2_500n * 10n ** 18n }
}

test('the journal of these tests has every kind of row in it', () => {
  const kinds = new Set(ROWS.map(({ type }) => type))
  expect([...kinds].toSorted()).toEqual(['balances', 'competition', 'decision', 'fill', 'quote', 'rate'])
  expect(ROWS.filter(({ type }) => type === 'fill')).toHaveLength(6)
  expect(ROWS.filter(({ type }) => type === 'decision').length).toBeGreaterThan(6)
})

test('what a position recorded is what a replay of its journal gives, row by row', async () => {
  const place = freshPlace()
  const said = await live(place, JOURNAL, { found: 0, snapshot: 0, until: END })
  expect(said).toEqual({ rows: ROWS.length, failures: [], notices: [] })
  expect(await readTape(place)).toEqual({ rows: ROWS, problems: [] })
})

test('wherever a process died and wherever the next one recovers from, the tape has every row once', async () => {
  const position = fc.integer({ min: 1, max: END - 1 })
  const moments = fc.tuple(position, position, position, position)
  await fc.assert(
    fc.asyncProperty(moments, async ([a, b, c, d]) => {
      // The marker may lag behind the tape, and the tape behind the journal.
      const [marked, onTape, found] = [a, b, c].toSorted((x, y) => x - y) as [number, number, number]
      const snapshot = Math.min(d, found)
      const place = freshPlace()
      await writeStore(place, JOURNAL.slice(0, found))
      await live(place, JOURNAL, { found: 0, snapshot: 0, until: onTape })
      setMarker(place.store, marked)
      const said = await live(place, JOURNAL, { found, snapshot, until: END })
      expect(said).toMatchObject({ failures: [], notices: [] })
      const { rows, problems } = await readTape(place)
      expect(problems).toEqual([])
      if (snapshot <= onTape) expect(rows).toEqual(ROWS)
      // Without the core there are no decisions, nor whose quote a probe shows, nor ours before the account is seen.
      else expect([plain(rows), timesOfQuotes(rows)]).toEqual([plain(ROWS), timesOfQuotes(ROWS)])
    }),
    // The example: rows are read from the journal from the middle of a run on, before the account is seen again.
    { numRuns: 4, examples: [[[462, 462, 550, 550]]] },
  )
}, 120_000)

function setMarker(store: string, seq: number): void {
  const path = join(store, 'recorded.json')
  const { tape } = JSON.parse(readFileSync(path, 'utf8')) as { tape: string }
  writeFileSync(path, JSON.stringify({ tape, seq }))
}

function plain(rows: readonly TapeRow[]): readonly TapeRow[] {
  return rows
    .filter(({ type }) => type !== 'decision' && type !== 'quote')
    .map((row) => {
      if (row.type !== 'competition') return row
      const { own: _own, ...rest } = row
      return rest
    })
}

function timesOfQuotes(rows: readonly TapeRow[]): readonly number[] {
  return rows.filter(({ type }) => type === 'quote').map(({ t }) => t)
}

test('a restart that finds nothing missing adds nothing', async () => {
  const place = freshPlace()
  await writeStore(place, JOURNAL)
  await live(place, JOURNAL, { found: 0, snapshot: 0, until: END })
  setMarker(place.store, Math.floor(END / 2))
  const said = await live(place, JOURNAL, { found: END, snapshot: 0, until: END })
  expect(said.rows).toBe(0)
  expect((await readTape(place)).rows).toEqual(ROWS)
})

test('a row goes to the tape once its event is durable, and not before', async () => {
  const place = freshPlace()
  let durable = 0
  let rows = 0
  const opened = Promise.withResolvers<void>()
  const { recorder } = startedRecorder(place, () => durable, {
    onRows(count) {
      rows += count
      opened.resolve()
    },
  })
  for (let seq = 1; seq <= 3; seq++) recorder.record(seq, reference(seq), { ...QUIET, seq }, null)
  durable = 1
  await opened.promise
  expect(rows).toBe(1)
  recorder.release()
  expect(rows).toBe(1)
  durable = 2
  recorder.release()
  expect(rows).toBe(2)
  await recorder.close(10_000)
  expect((await readTape(place)).rows).toEqual([reference(1), reference(2)])
  // What the journal lost is not marked as recorded.
  expect(openTapeCursor(place.store, place.tape, 10).seq()).toBe(2)
})

test('what happened while the tape was still being opened is on it', async () => {
  const place = freshPlace()
  let durable = 1
  const { recorder, said } = startedRecorder(place, () => durable)
  recorder.record(2, reference(1_000_000), { ...QUIET, seq: 2 }, null)
  durable = 2
  recorder.release()
  expect(said.rows).toBe(0)
  await recorder.close(10_000)
  expect((await readTape(place)).rows).toEqual([reference(1_000_000)])
})

test('a tape that cannot be opened raises one notice, and the position continues without it', async () => {
  const place = freshPlace()
  writeFileSync(place.tape, 'a file where the folder should be')
  const { recorder, said } = startedRecorder(place, () => 2)
  for (let seq = 3; seq < 10; seq++) recorder.record(seq, reference(seq), { ...QUIET, seq }, null)
  await recorder.close(10_000)
  expect(said.failures).toEqual([expect.stringContaining('cannot be written')])
  recorder.record(11, reference(11), { ...QUIET, seq: 11 }, null)
  recorder.release()
  expect(said).toMatchObject({ rows: 0, notices: [] })
  // So that the next start knows what is missing.
  expect(openTapeCursor(place.store, place.tape, 100).seq()).toBe(2)
})

test('the metric of a recording is 1, and 0 once its tape cannot be written', async () => {
  const { store, tape } = freshPlace()
  writeFileSync(tape, 'a file where the folder should be')
  const metrics = createMetrics('desk-1')
  const recording = async () => (await metrics.tapeRecording.get()).values.map(({ value }) => value)
  const config = { core: coreConfig(), record: { path: tape, rotateMs: 3_600_000 }, store: { path: store } }
  const parts = { config, store: { durableSeq: () => 0 }, log: { warn() {} }, metrics, tapes: thread }
  const recorder = await recordPosition(parts as unknown as Parameters<typeof recordPosition>[0])
  expect(await recording()).toEqual([1])
  await recorder?.close(10_000)
  expect(await recording()).toEqual([0])
})

test('a tape that another process writes is left to it', async () => {
  const place = freshPlace()
  const other = await openTapeWriter(place.tape, { rotateMs: 3_600_000 })
  if (!other.ok) throw new Error(other.error)
  const { recorder, said } = startedRecorder(place, () => 0)
  await recorder.close(10_000)
  expect(said.failures).toEqual([expect.stringContaining('one writer')])
  await other.value.close()
})

test('a disk that does not keep up ends the recording, not the memory', async () => {
  const place = freshPlace()
  const { recorder, said } = startedRecorder(place, () => 0)
  for (let seq = 1; seq <= 100_001; seq++) recorder.record(seq, reference(seq), { ...QUIET, seq }, null)
  expect(said.failures).toEqual([expect.stringContaining('too slow')])
  for (let seq = 100_002; seq <= 200_003; seq++) {
    recorder.record(seq, reference(seq), { ...QUIET, seq }, null)
  }
  expect(said.failures).toHaveLength(1)
  await recorder.close(10_000)
})

test('a failed write raises a notice and marks no further rows, and the next start writes the missing rows', async () => {
  const place = freshPlace()
  const half = Math.floor(END / 2)
  await writeStore(place, JOURNAL)
  await live(place, JOURNAL, { found: 0, snapshot: 0, until: half })
  let durable = half
  const { recorder, said } = startedRecorder(place, () => durable)
  replayed(JOURNAL, (seq, event, audit, state) => {
    if (seq === half + 10) recorder.record(seq, { ...reference(Number.NaN) }, audit, state)
    else if (seq > half) recorder.record(seq, event, audit, state)
  })
  durable = END
  recorder.release()
  await recorder.close(10_000)
  expect(said.failures).toEqual([expect.stringContaining('recording has stopped')])
  expect(openTapeCursor(place.store, place.tape, END).seq()).toBe(half)

  const next = await live(place, JOURNAL, { found: END, snapshot: 0, until: END })
  expect(next.failures).toEqual([])
  expect((await readTape(place)).rows).toEqual(ROWS)
})

test('a marker that cannot be written ends the recording', async () => {
  const place = freshPlace()
  rmSync(place.store, { recursive: true })
  const { recorder, said } = startedRecorder(place, () => 1)
  recorder.record(2, reference(1_000_000), { ...QUIET, seq: 2 }, null)
  await recorder.close(10_000)
  expect(said.failures).toEqual([expect.stringContaining('ENOENT')])
})

test('the way out does not wait for a tape that is not done in time', async () => {
  const place = freshPlace()
  const { recorder } = startedRecorder(place, () => 1, {
    // eslint-disable-next-line require-yield -- a disk that hangs yields nothing
    async *earlier() {
      await new Promise(() => undefined)
    },
    cursor: { seq: () => 1, moveTo: () => Promise.resolve() },
  })
  recorder.record(5, reference(1_000_000), { ...QUIET, seq: 5 }, null)
  await recorder.close(0)
})

test('events that retention has dropped are reported as missing, and recording continues', async () => {
  const place = freshPlace()
  await writeStore(place, JOURNAL)
  await live(place, JOURNAL, { found: 0, snapshot: 0, until: 20 })
  rmSync(place.store, { recursive: true })
  mkdirSync(place.store)
  writeFileSync(join(place.store, 'recorded.json'), JSON.stringify({ tape: place.tape, seq: 20 }))
  const said = await live(place, JOURNAL, { found: 60, snapshot: 40, until: END })
  expect(said.failures).toEqual([])
  expect(said.notices).toEqual([expect.stringContaining('events 21 to 40')])
  const { rows } = await readTape(place)
  expect(rows.at(-1)).toEqual(ROWS.at(-1))
})

test('a marker of another tape, of another journal, or a torn one marks nothing', async () => {
  const place = freshPlace()
  const marker = openTapeCursor(place.store, place.tape, 0)
  await marker.moveTo(70)
  expect(openTapeCursor(place.store, place.tape, 70).seq()).toBe(70)
  expect(openTapeCursor(place.store, join(dirname(place.tape), 'other'), 70).seq()).toBe(null)
  expect(openTapeCursor(place.store, place.tape, 69).seq()).toBe(null)
  const path = join(place.store, 'recorded.json')
  for (const text of ['', '{"tape":', '{}', 'null', JSON.stringify({ tape: place.tape, seq: -1 })]) {
    writeFileSync(path, text)
    expect(openTapeCursor(place.store, place.tape, 70).seq()).toBe(null)
  }
})

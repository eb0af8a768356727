import { spawn } from 'node:child_process'
import { appendFileSync, copyFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { seededRandom } from '../../../src/base/random.ts'
import { DAY_MS, HOUR_MS } from '../../../src/base/time.ts'
import { compareRows, encodeRow } from '../../../src/store/tape/model/encode-row.ts'
import { createTapeThread, openTapeWriter, type TapeWriter } from '../../../src/store/tape/writer/writer.ts'
import { openTapeRecorder, periodEnd } from '../../../src/store/tape/writer/tape-recorder.ts'
import { filesBelow, fillRow, rateRow, readAll, scratch, START } from '../../unit/store/tape/tape-fixture.ts'

async function open(folder: string): Promise<TapeWriter> {
  const opened = await openTapeWriter(folder, { rotateMs: HOUR_MS })
  if (!opened.ok) throw new Error(opened.error)
  return opened.value
}

test('what was appended is read back in order after the writer closed, whatever order it came in', async () => {
  const folder = scratch()
  const rows = [
    rateRow(START + 2_000),
    fillRow(START + 1_000, 'late'),
    rateRow(START),
    fillRow(START - DAY_MS, 'yesterday'),
    {
      type: 'quote',
      t: START,
      bidBps: 60,
      askBps: 60,
      quoteBid: true,
      quoteAsk: false,
      quotePairs: ['USDC'],
    },
  ] as const
  const writer = await open(folder)
  for (const row of rows) writer.append(row)
  await writer.close()
  const read = await readAll(folder)
  expect(read.rows).toEqual(rows.toSorted(compareRows))
  expect(filesBelow(folder)).toEqual([
    '2026-11-01/070000-1.fill.parquet',
    '2026-11-02/070000-1.quote.parquet',
    '2026-11-02/070000-1.rate.parquet',
    '2026-11-02/070001-1.fill.parquet',
    'writer.lock',
  ])
})

test('a tape is read while it is written: the open text counts', async () => {
  const folder = scratch()
  const writer = await open(folder)
  writer.append(rateRow(START))
  await writer.flush()
  expect((await readAll(folder)).rows).toEqual([rateRow(START)])
  writer.append(rateRow(START + 1))
  await writer.close()
  expect((await readAll(folder)).rows).toHaveLength(2)
})

test('a second writer is refused and says why; after the first one closed it may', async () => {
  const folder = scratch()
  const first = await open(folder)
  const second = await openTapeWriter(folder, { rotateMs: HOUR_MS })
  expect(second).toMatchObject({ ok: false, error: expect.stringContaining('one writer') })
  await first.close()
  const third = await open(folder)
  await third.close()
})

test('a later writer continues with a period of its own', async () => {
  const folder = scratch()
  for (const t of [START, START + 1, START + 2]) {
    const writer = await open(folder)
    writer.append(rateRow(t))
    await writer.close()
  }
  expect((await readAll(folder)).rows.map(({ t }) => t)).toEqual([START, START + 1, START + 2])
  expect(filesBelow(folder).filter((file) => file.endsWith('.parquet'))).toEqual([
    '2026-11-02/070000-1.rate.parquet',
    '2026-11-02/070000-2.rate.parquet',
    '2026-11-02/070000-3.rate.parquet',
  ])
})

test('tapes that share a thread are written apart: one that is refused or fails takes nothing from the others', async () => {
  const thread = createTapeThread()
  const folders = Array.from({ length: 12 }, () => scratch())
  const writing = { rotateMs: HOUR_MS, thread }
  const opened = await Promise.all(folders.map((folder) => openTapeWriter(folder, writing)))
  const writers = opened.map((one) => {
    if (!one.ok) throw new Error(one.error)
    return one.value
  })
  expect(await openTapeWriter(folders[3] ?? '', writing)).toMatchObject({
    ok: false,
    error: expect.stringContaining('one writer') as string,
  })
  const failures: string[] = []
  for (const { onFailure } of writers) onFailure((message) => failures.push(message))
  // No moment: the line cannot be written.
  writers[5]?.append(rateRow(Number.NaN))
  for (const [index, { append }] of writers.entries()) {
    for (let i = 0; i < 300; i++) append(fillRow(START + i, `${index}-${i}`))
  }
  await Promise.all(writers.map(({ flush }) => flush()))
  await writers[5]?.close()
  await writers[0]?.close()
  writers[1]?.append(rateRow(START + 1_000))
  await Promise.all(writers.map(({ close }) => close()))
  expect(failures).toEqual([expect.stringContaining(`${folders[5]}: `)])
  for (const [index, folder] of folders.entries()) {
    if (index === 5) continue
    const { rows, problems } = await readAll(folder)
    expect(problems).toEqual([])
    expect(rows).toHaveLength(index === 1 ? 301 : 300)
    expect(rows[0]).toEqual(fillRow(START, `${index}-0`))
  }
  const again = await openTapeWriter(folders[5] ?? '', writing)
  expect(again.ok).toBe(true)
  await thread.close()
})

test('the death of the thread is a failure of every tape in it, and the next one starts another thread', async () => {
  const thread = createTapeThread()
  const folders = [scratch(), scratch()]
  const open = (folder: string) => openTapeWriter(folder, { rotateMs: HOUR_MS, thread })
  const failures: string[] = []
  for (const opened of await Promise.all(folders.map(open))) {
    if (!opened.ok) throw new Error(opened.error)
    opened.value.append(rateRow(START))
    await opened.value.flush()
    opened.value.onFailure((message) => failures.push(message))
  }
  await thread.close()
  await expect.poll(() => failures).toHaveLength(2)
  expect(failures).toEqual(
    folders.map((folder) => expect.stringContaining(`${folder}: the tape's thread`) as string),
  )
  for (const folder of folders) {
    const opened = await open(folder)
    if (!opened.ok) throw new Error(opened.error)
    await opened.value.close()
    expect((await readAll(folder)).rows).toEqual([rateRow(START)])
  }
  await thread.close()
})

test('a folder that cannot be one is refused with the reason', async () => {
  const folder = scratch()
  writeFileSync(join(folder, 'file'), '')
  const opened = await openTapeWriter(join(folder, 'file'), { rotateMs: HOUR_MS })
  expect(opened).toMatchObject({ ok: false, error: expect.stringContaining('cannot be written') })
})

test('a period ends after its time and at midnight UTC in any case', () => {
  expect(periodEnd(START, HOUR_MS)).toBe(START + HOUR_MS)
  expect(periodEnd(START, 3 * DAY_MS)).toBe(Date.parse('2026-11-03T00:00:00Z'))
  expect(periodEnd(Date.parse('2026-11-03T00:00:00Z'), 3 * DAY_MS)).toBe(Date.parse('2026-11-04T00:00:00Z'))
})

test('a period that is over becomes Parquet while rows go on coming', async () => {
  const folder = scratch()
  const failures: unknown[] = []
  const recorder = await openTapeRecorder(folder, HOUR_MS, START, (error) => failures.push(error))
  recorder.write([rateRow(START)], START)
  recorder.tick(START + HOUR_MS - 1)
  expect(filesBelow(folder)).toEqual(['open-1.jsonl'])
  recorder.tick(START + HOUR_MS)
  recorder.write([rateRow(START + HOUR_MS)], START + HOUR_MS)
  expect((await readAll(folder)).rows).toHaveLength(2)
  await recorder.finish()
  expect((await readAll(folder)).rows).toHaveLength(2)
  expect(filesBelow(folder)).toEqual(['2026-11-02/070000-1.rate.parquet', '2026-11-02/080000-2.rate.parquet'])
  expect(failures).toEqual([])
})

test('read again and again while periods turn into Parquet, every row is there once', async () => {
  const folder = scratch()
  const recorder = await openTapeRecorder(folder, HOUR_MS, START, () => undefined)
  for (let i = 0; i < 40; i++) {
    const now = START + i * HOUR_MS
    recorder.write([fillRow(now, `f${i}`), fillRow(now - 1, `late${i}`)], now)
    recorder.tick(now + HOUR_MS)
    const { rows, problems } = await readAll(folder)
    expect(problems).toEqual([])
    expect(rows).toHaveLength(2 * (i + 1))
  }
  await recorder.finish()
  expect((await readAll(folder)).rows).toHaveLength(80)
})

test('a period without rows leaves no file', async () => {
  const folder = scratch()
  const recorder = await openTapeRecorder(folder, HOUR_MS, START, () => undefined)
  recorder.tick(START + HOUR_MS)
  await recorder.finish()
  expect(filesBelow(folder)).toEqual([])
})

test('a torn last line of a killed writer is dropped and said, and every line before it is kept', async () => {
  const folder = scratch()
  writeFileSync(
    join(folder, 'open-4.jsonl'),
    `${encodeRow(rateRow(START))}\n${encodeRow(rateRow(START + 1)).slice(0, 40)}`,
  )
  const torn = { at: 'line 2', message: 'the last line is incomplete: skipped', skipped: 1 }
  expect(await readAll(folder)).toMatchObject({ rows: [rateRow(START)], problems: [torn] })
  const writer = await open(folder)
  expect(writer.recovered).toMatchObject([torn])
  await writer.close()
  expect(await readAll(folder)).toEqual({ rows: [rateRow(START)], problems: [] })
  expect(filesBelow(folder)).toEqual(['2026-11-02/070000-4.rate.parquet', 'writer.lock'])
})

test('a line that became unreadable in the open text is reported and kept beside the tape', async () => {
  const folder = scratch()
  writeFileSync(join(folder, 'open-1.jsonl'), `${encodeRow(rateRow(START))}\n{"t":"20\n`)
  const writer = await open(folder)
  expect(writer.recovered).toMatchObject([{ at: 'line 2', message: 'not JSON: skipped', skipped: 1 }])
  await writer.close()
  expect(readFileSync(join(folder, 'unreadable-1.txt'), 'utf8')).toContain('{"t":"20\n')
  expect((await readAll(folder)).rows).toEqual([rateRow(START)])
})

test('killed between two files of one period, nothing is doubled: the text counts until it is gone', async () => {
  const folder = scratch()
  const rows = [rateRow(START), fillRow(START + 1, 'a'), fillRow(START + DAY_MS, 'b')]
  const text = rows.map((row) => `${encodeRow(row)}\n`).join('')
  const whole = join(folder, 'whole')
  mkdirSync(whole)
  writeFileSync(join(whole, 'open-7.jsonl'), text)
  const writer = await open(whole)
  await writer.close()
  const made = filesBelow(whole).filter((file) => file.endsWith('.parquet'))
  expect(made).toHaveLength(3)
  for (let finished = 0; finished <= made.length; finished++) {
    const killed = join(folder, `killed-${finished}`)
    mkdirSync(killed)
    writeFileSync(join(killed, 'open-7.jsonl'), text)
    for (const file of made.slice(0, finished))
      cpSync(join(whole, file), join(killed, file), { recursive: true })
    appendFileSync(join(killed, 'open-7.jsonl'), '')
    mkdirSync(join(killed, '2026-11-02'), { recursive: true })
    copyFileSync(join(whole, made[0] ?? ''), join(killed, '2026-11-02', '070000-7.rate.parquet.part'))
    expect(await readAll(killed)).toMatchObject({ rows })
    const next = await open(killed)
    next.append(rateRow(START + 2 * DAY_MS))
    await next.close()
    expect((await readAll(killed)).rows).toEqual([...rows, rateRow(START + 2 * DAY_MS)])
  }
})

test('a row that cannot be written ends the recording, and anyone who asks hears why', async () => {
  const folder = scratch()
  const writer = await open(folder)
  const received: string[] = []
  writer.onFailure((message) => received.push(message))
  writer.append(rateRow(START))
  await writer.flush()
  writer.append(rateRow(Number.NaN))
  await writer.flush()
  expect(received).toEqual([expect.stringContaining('recording has stopped')])
  writer.append(rateRow(START + 1))
  await writer.close()
  const late: string[] = []
  writer.onFailure((message) => late.push(message))
  await Promise.resolve()
  expect(late).toEqual(received)
  expect((await readAll(folder)).rows).toEqual([rateRow(START)])
})

test('a period that cannot become Parquet is reported, and its text is kept for the next writer', async () => {
  const folder = scratch()
  writeFileSync(join(folder, '2026-11-02'), 'in the way')
  const writer = await open(folder)
  const received: string[] = []
  writer.onFailure((message) => received.push(message))
  writer.append(rateRow(START))
  await writer.close()
  expect(received).toEqual([expect.stringContaining('recording has stopped')])
  expect((await readAll(folder)).rows).toEqual([rateRow(START)])
  rmSync(join(folder, '2026-11-02'))
  const next = await open(folder)
  await next.close()
  expect((await readAll(folder)).rows).toEqual([rateRow(START)])
  expect(filesBelow(folder)).toContain('2026-11-02/070000-1.rate.parquet')
})

test('kill -9 at any moment loses no row that was flushed and doubles none', async () => {
  const folder = scratch()
  const random = seededRandom(11, 'kill')
  const flushed = new Map<string, number>()
  for (let life = 0; life < 5; life++) {
    flushed.set(`life${life}`, await recordAndKill(folder, `life${life}`, 300 + Math.floor(random() * 1_500)))
  }
  const check = async (): Promise<void> => {
    const { rows } = await readAll(folder)
    const ids = rows.flatMap((row) => (row.type === 'fill' ? [row.id] : []))
    expect(new Set(ids).size).toBe(ids.length)
    const known = new Set(ids)
    const owed = [...flushed].flatMap(([name, last]) =>
      Array.from({ length: last + 1 }, (_, i) => `${name}-${i}`),
    )
    expect(owed.filter((id) => !known.has(id))).toEqual([])
    expect(rows.filter(({ type }) => type === 'rate').length).toBeGreaterThanOrEqual(ids.length)
  }
  await check()
  const writer = await open(folder)
  await writer.close()
  await check()
  expect(Math.max(...flushed.values())).toBeGreaterThan(100)
}, 60_000)

/** The highest number that the child said was flushed before it was killed, `afterMs` from its first word. */
function recordAndKill(folder: string, name: string, afterMs: number): Promise<number> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'recording-child.ts'), folder, name], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  child.stdout.on('data', (chunk: Buffer) => {
    if (said === '') setTimeout(() => child.kill('SIGKILL'), afterMs)
    said += chunk.toString()
  })
  return new Promise((resolve) => {
    child.on('close', () => {
      // The last line may be torn as well.
      const lines = said.slice(0, said.lastIndexOf('\n')).split('\n')
      resolve(Number(lines.at(-1)))
    })
  })
}

import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { openTape } from '../../src/tape/folder/open-tape.ts'
import { readRows } from '../../src/tape/folder/merge-tapes.ts'
import type { TapeRow } from '../../src/tape/model/row.ts'
import { logLines } from './daemon/log-lines.ts'
import { openMarket } from './daemon/open-market.ts'
import { endDaemons, type RunningDaemon } from './daemon/running-daemon.ts'
import { until } from './daemon/until.ts'

afterAll(endDaemons)

const QUIET = { speed: 1, scenario: 'test/support/quiet-market.yaml' } as const
/** Narrower than anybody else, so that every taker is ours. */
const NARROW = { use: 'fixed-spread', params: { bidBps: 20, askBps: 25 } }
/** Of the hundred fills that the venue shows. */
const MOST_UNSEEN = 60

async function rowsOn(tape: string): Promise<readonly TapeRow[]> {
  const opened = openTape(tape, { decisions: true })
  if (!opened.ok) throw new Error(opened.error)
  const rows: TapeRow[] = []
  for await (const row of readRows(opened.value)) rows.push(row)
  expect(opened.value.problems()).toEqual([])
  return rows
}

async function metric(daemon: RunningDaemon, name: string): Promise<number | null> {
  const { body } = await daemon.get('/metrics')
  const line = String(body)
    .split('\n')
    .find((one) => one.startsWith(`${name}{`))
  return line === undefined ? null : Number(line.slice(line.lastIndexOf(' ')))
}

test(
  'a tape that cannot be written is an alert, trading goes on, and once it can be it has all that it lacked',
  { timeout: 90_000 },
  async () => {
    const market = await openMarket(QUIET, { strategy: NARROW })
    const tape = join(market.folder.path, 'tape')
    writeFileSync(tape, 'a file where a folder has to be')
    market.folder.configure({ strategy: NARROW, record: { path: tape } })
    const swap = async () => {
      const done = market.venue.model.swap({ from: 'USDC', to: 'NTZS', amountIn: 20_000_000n })
      expect(done.ok).toBe(true)
      // Fills of one moment come in the order of their ids.
      await pause(1_100)
    }

    const blocked = market.start()
    await market.quoted(20, 25)
    for (let i = 0; i < 3; i++) await swap()
    await until('the fills are booked', async () => (await blocked.state()).fills.total === 3)
    expect(await metric(blocked, 'mizani_tape_recording')).toBe(0)
    expect(await metric(blocked, 'mizani_tape_rows_total')).toBe(0)
    const alerts = logLines(blocked.output()).filter(({ code }) => code === 'tape')
    expect(alerts).toMatchObject([{ event: 'alert', severity: 'warning' }])
    expect(await blocked.kill('SIGTERM')).toEqual({ code: 0, signal: null })

    rmSync(tape)
    const recording = market.start()
    await recording.url()
    await market.quoted(20, 25)
    await swap()
    await until('another fill', async () => (await recording.state()).fills.total === 4)
    expect(await metric(recording, 'mizani_tape_recording')).toBe(1)
    await until('rows', async () => ((await metric(recording, 'mizani_tape_rows_total')) ?? 0) > 20)
    const answer = await recording.post('reload')
    expect(answer.body).toMatchObject({ accepted: true })
    market.folder.configure({ strategy: NARROW, record: { path: join(market.folder.path, 'elsewhere') } })
    const refused = await recording.post('reload')
    expect(refused.body).toMatchObject({
      accepted: false,
      answer: expect.stringContaining('record cannot change'),
    })
    expect(await recording.kill('SIGTERM')).toEqual({ code: 0, signal: null })

    const rows = await rowsOn(join(tape, 'desk-1'))
    const { fills } = market.venue.model.book().ours
    const recorded = rows.flatMap((row) => (row.type === 'fill' ? [row.id] : []))
    expect(recorded).toEqual(fills.map(({ id }) => id))
    const quotes = rows.flatMap((row) => (row.type === 'quote' ? [`${row.bidBps}|${row.askBps}`] : []))
    // The first life's quote and its safe one at the end, then the second's.
    expect(quotes).toEqual(expect.arrayContaining(['20|25', '500|500']))
    expect(quotes.lastIndexOf('20|25')).toBeGreaterThan(quotes.indexOf('500|500'))
    await market.close()
  },
)

test(
  'a daemon that is killed again and again leaves a tape with every fill once',
  { timeout: 90_000 },
  async () => {
    const market = await openMarket(QUIET, { strategy: NARROW })
    const tape = join(market.folder.path, 'tape')
    market.folder.configure({ strategy: NARROW, record: { path: tape } })
    const filled = () => market.venue.model.book().ours.fills
    let seen = 0
    // Never more than the venue's list holds: what falls off it before a slow start nobody can record.
    const takers = setInterval(() => {
      if (filled().length - seen < MOST_UNSEEN)
        market.venue.model.swap({ from: 'USDC', to: 'NTZS', amountIn: 5_000_000n })
    }, 60)
    for (const afterMs of [50, 700, 1_300]) {
      const daemon = market.start()
      const { total } = (await daemon.state()).fills
      await until('it sees fills', async () => {
        seen = (await daemon.state()).fills.total
        return seen > total
      })
      await pause(afterMs)
      await daemon.kill('SIGKILL')
    }
    const last = market.start()
    await last.url()
    clearInterval(takers)
    await until('all fills are seen', async () => (await last.state()).fills.total === filled().length)
    await last.kill('SIGTERM')

    const rows = await rowsOn(join(tape, 'desk-1'))
    const recorded = rows.flatMap((row) => (row.type === 'fill' ? [row.id] : []))
    expect(recorded.length).toBeGreaterThan(30)
    expect(recorded.toSorted()).toEqual(
      filled()
        .map(({ id }) => id)
        .toSorted(),
    )
    const texts = rows.map((row) =>
      JSON.stringify(row, (_, value) => (typeof value === 'bigint' ? `${value}` : value)),
    )
    expect(new Set(texts).size).toBe(texts.length)
    await market.close()
  },
)

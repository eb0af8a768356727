import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readDrilledPosition } from '../../../../src/drills/model/drilled-position.ts'
import { readPeak } from '../../../../src/drills/model/peak.ts'
import {
  appendTicks,
  durable,
  fillPosted,
  freshFolder,
  openHere,
  valueOf,
} from '../../store/store-fixture.ts'

const MINUTE = 60_000
const NOW = 1_700_000_000_000

/** A store with fills of these times. */
async function storeWith(times: readonly number[]): Promise<string> {
  const folder = freshFolder()
  const store = valueOf(await openHere(folder))
  appendTicks(store, 1, times.length)
  for (const [index, createdAt] of times.entries())
    store.project(index + 1, [fillPosted(`f-${index}`, { createdAt })])
  await durable(store, times.length)
  await store.close()
  return folder
}

test('the peak is the minute of the last six months with the most fills, and the one with the most dollars', async () => {
  const halfYear = 183 * 24 * 60 * MINUTE
  const old = Array.from({ length: 9 }, () => NOW - halfYear - MINUTE)
  const folder = await storeWith([...old, NOW - 5 * MINUTE, NOW - MINUTE, NOW - MINUTE])
  const peak = readPeak(folder, NOW)
  expect(peak.fillsPerMinute).toBe(2)
  expect(peak.usdPerMinute).toBeCloseTo(2 * 12.345678, 9)
  expect(peak.source).toBe(`the busiest minutes of the last six months in ${folder}`)
})

test('a desk without a journal, or without a fill, is drilled with an assumed peak that names its reason', async () => {
  const none = freshFolder()
  expect(readPeak(none, NOW)).toMatchObject({
    fillsPerMinute: 30,
    source: `an assumed peak, because there is no journal in ${none}`,
  })
  const empty = await storeWith([])
  expect(readPeak(empty, NOW).source).toBe(`an assumed peak, because ${empty} has no fill`)
})

test('a desk whose store is in PostgreSQL is drilled with the peak of that store, never of the folder', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mizani-peak-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'desk.yaml')
  writeFileSync(
    file,
    `
name: desk-1
venue: { baseUrl: 'https://venue.example', apiKey: !env KEY }
strategy: { use: fixed-spread, params: { bidBps: 60, askBps: 70 } }
risk: { priceCorridor: { min: '2300', max: '2900' } }
store: { path: ${folder}, postgres: !env STORE_URL }
`,
  )
  const read = readDrilledPosition(file, {})
  if (!read.ok) throw new Error(JSON.stringify(read.error))
  expect(read.value.place).toEqual({ url: '', position: 'desk-1', folder })
  expect(readPeak(read.value.place, NOW).source).toBe(
    'an assumed peak, because there is no journal in PostgreSQL, position desk-1',
  )
  const wrong = readDrilledPosition(file, { STORE_URL: 'mysql://db/desks' })
  expect(wrong.ok ? null : wrong.error[0]).toMatchObject({ path: 'store.postgres', line: 6 })
})

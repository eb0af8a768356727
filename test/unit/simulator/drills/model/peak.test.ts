import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readDrilledPosition } from '../../../../../src/simulator/drills/model/drilled-position.ts'
import type { Event } from '../../../../../src/core/engine/model/event.ts'
import { readPeak } from '../../../../../src/simulator/drills/model/peak.ts'
import {
  appendTicks,
  durable,
  fillPosted,
  freshFolder,
  openHere,
  valueOf,
} from '../../../store/store-fixture.ts'

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
  expect(peak.requestsPerMinute).toBe(0)
  expect(peak.fillsPerMinute).toBe(2)
  expect(peak.usdPerMinute).toBeCloseTo(2 * 12.345678, 9)
  expect(peak.source).toBe(
    `the busiest minutes of the last six months in ${folder} (requests: of its last week)`,
  )
})

test('a desk without a journal, or without a fill, is drilled with an assumed peak that names its reason', async () => {
  const none = freshFolder()
  expect(readPeak(none, NOW)).toMatchObject({
    fillsPerMinute: 30,
    source: expect.stringContaining(`in ${none}`),
  })
  const empty = await storeWith([])
  expect(readPeak(empty, NOW).source).toContain(`${empty} has no fill`)
})

test('what a desk sends in its busiest minute of the last week is counted with failures, requests of commands and further requests for one answer', async () => {
  const folder = freshFolder()
  const store = valueOf(await openHere(folder))
  const rate = (t: number): Event => ({
    type: 'rate',
    t,
    request: 1,
    mid: null,
    problem: null,
    rateUpdatedAt: null,
    quotable: true,
    venueTime: null,
  })
  const events: readonly Event[] = [
    // Nine in a minute, but before the last week.
    ...Array.from({ length: 9 }, (_, n) => rate(NOW - 8 * 24 * 60 * MINUTE + n)),
    rate(NOW - 9 * MINUTE),
    rate(NOW - 2 * MINUTE),
    { ...requestFailed(NOW - 2 * MINUTE + 1), alsoSentAt: [NOW - 2 * MINUTE] },
    { type: 'requestsElsewhere', t: NOW, lane: 'key', times: [NOW - 2 * MINUTE + 2, NOW - 2 * MINUTE + 3] },
    { type: 'requestsElsewhere', t: NOW, lane: 'public', times: [NOW - 2 * MINUTE + 4] },
    { type: 'tick', t: NOW },
  ]
  for (const [index, event] of events.entries()) store.append(index + 1, event)
  store.project(1, [fillPosted('f-1', { createdAt: NOW - MINUTE })])
  await durable(store, events.length)
  await store.close()
  expect(readPeak(folder, NOW)).toMatchObject({ fillsPerMinute: 1, requestsPerMinute: 5 })
})

function requestFailed(t: number): Extract<Event, { type: 'requestFailed' }> {
  return {
    type: 'requestFailed',
    t,
    request: 2,
    failure: {
      kind: 'rate-limit',
      code: 'RATE_LIMIT',
      status: 429,
      route: 'GET /fills',
      message: 'too many',
      retriable: true,
      outcome: 'failed',
      retryAfterMs: null,
    },
  }
}

test('a store in PostgreSQL and its secret are read only with --read-store, and the folder is never read instead', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mizani-peak-'))
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
  const unasked = { STORE_URL: 'mysql://db/desks' }
  const read = readDrilledPosition(file, false, unasked)
  if (!read.ok) throw new Error(JSON.stringify(read.error))
  expect(read.value.place).toBeNull()
  expect(readPeak(read.value.place, NOW).source).toContain('--read-store')
  const asked = readDrilledPosition(file, true, { STORE_URL: 'postgres://db/desks?sslmode=verify-full' })
  expect(asked).toMatchObject({
    value: { place: { url: 'postgres://db/desks?sslmode=verify-full', position: 'desk-1', folder } },
  })
  for (const env of [{}, unasked]) {
    const wrong = readDrilledPosition(file, true, env)
    expect(wrong.ok ? null : wrong.error[0]).toMatchObject({ path: 'store.postgres', line: 6 })
  }
})

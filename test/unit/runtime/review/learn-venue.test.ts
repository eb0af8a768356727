import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { learnSince } from '../../../../src/runtime/review/learn-venue.ts'
import { createReviewThreads } from '../../../../src/runtime/review/review-thread.ts'
import { keptFolder, recordDays, storeOf } from '../../close/close-fixture.ts'

const LAST_DAY = Date.parse('2026-11-22T00:00:00Z')

test('a day of a journal shows the venue of that day, also in a thread of its own', async () => {
  const store = await storeOf(recordDays(), keptFolder())
  const whole = learnSince({ store, position: 'desk-1', from: 0 })
  const day = learnSince({ store, position: 'desk-1', from: LAST_DAY })
  if (!whole.ok || !day.ok) throw new Error('not learned')
  expect(whole.value.position).toBe('desk-1')
  expect(day.value.from).toBeGreaterThanOrEqual(LAST_DAY)
  expect(day.value.events).toBeLessThan(whole.value.events)
  expect(learnSince({ store, position: 'desk-1', from: LAST_DAY * 2 })).toMatchObject({
    value: { events: 0, from: null },
  })
  const threads = createReviewThreads()
  const worker = new URL('../../../../src/runtime/review/conformance-worker.ts', import.meta.url)
  expect(await threads.run(worker, { store, position: 'desk-1', from: LAST_DAY })).toEqual(day)
  await threads.close()
})

test('a store that is not there, or is none, is an error that says so', () => {
  const folder = keptFolder()
  const nothing = learnSince({ store: join(folder, 'none'), position: 'desk-1', from: 0 })
  expect(nothing).toMatchObject({ ok: false, error: expect.stringContaining('none') as string })
  writeFileSync(join(folder, 'journal.sqlite'), 'no store')
  expect(learnSince({ store: folder, position: 'desk-1', from: 0 })).toMatchObject({ ok: false })
})

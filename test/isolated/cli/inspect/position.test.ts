import { describe, expect, test } from 'vitest'
import { readLearned, readPosition } from '../../../../src/cli/inspect/position.ts'
import { checkLearned } from '../../../../src/research/diagnosis/check/sources.ts'
import { saveStop } from '../../../../src/daemon/runtime/position/saved-stops.ts'
import { storedView } from '../../../../src/daemon/runtime/position/stored-position.ts'
import type { Event } from '../../../../src/core/engine/model/event.ts'
import { openReader } from '../../../../src/store/open-reader.ts'
import { coreHarness } from '../../../support/core-harness.ts'
import { load, VALID } from '../../../unit/daemon/config/config-fixture.ts'
import { freshFolder, openHere } from '../../../unit/store/store-fixture.ts'
import { valueOf } from '../../../unit/venue/read-answer.ts'

/** A store of a position that ran, and whose strategy then hung in an event that never reached the disk. */
async function stoppedWhileHanging(suspendAt: 'pending' | 'none') {
  const loaded = valueOf(await load(VALID))
  const harness = coreHarness({ config: loaded.core })
  const folder = freshFolder()
  const store = valueOf(await openHere(folder))
  const [started] = harness.journal
  if (started === undefined) throw new Error('nothing was journalled')
  store.append(1, started)
  if (suspendAt === 'pending') store.saveSuspension({ seq: 2, reason: 'it hung' })
  await store.close()
  const reader = valueOf(openReader(folder))
  const view = await storedView(loaded, reader)
  reader.close()
  return view
}

describe('the status of a daemon that is stopped', () => {
  test('shows a suspension that waits for the next start', async () => {
    expect((await stoppedWhileHanging('none'))?.strategy.suspended).toBe(null)
    expect((await stoppedWhileHanging('pending'))?.strategy.suspended).toBe('it hung')
  })
})

test('the status of a position that does not run lists the stops that wait for its start', async () => {
  const loaded = valueOf(await load(VALID))
  const folder = freshFolder()
  const config = { ...loaded, store: { ...loaded.store, place: folder, path: folder } }
  const [started] = coreHarness({ config: loaded.core }).journal
  const store = valueOf(await openHere(folder))
  if (started !== undefined) store.append(1, started)
  await store.close()
  const stops = async () => {
    const seen = await readPosition(config)
    return 'why' in seen ? seen.why : (seen.unwatched ?? []).filter((line) => line.includes('is kept'))
  }
  expect(await stops()).toEqual([])
  expect(await saveStop(folder, { command: { name: 'halt' }, who: 'amina', why: 'a night' })).toBeNull()
  expect(await stops()).toEqual([
    'halt by amina (a night) is kept, and takes effect when the position starts',
  ])
})

test('what the journal after the latest snapshot shows of the venue is learned, and a fresh store prints no line', async () => {
  const loaded = valueOf(await load(VALID))
  const folder = freshFolder()
  const config = { ...loaded, store: { ...loaded.store, place: folder, path: folder } }
  expect(checkLearned(await readLearned(config))).toEqual([])
  const [started] = coreHarness({ config: loaded.core }).journal
  const store = valueOf(await openHere(folder))
  if (started !== undefined) store.append(1, started)
  const answer = {
    type: 'activation',
    t: 2_000_000,
    request: 9,
    isActive: true,
    partial: false,
    returned: [],
  }
  store.append(2, { ...answer, method: 'PATCH' } as unknown as Event)
  await store.close()
  const detail = expect.stringContaining('method of /activate: PATCH') as string
  expect(checkLearned(await readLearned(config))).toMatchObject([{ name: 'learned', status: 'ok', detail }])
})

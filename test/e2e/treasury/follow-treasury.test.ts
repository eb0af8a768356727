import { afterEach, expect, test } from 'vitest'
import {
  followTreasury,
  type FollowedTreasury,
} from '../../../src/daemon/runtime/treasury/following/follow-treasury.ts'
import { until } from '../daemon/until.ts'
import { longTreasury } from '../../support/long-treasury.ts'

const PLACE = { url: 'postgres://db/x', position: 'desk', folder: '/data' }
const PAGE = 7

const open: FollowedTreasury[] = []
afterEach(() => open.splice(0).forEach(({ end }) => end()))

/** A database that another daemon writes, and one that follows it. */
function followed() {
  const database = { records: longTreasury(1, 30), origin: 'cluster 1 17\n', isAway: false, asked: 0 }
  const following = followTreasury({
    place: PLACE,
    pauseMs: { behind: 1, caughtUp: 1, failed: 1 },
    identity: () => database.origin,
    nextPage(_place, after) {
      database.asked += 1
      if (database.isAway) return Promise.reject(new Error('PostgreSQL is away'))
      const records = database.records.slice(after, after + PAGE)
      return Promise.resolve(records.length === 0 ? null : { records, origin: database.origin })
    },
  })
  open.push(following)
  const folded = (seq: number) =>
    until(`${seq} events are folded`, () => following.fold()?.seq() === seq && true)
  return { database, following, folded }
}

test('What another daemon writes is folded as it comes, and a database that is away is asked again', async () => {
  const { database, folded } = followed()
  await folded(30)
  database.isAway = true
  const { asked } = database
  await until('it was asked meanwhile', () => database.asked > asked + 3)
  database.records = longTreasury(1, 45)
  database.isAway = false
  await folded(45)
})

test('Nothing is folded after the end, whatever arrives', async () => {
  const { database, following, folded } = followed()
  await folded(30)
  following.end()
  database.records = longTreasury(1, 45)
  const { asked } = database
  await new Promise((resolve) => setTimeout(resolve, 30))
  expect(database.asked).toBeLessThanOrEqual(asked + 1)
  expect(following.fold()?.seq()).toBe(30)
})

test('After a fail-over, or with a backup put back, what was folded before counts for nothing', async () => {
  const { database, following, folded } = followed()
  await folded(30)
  database.origin = 'cluster 2 17\n'
  expect(following.fold()).toBeNull()
  // The other history is as long, so that its numbers alone would not show it.
  database.records = longTreasury(1, 31)
  await folded(31)
})

test('An event that does not parse ends the following, and the start reads all of it and reports that', async () => {
  const { database, following, folded } = followed()
  await folded(30)
  database.records = [...longTreasury(1, 30), { seq: 31, t: 1, type: 'tick', body: '{' }]
  await until('it has given up', () => following.fold() === null)
})

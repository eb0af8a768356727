import { expect, test } from 'vitest'
import { killPool } from '../e2e/kills/kill-pool.ts'

test('a daemon under load that is killed three times with SIGKILL loses no fill and counts none twice', async () => {
  // One kill with fills in the books, then these two at random points.
  const seen = await killPool({ feeFrom: 'position', seed: 11, kills: 2 })
  expect(seen['fills']).toBeGreaterThan(4)
  expect(seen['starts that reached the journal']).toBeGreaterThan(1)
}, 300_000)

import { afterAll, describe, expect, test } from 'vitest'
import { endDaemons } from './daemon/running-daemon.ts'
import { killPool } from './kills/kill-pool.ts'

// Two positions at two venues, one a dialect. What is counted in hundreds is `npm run campaign -- --kills 1000`, whose figures are published.

afterAll(endDaemons)

const KILLS = 8

describe('No unit is lost or counted twice', { timeout: 900_000 }, () => {
  test.concurrent.each([
    { dialect: 'contract', feeFrom: 'position', seed: 11 },
    { dialect: 'observed', feeFrom: 'pool', seed: 12 },
  ] as const)(
    `by kill -9 at ${KILLS} random points under load, $dialect dialect, fee from the $feeFrom: no fill is lost and none counted twice`,
    async (venue) => {
      const seen = await killPool({ ...venue, kills: KILLS })
      // Enough happened for all of this to mean something.
      expect(seen['fills']).toBeGreaterThan(2 * KILLS)
      expect(seen['starts that reached the journal']).toBeGreaterThan(KILLS / 3)
    },
  )
})

import { describe, expect, test } from 'vitest'
import { killPool } from '../e2e/kills/kill-pool.ts'

// test/smoke/kill.test.ts kills a daemon with the fee from the position; `npm run campaign -- --kills 1000` kills with both.

const KILLS = 8

describe('No unit is lost or counted twice', () => {
  test(`when a daemon under load with the fee from the pool is killed ${KILLS} times at random points: it loses no fill and counts none twice`, async () => {
    const seen = await killPool({ feeFrom: 'pool', seed: 12, kills: KILLS })
    // Enough happened for all of this to mean something.
    expect(seen['fills']).toBeGreaterThan(2 * KILLS)
    expect(seen['starts that reached the journal']).toBeGreaterThan(KILLS / 3)
  }, 900_000)
})

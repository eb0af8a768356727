import { describe, expect, test } from 'vitest'
import { killTreasury } from '../e2e/kills/kill-treasury.ts'

/** Two markets beside each other. What is counted in hundreds is `npm run campaign -- --kills 1000`, whose figures are published. */
const KILLS = 4

describe('A payment is never sent twice', () => {
  test.concurrent.each([7, 8])(
    `by a daemon that is killed with -9 at ${KILLS} random moments of seed %i: no payout and no refill is lost or repeated`,
    async (seed) => {
      const seen = await killTreasury({ seed, kills: KILLS })
      expect(seen['payouts']).toBeGreaterThan(KILLS / 5)
      expect(seen['transfers']).toBeGreaterThan(0)
    },
    1_200_000,
  )
})

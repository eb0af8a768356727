import { describe, expect, test } from 'vitest'
import { needs } from '../support/needs.ts'
import { killCustody } from '../e2e/kills/kill-custody.ts'

// Two makers, each on a chain of its own. What is counted in hundreds is `npm run campaign -- --kills 1000`, whose figures are published.

const KILLS = 4

describe.skipIf(needs('anvil'))(
  'A signed order is owed until the chain shows its end',
  { timeout: 900_000 },
  () => {
    test.concurrent.each([
      { seed: 21, bound: 'balance', listsFills: true },
      { seed: 22, bound: 'allowance', listsFills: false },
    ] as const)(
      `at ${KILLS} random points, promises bound by the $bound: none is forgotten, no unit is promised twice, each fill is booked once`,
      async (market) => {
        const seen = await killCustody({ ...market, kills: KILLS })
        // Enough happened for all of this to mean something.
        expect(seen['fills']).toBeGreaterThan(KILLS / 2)
        expect(seen['orders']).toBeGreaterThan(KILLS)
        expect(seen['checks of the outstanding orders']).toBeGreaterThan(KILLS / 4)
        expect(seen['looks at the chain']).toBeGreaterThan(3 * KILLS)
      },
    )
  },
)

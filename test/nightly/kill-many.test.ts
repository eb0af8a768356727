import { availableParallelism } from 'node:os'
import { expect, test } from 'vitest'
import { killFleet } from '../e2e/kills/kill-fleet.ts'

/** There is a worker a core: two share each, as far as a test may take. */
const POSITIONS = Math.min(8, 2 * availableParallelism())
const KILLS = 5
const SEED = 31

test(
  'by kill -9 at random points under flow, no store of positions on shared workers loses what its position has acted on, and each replays to its digests',
  { timeout: 900_000 },
  async () => {
    const seen = await killFleet({ seed: SEED, kills: KILLS, positions: POSITIONS })
    // Enough happened for all of this to mean something.
    expect(seen['fills of the least busy position']).toBeGreaterThan(5)
    expect(seen['starts that reached every journal']).toBeGreaterThan(KILLS / 3)
  },
)

import { describe } from 'vitest'
import { runTreasurySeeds } from '../../../world/treasury/run-treasury-seeds.ts'

describe('days of a treasury at the simulated venue, seeds 1 to 20', () => {
  runTreasurySeeds(1, 20)
})

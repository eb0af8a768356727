import { describe } from 'vitest'
import { runTreasurySeeds } from './run-treasury-seeds.ts'

describe('days of a treasury at the simulated venue, seeds 31 to 60', () => {
  runTreasurySeeds(31, 60)
})

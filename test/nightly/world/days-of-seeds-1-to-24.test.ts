import { describe } from 'vitest'
import { expectVariety } from '../../world/expect-variety.ts'
import { runSeeds } from '../../world/run-seeds.ts'

describe('simulated days, seeds 1 to 24', () => {
  expectVariety(runSeeds(1, 24))
})

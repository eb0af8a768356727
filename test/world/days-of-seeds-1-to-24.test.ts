import { describe } from 'vitest'
import { expectVariety } from './expect-variety.ts'
import { runSeeds } from './run-seeds.ts'

describe('simulated days, seeds 1 to 24', () => {
  expectVariety(runSeeds(1, 24))
})

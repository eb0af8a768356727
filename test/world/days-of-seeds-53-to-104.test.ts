import { describe } from 'vitest'
import { expectVariety } from './expect-variety.ts'
import { runSeeds } from './run-seeds.ts'

describe('simulated days, seeds 53 to 104', () => {
  expectVariety(runSeeds(53, 104))
})

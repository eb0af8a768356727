import { describe } from 'vitest'
import { expectVariety } from './expect-variety.ts'
import { runSeeds } from './run-seeds.ts'

describe('simulated days, seeds 105 to 156', () => {
  expectVariety(runSeeds(105, 156))
})

import { describe } from 'vitest'
import { expectVariety } from './expect-variety.ts'
import { runSeeds } from './run-seeds.ts'

describe('simulated days, seeds 157 to 208', () => {
  expectVariety(runSeeds(157, 208))
})

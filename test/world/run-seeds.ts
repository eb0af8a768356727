import { expect, it } from 'vitest'
import { describeWorld } from './describe-world.ts'
import { drawWorld } from './draw-world.ts'
import { simulate, type SimulationResult } from './simulate.ts'

/** Every so many worlds the whole journal is kept and replayed at the end. */
const REPLAY_EVERY = 8

/**
 * One test a seed, from `first` to `last`, or only MIZANI_WORLD_SEED where that is set. Returns what the
 * worlds that have run came to.
 */
export function runSeeds(first: number, last: number): readonly SimulationResult[] {
  const only = process.env['MIZANI_WORLD_SEED']
  const results: SimulationResult[] = []
  for (let seed = first; seed <= last; seed++) {
    if (only !== undefined && Number(only) !== seed) continue
    const options = drawWorld(seed)
    it(`seed ${seed}: a day of ${options.venue.scenario} keeps its promises`, () => {
      try {
        results.push(simulate(options, { replay: seed % REPLAY_EVERY === 0 }))
      } catch (error) {
        const why = error instanceof Error ? (error.stack ?? error.message) : String(error)
        expect.fail(`${why}\n${describeWorld(options)}`)
      }
    })
  }
  return results
}

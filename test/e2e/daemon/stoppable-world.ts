import { createWorld } from '../../../src/sandbox/world/create-world.ts'
import type { ScenarioName } from '../../../src/sandbox/world/scenario.ts'
import type { World } from '../../../src/sandbox/world/world.ts'

export type StoppableWorld = { readonly world: World; readonly stop: () => void }

/** The seeded world of a scenario, which a test can bring to rest to compare books. */
export function stoppableWorld(scenario: ScenarioName, seed: number, start: number): StoppableWorld {
  const inner = createWorld({ scenario, seed, start })
  let stopped = false
  return {
    world: {
      openingMid: inner.openingMid,
      openingPrintedAt: inner.openingPrintedAt,
      competitors: inner.competitors,
      peekAt: () => (stopped ? Number.POSITIVE_INFINITY : inner.peekAt()),
      next: (seenMid) => inner.next(seenMid),
    },
    stop() {
      stopped = true
    },
  }
}

import { createWorld } from '../../../src/simulator/sandbox/world/create-world.ts'
import type { World } from '../../../src/simulator/sandbox/world/world.ts'
import { shippedScenario } from '../../support/shipped-scenario.ts'
import { BUSY_VENUE } from './position-folder.ts'

export type StoppableWorld = { readonly world: World; readonly stop: () => void }

type FlowOptions = {
  /** No other provider takes our flow. */
  readonly alone?: boolean
  readonly retailFactor?: number
  /** Takers wait while it is true, and come at once afterwards. Asked before each of them. */
  readonly isHeld?: () => boolean
}

/** The seeded world of a scenario, which a test can bring to rest to compare books. */
export function stoppableWorld(
  scenario: string,
  seed: number,
  start: number,
  { alone = false, retailFactor = BUSY_VENUE.retailFactor, isHeld = () => false }: FlowOptions = {},
): StoppableWorld {
  const inner = createWorld({
    scenario: shippedScenario(scenario, alone ? { rivals: { followBps: [], staticBps: [] } } : {}),
    seed,
    start,
    retailFactor,
  })
  let stopped = false
  return {
    world: {
      openingMid: inner.openingMid,
      openingPrintedAt: inner.openingPrintedAt,
      competitors: inner.competitors,
      peekAt: () => (stopped || isHeld() ? Number.POSITIVE_INFINITY : inner.peekAt()),
      next: (seenMid, shown) => inner.next(seenMid, shown),
    },
    stop() {
      stopped = true
    },
  }
}

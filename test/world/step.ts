import type { Ms } from '../../src/base/time.ts'
import type { Audit } from '../../src/core/engine/engine.ts'
import type { EngineState } from '../../src/core/engine/model/state.ts'
import type { Event } from '../../src/core/engine/model/event.ts'

/** One event that the core has just processed. */
export type Step = {
  readonly seq: number
  readonly event: Event
  readonly audit: Audit
  /** The core's state after it: for reading, now. */
  readonly state: EngineState
  /** True time, which is the venue's clock; the core's is `state.now`. */
  readonly now: Ms
}

/** What must hold after every step; it throws where it does not. */
export type Invariant = {
  readonly check: (step: Step) => void
  /** The process died and what came after event `seq` was not on disk: it has not happened. */
  readonly rewind?: (seq: number) => void
}

/** Ends the simulation with a sentence about what does not hold. */
export function violated(sentence: string): never {
  throw new Error(`invariant violated: ${sentence}`)
}

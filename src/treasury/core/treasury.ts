import type { Ms } from '../../base/time.ts'
import type { TreasuryEffect } from '../model/effect.ts'
import type { TreasuryEvent } from '../model/event.ts'
import type { TreasuryObservation } from '../model/observation.ts'
import type { PlanInput } from '../model/plan-types.ts'
import { handleTreasuryEvent } from './dispatch.ts'
import { planInputOf } from './plan-input.ts'
import { conclude } from './schedule.ts'
import { createTreasuryState, type TreasuryState } from '../state.ts'
import { createTreasuryTransition } from '../transition.ts'

/** The result of one event. Effects are performed in order once the event is durable. */
export type TreasuryAudit = {
  readonly effects: readonly TreasuryEffect[]
  readonly observations: readonly TreasuryObservation[]
}

export type Treasury = {
  /** Processes the next event. Synchronous and deterministic. */
  readonly process: (event: TreasuryEvent) => TreasuryAudit
  /** The live state, read-only. Null before the first `configured`. */
  readonly state: () => Readonly<TreasuryState> | null
  /** Returns the policy's input; null = no balances yet. The plan returns as `planned` or `ordered`. */
  readonly planInput: (now: Ms) => PlanInput | null
}

const NOTHING: TreasuryAudit = { effects: [], observations: [] }

/** Creates a treasury, whose state is the fold of its events. Events before `configured` are ignored. */
export function createTreasury(): Treasury {
  let state: TreasuryState | null = null
  return {
    process(event) {
      if (state === null && event.type === 'configured') state = createTreasuryState(event)
      if (state === null) return NOTHING
      // The shell's clock may be set back; the core's never is.
      state.now = Math.max(state.now, event.t)
      const transition = createTreasuryTransition(state)
      handleTreasuryEvent(transition, event)
      conclude(transition)
      const { effects, observations } = transition
      return { effects, observations }
    },
    state: () => state,
    planInput: (now) => (state === null ? null : planInputOf(state, now)),
  }
}

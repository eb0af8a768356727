import type { Ms } from '../base/time.ts'
import type { TreasuryEffect } from './model/effect.ts'
import type { TreasuryAlertCode, TreasuryObservation } from './model/observation.ts'
import type { TreasuryState } from './state.ts'

type Untimed<T> = T extends unknown ? Omit<T, 't'> : never

/** The processing of one event: the state that it changes, and the only ways to cause something. */
export type TreasuryTransition = {
  readonly state: TreasuryState
  readonly now: Ms
  /** Emits an observation. */
  readonly emit: (observation: Untimed<TreasuryObservation>) => void
  /** Raises an alert for the operator. */
  readonly alert: (code: TreasuryAlertCode, message: string, intent?: string) => void
  /** Requests an effect from the shell. */
  readonly send: (effect: TreasuryEffect) => void
}

type RunningTreasuryTransition = TreasuryTransition & {
  readonly effects: TreasuryEffect[]
  readonly observations: TreasuryObservation[]
}

export function createTreasuryTransition(state: TreasuryState): RunningTreasuryTransition {
  const { now } = state
  const effects: TreasuryEffect[] = []
  const observations: TreasuryObservation[] = []
  return {
    state,
    now,
    effects,
    observations,
    emit: (observation) => void observations.push({ ...observation, t: now }),
    alert: (code, message, intent) =>
      void observations.push({ type: 'treasuryAlert', t: now, code, message, intent: intent ?? null }),
    send: (effect) => void effects.push(effect),
  }
}

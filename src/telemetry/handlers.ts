import type { Observation } from '../engine/model/observation.ts'

type Type = Observation['type']

/** One handler per observation type of `Some`. */
export type Handlers<Some extends Type> = {
  readonly [T in Some]: (observation: Extract<Observation, { readonly type: T }>) => void
}

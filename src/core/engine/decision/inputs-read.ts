import type { Ms } from '../../../base/time.ts'
import type { Cause } from '../../strategy/context.ts'
import type { Plot } from '../../strategy/define-strategy.ts'

/** The inputs of a strategy, one bit each. Values that the configuration fixes (target, calibration) have no bit. */
export const INPUTS = {
  /** The clock, the calendar, ages, random numbers and the cause, which differ on every call. */
  time: 1,
  mid: 2,
  fairValue: 4,
  inventory: 8,
  fills: 16,
  competition: 32,
  standing: 64,
  fee: 128,
  available: 256,
  markouts: 512,
  feeds: 1024,
  data: 2048,
} as const
type InputName = keyof typeof INPUTS
const INPUT_NAMES = Object.keys(INPUTS) as InputName[]

/** When and why the strategy was last asked, and what it read. Not part of the state: every process starts without it. */
export type LastQuestion = {
  readonly askedAt: Ms
  /** The cause of the decision. */
  readonly cause: Cause
  /** The bits of the inputs that it read; `inputNames` names them. */
  readonly inputs: number
  /** What its answer plots, for research. */
  readonly plot?: Plot | undefined
}

/** The names of the inputs whose bits are set. */
export function inputNames(bits: number): readonly InputName[] {
  return INPUT_NAMES.filter((name) => (bits & INPUTS[name]) !== 0)
}

import type { Ms } from '../../../base/time.ts'
import type { Cause } from '../../strategy/context.ts'

/** What a strategy can read of its context, a bit each. What the configuration fixes (target, calibration) has none. */
export const INPUTS = {
  /** The clock, the calendar, ages, random numbers, the cause: another one at every question. */
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
} as const
type InputName = keyof typeof INPUTS
const INPUT_NAMES = Object.keys(INPUTS) as InputName[]

/**
 * When the strategy was asked last, what for, and what it read. No part of the state: it follows from the events that this
 * core has processed, so it begins anew with every process.
 */
export type LastQuestion = {
  readonly askedAt: Ms
  /** What asked for the decision. */
  readonly cause: Cause
  readonly inputs: readonly InputName[]
}

/** The names of the inputs whose bits are set. */
export function inputNames(bits: number): readonly InputName[] {
  return INPUT_NAMES.filter((name) => (bits & INPUTS[name]) !== 0)
}

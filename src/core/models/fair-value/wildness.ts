import type { RateModel } from './rate-model.ts'

/**
 * The recent size of the mid's updates relative to their expected size. Rates have calm and volatile months, so one constant
 * volatility would be overconfident in half of them.
 */
export type Wildness = {
  /** Number of updates, and the sum of their squared surprises relative to the parameters; older ones decay. */
  updates: number
  squares: number
  /** True if the last update counted as a typing error. */
  isDoubted: boolean
}

/** The factor on an update's weight after the next one, and the number of typical updates that the parameters weigh. */
const KEPT = 0.97
const PARAMETERS_COUNT = 4
/** Cap per update: a single jump of four standard deviations or more does not make the period volatile. */
const MOST_SQUARE = 16
const MOST_SCALE = 4

export function startWildness(): Wildness {
  return { updates: 0, squares: 0, isDoubted: false }
}

function scaleOf({ updates, squares }: Wildness): number {
  return Math.min(MOST_SCALE, Math.sqrt((PARAMETERS_COUNT + squares) / (PARAMETERS_COUNT + updates)))
}

/** Returns the model with movements and noise scaled to their recent size. */
export function scaledModel(model: RateModel, wildness: Wildness | null): RateModel {
  if (wildness === null || wildness.updates === 0) return model
  const scale = scaleOf(wildness)
  return {
    ...model,
    sigmaBps: model.sigmaBps * scale,
    driftSdBpsPerDay: model.driftSdBpsPerDay * scale,
    publicationNoiseBps: model.publicationNoiseBps * scale,
  }
}

/** Updates the factor from an update: its surprise and the expected variance of that surprise. */
export function learnWildness(wildness: Wildness, surprise: number, variance: number): void {
  const scale = scaleOf(wildness)
  const square = Math.min(MOST_SQUARE, surprise ** 2 / variance)
  wildness.squares = KEPT * wildness.squares + square * scale ** 2
  wildness.updates = KEPT * wildness.updates + 1
}

/**
 * Standard deviations of an update with a wrong digit, and of the largest honest jump beyond the expected movement; prior odds
 * of an error.
 */
const TYPING_ERROR_BPS = 300
const JUMP_BPS = 60
const TYPING_ERROR_ODDS = 0.1

/**
 * Returns whether an update is a typing error rather than a jump: only if it is too far for both the expected error and a jump.
 * A second one in a row does not count, because the venue corrects an error within hours.
 */
export function isTypingError(wildness: Wildness, surprise: number, variance: number): boolean {
  const honest = Math.max(9 * variance, variance + JUMP_BPS ** 2)
  const wrong = variance + TYPING_ERROR_BPS ** 2
  const lossOf = (of: number) => Math.log(of) + surprise ** 2 / of
  const isFar = lossOf(wrong) - 2 * Math.log(TYPING_ERROR_ODDS) < lossOf(honest)
  wildness.isDoubted = isFar && !wildness.isDoubted
  return wildness.isDoubted
}

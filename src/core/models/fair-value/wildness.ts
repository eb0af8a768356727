import type { RateModel } from './rate-model.ts'

/**
 * How far the recent updates of the mid deviated from their expected size. Rates have calm and volatile months, so that one constant
 * volatility would be overconfident in half of them.
 */
export type Wildness = {
  /** Updates seen, and the sum of their squared surprises over what the parameters expected; older ones fade. */
  updates: number
  squares: number
  /** Whether the last update counted as a typing error. */
  isDoubted: boolean
}

/** The factor on an update's weight after the next one, and the number of typical updates that the parameters weigh. */
const KEPT = 0.97
const PARAMETERS_COUNT = 4
/** Of one update: a jump of four standard deviations and more does not make months wild. */
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

/** Learns from an update: by how much it surprised, and the variance that was expected of that. */
export function learnWildness(wildness: Wildness, surprise: number, variance: number): void {
  const scale = scaleOf(wildness)
  const square = Math.min(MOST_SQUARE, surprise ** 2 / variance)
  wildness.squares = KEPT * wildness.squares + square * scale ** 2
  wildness.updates = KEPT * wildness.updates + 1
}

/** Standard deviations of an update that is wrong by a digit, and of the largest honest one besides what is expected; odds. */
const TYPING_ERROR_BPS = 300
const JUMP_BPS = 60
const TYPING_ERROR_ODDS = 0.1

/**
 * Whether an update is a typing error rather than a jump: only what is too far for both the expected doubt and a jump is.
 * Two in a row do not count, for the venue corrects an error within hours.
 */
export function isTypingError(wildness: Wildness, surprise: number, variance: number): boolean {
  const honest = Math.max(9 * variance, variance + JUMP_BPS ** 2)
  const wrong = variance + TYPING_ERROR_BPS ** 2
  const lossOf = (of: number) => Math.log(of) + surprise ** 2 / of
  const isFar = lossOf(wrong) - 2 * Math.log(TYPING_ERROR_ODDS) < lossOf(honest)
  wildness.isDoubted = isFar && !wildness.isDoubted
  return wildness.isDoubted
}

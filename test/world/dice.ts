import { seededRandom } from '../../src/base/random.ts'

/** Draws from one labelled stream of a seed. */
export type Dice = {
  readonly next: () => number
  readonly happens: (chance: number) => boolean
  /** An integer from `low` to `high`, both included. */
  readonly between: (low: number, high: number) => number
  readonly pick: <T>(choices: readonly T[]) => T
  readonly exponential: (mean: number) => number
}

export function createDice(seed: number, label: string): Dice {
  const next = seededRandom(seed, `world ${label}`)
  return {
    next,
    happens: (chance) => next() < chance,
    between: (low, high) => low + Math.floor(next() * (high - low + 1)),
    pick: (choices) => choices[Math.floor(next() * choices.length)] as (typeof choices)[number],
    exponential: (mean) => -mean * Math.log(1 - next()),
  }
}

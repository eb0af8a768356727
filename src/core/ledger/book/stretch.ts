import type { Rate } from '../../../base/money/rate.ts'

/**
 * The marks between two settlements of the book, while no units moved; five of them are enough. Dollars are worth their number
 * times the mark, so the total PnL, its peak and its drawdown move linearly with the mark (with the opposite sign if dollars
 * are owed). The highest total of a stretch is at its highest mark, and the maximum drawdown is the dollars times the largest
 * fall of the mark. A mark therefore costs only comparisons; the products are computed once, at settlement. Source:
 * docs/accounting.md, the inventory terms of both identities.
 */
export type Stretch = {
  /** The mark that the book is settled at. */
  readonly from: Rate
  highest: Rate
  lowest: Rate
  /** The lowest mark since the highest one, and the highest since the lowest one. */
  sinceHighest: Rate
  sinceLowest: Rate
  /** The deepest fall of the mark before a new high, and the steepest rise before a new low. */
  fall: bigint
  rise: bigint
}

export function beginStretch(from: Rate): Stretch {
  return { from, highest: from, lowest: from, sinceHighest: from, sinceLowest: from, fall: 0n, rise: 0n }
}

/** Moves the mark. */
export function extendStretch(stretch: Stretch, mark: Rate): void {
  if (mark > stretch.highest) {
    stretch.fall = deepestFall(stretch)
    stretch.highest = mark
    stretch.sinceHighest = mark
  } else if (mark < stretch.sinceHighest) stretch.sinceHighest = mark
  if (mark < stretch.lowest) {
    stretch.rise = steepestRise(stretch)
    stretch.lowest = mark
    stretch.sinceLowest = mark
  } else if (mark > stretch.sinceLowest) stretch.sinceLowest = mark
}

/** Returns the largest fall of the mark below an earlier high. */
export function deepestFall({ highest, sinceHighest, fall }: Stretch): bigint {
  const last = highest - sinceHighest
  return last > fall ? last : fall
}

/** Returns the largest rise of the mark above an earlier low. */
export function steepestRise({ lowest, sinceLowest, rise }: Stretch): bigint {
  const last = sinceLowest - lowest
  return last > rise ? last : rise
}

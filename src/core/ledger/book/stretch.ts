import type { Rate } from '../../../base/money/rate.ts'

/**
 * The marks between two settlements of the book, while no unit moved. Of all of them five are enough. Dollars are worth
 * their number times the mark, so that the total of the PnL rises and falls with the mark (with its sign turned where the
 * dollars are owed), and so do its peak and its deepest fall: the highest total of a stretch is that at its highest mark,
 * and the deepest fall is the dollars times the deepest fall of the mark. So a mark costs comparisons, and the products
 * are taken once, where the book is settled. Source: docs/accounting.md, the inventory terms of both identities.
 */
export type Stretch = {
  /** The mark that the book is settled at. */
  readonly from: Rate
  highest: Rate
  lowest: Rate
  /** The lowest mark since the highest one, and the highest since the lowest one. */
  sinceHighest: Rate
  sinceLowest: Rate
  /** The deepest fall of the mark that ended in another highest mark, and the steepest rise that ended in another lowest. */
  fall: bigint
  rise: bigint
}

export function beginStretch(from: Rate): Stretch {
  return { from, highest: from, lowest: from, sinceHighest: from, sinceLowest: from, fall: 0n, rise: 0n }
}

/** The mark moves to `mark`. */
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

/** How far the mark fell at most below the highest mark before it. */
export function deepestFall({ highest, sinceHighest, fall }: Stretch): bigint {
  const last = highest - sinceHighest
  return last > fall ? last : fall
}

/** How far the mark rose at most above the lowest mark before it. */
export function steepestRise({ lowest, sinceLowest, rise }: Stretch): bigint {
  const last = sinceLowest - lowest
  return last > rise ? last : rise
}

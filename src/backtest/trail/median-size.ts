/** The median of sizes seen so far, to about 5 percent. */
export type MedianSize = {
  readonly add: (size: number) => void
  /** 0 = none seen yet. */
  readonly value: number
}

const PER_DOUBLING = 8
const BINS = 512
/** Bin of the size 1: sizes from 2^-20 to 2^44 have bins of their own. */
const ONE = 20 * PER_DOUBLING
const SIZES = Float64Array.from({ length: BINS }, (_, bin) => 2 ** ((bin + 0.5 - ONE) / PER_DOUBLING))

/** Counts sizes in bins of an eighth of a doubling and lets a pointer follow the middle. */
export function createMedianSize(): MedianSize {
  const median = { value: 0, add }
  const counts = new Float64Array(BINS)
  let seen = 0
  let below = 0
  let middle = 0
  function add(size: number): void {
    const wanted = Math.floor(Math.log2(size) * PER_DOUBLING) + ONE
    const bin = Math.min(BINS - 1, Math.max(0, wanted))
    counts[bin]! += 1
    seen += 1
    if (bin < middle) below += 1
    while (below > seen / 2) {
      middle -= 1
      below -= counts[middle]!
    }
    while (below + counts[middle]! < seen / 2) {
      below += counts[middle]!
      middle += 1
    }
    median.value = SIZES[middle]!
  }

  return median
}

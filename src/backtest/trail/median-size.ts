/** The median of sizes seen so far, to about 6 percent. */
export type MedianSize = {
  readonly add: (size: number) => void
  /** 0 = none seen yet. */
  readonly value: number
}

const BINS = 512
/** Exponent and first three bits of a double, less this, are its bin: eight a doubling, from 2^-20 to 2^44. */
const FIRST = (1023 - 20) * 8
const SHIFT = 17

/** Counts sizes in bins and lets a pointer follow the middle. Reads a size's bits: a logarithm costs ten times as much. */
export function createMedianSize(): MedianSize {
  const median = { value: 0, add }
  const counts = new Uint32Array(BINS)
  const bits = new DataView(new ArrayBuffer(8))
  let seen = 0
  let below = 0
  let middle = 0

  function add(size: number): void {
    bits.setFloat64(0, size)
    const bin = Math.min(BINS - 1, Math.max(0, (bits.getUint32(0) >>> SHIFT) - FIRST))
    counts[bin]! += 1
    seen += 1
    if (bin < middle) below += 1
    while (2 * below > seen) {
      middle -= 1
      below -= counts[middle]!
    }
    while (2 * (below + counts[middle]!) < seen) {
      below += counts[middle]!
      middle += 1
    }
    // The middle of its bin.
    bits.setUint32(0, ((middle + FIRST) << SHIFT) | (1 << (SHIFT - 1)))
    bits.setUint32(4, 0)
    median.value = bits.getFloat64(0)
  }

  return median
}

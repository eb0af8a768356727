import type { Ms } from '../../base/time.ts'

/** How long a value that is not negative was how high. */
export type TimeHistogram = {
  readonly hold: (value: number, forMs: Ms) => void
  /** Weighted by time; null = no time has passed. */
  readonly mean: () => number | null
  /** The value below which it was for this share of the time, to half a bin. */
  readonly quantile: (probability: number) => number | null
}

const BINS = 2000

/**
 * Bins of equal width, `scale` wide together to begin with; a value beyond them doubles the width. So a
 * quantile is right to a thousandth of the highest value seen, and of `scale` at least.
 */
export function createTimeHistogram(scale: number, bins = BINS): TimeHistogram {
  const held = new Float64Array(bins)
  const sums = { width: scale / bins, time: 0, valueTime: 0 }

  const widen = (): void => {
    for (let i = 0; i < bins / 2; i++) held[i] = held[2 * i]! + held[2 * i + 1]!
    held.fill(0, bins / 2)
    sums.width *= 2
  }

  return {
    hold(value, forMs) {
      while (value >= sums.width * bins) widen()
      held[Math.floor(value / sums.width)]! += forMs
      sums.time += forMs
      sums.valueTime += value * forMs
    },
    mean: () => (sums.time > 0 ? sums.valueTime / sums.time : null),
    quantile(probability) {
      if (!(sums.time > 0)) return null
      const wanted = probability * sums.time
      let below = 0
      for (let i = 0; i < bins; i++) {
        const inBin = held[i]!
        if (inBin > 0 && below + inBin >= wanted) return (i + (wanted - below) / inBin) * sums.width
        below += inBin
      }
      return sums.width * bins
    },
  }
}

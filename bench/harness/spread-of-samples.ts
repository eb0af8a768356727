/** Where the samples of one figure lie. Same unit as the samples, rounded to three decimals. */
export type SpreadOfSamples = {
  readonly count: number
  readonly p50: number
  readonly p95: number
  readonly p99: number
  readonly max: number
}

/** Nearest-rank quantiles: every figure is one that was really measured. All zero without samples. */
export function spreadOfSamples(samples: readonly number[]): SpreadOfSamples {
  const sorted = Float64Array.from(samples).toSorted()
  const at = (share: number) => {
    const value = sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0
    return Math.round(value * 1_000) / 1_000
  }
  return { count: sorted.length, p50: at(0.5), p95: at(0.95), p99: at(0.99), max: at(1) }
}

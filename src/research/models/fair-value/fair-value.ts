/** Normal distribution of the gap between fair value and mid, bps. */
type Gaussian = { readonly mean: number; readonly variance: number }

/** A source's reading of the gap. */
export type Reading = {
  /** The time that it describes in days, which may be long before its arrival. */
  readonly t: number
  /** bps. */
  readonly value: number
  /** Standard deviation of its error, bps, > 0. */
  readonly sd: number
}

/**
 * Returns the gap at a time `at`, given a prior for t = 0 and readings for any times: the gap is a random walk of
 * `sigma` bps per square root of a day. Conditions on all readings together, those up to `at` from the past and later
 * ones from the future, so the order of arrival does not matter. Without readings the prior's error grows, which
 * differs from a gap of 0. Source: Kalman 1960; Rauch, Tung, Striebel 1965 for the future's part; market.md section
 * 4.6.
 */
export function conditionGap(
  { sigma, prior, at }: { readonly sigma: number; readonly prior: Gaussian; readonly at: number },
  readings: readonly Reading[],
): Gaussian {
  const known = [
    { t: 0, mean: prior.mean, variance: prior.variance },
    ...readings.map(({ t, value, sd }) => ({ t, mean: value, variance: sd * sd })),
  ].toSorted((a, b) => a.t - b.t || a.variance - b.variance || a.mean - b.mean)
  const past = filterTowards(
    at,
    sigma,
    known.filter(({ t }) => t <= at),
  )
  const future = filterTowards(at, sigma, known.filter(({ t }) => t > at).toReversed())
  return past === null ? future! : future === null ? past : joined(past, future)
}

type Dated = Gaussian & { readonly t: number }

/** Returns the estimate of the gap at `at` from readings on one side of it, the farthest first; null without readings. */
function filterTowards(at: number, sigma: number, dated: readonly Dated[]): Gaussian | null {
  let last: Dated | null = null
  for (const reading of dated)
    last = { ...(last === null ? reading : joined(moved(last, sigma, reading.t), reading)), t: reading.t }
  return last === null ? null : moved(last, sigma, at)
}

function moved({ mean, variance, t }: Dated, sigma: number, to: number): Gaussian {
  return { mean, variance: variance + sigma * sigma * Math.abs(to - t) }
}

/** Combines two independent estimates, at most one of which is certain. */
function joined(one: Gaussian, other: Gaussian): Gaussian {
  if (one.variance === 0) return one
  const total = one.variance + other.variance
  return {
    mean: one.mean + (one.variance / total) * (other.mean - one.mean),
    variance: one.variance * (other.variance / total),
  }
}

/**
 * What Miller and Orr 1966 ask for. `varianceADay` in money squared a day, `cost` of one movement, `rateADay` is what a
 * unit would earn elsewhere a day, `lower` the limit L that is never undercut.
 */
type CashFlow = {
  readonly varianceADay: number
  readonly cost: number
  readonly rateADay: number
  readonly lower: number
}

/** At `upper` everything above `target` leaves, at `lower` the difference to `target` comes in. */
type CashLimits = { readonly target: number; readonly upper: number; readonly average: number }

/** A yearly rate as the one of a day. The day count is no detail: 360 and 365 days give other limits. */
export function dailyRate(yearly: number, daysAYear: 360 | 365): number {
  return yearly / daysAYear
}

/**
 * Z = L + (3 b sigma^2 / 4 i)^(1/3), H = 3 Z - 2 L, average (4 Z - L) / 3. It assumes no drift, an equal cost of both
 * directions and movements that arrive at once, so that here it is a benchmark and no rule.
 */
export function millerOrr({ varianceADay, cost, rateADay, lower }: CashFlow): CashLimits {
  const distance = Math.cbrt((3 * cost * varianceADay) / (4 * rateADay))
  const target = lower + distance
  return { target, upper: lower + 3 * distance, average: (4 * target - lower) / 3 }
}

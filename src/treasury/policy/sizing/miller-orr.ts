/**
 * Inputs of Miller and Orr 1966. `varianceADay` in money squared a day, `cost` of one movement, `rateADay` is the
 * return of a unit elsewhere a day, `lower` is the limit L, which is never undercut.
 */
type CashFlow = {
  readonly varianceADay: number
  readonly cost: number
  readonly rateADay: number
  readonly lower: number
}

/** At `upper` everything above `target` leaves; at `lower` the shortfall to `target` comes in. */
type CashLimits = { readonly target: number; readonly upper: number; readonly average: number }

/** Returns the daily rate of a yearly one. The day count matters: 360 and 365 days give different limits. */
export function dailyRate(yearly: number, daysAYear: 360 | 365): number {
  return yearly / daysAYear
}

/**
 * Returns Z = L + (3 b sigma^2 / 4 i)^(1/3), H = 3 Z - 2 L, average (4 Z - L) / 3. Assumes no drift, equal costs in
 * both directions and instant movements, so it is only a benchmark here.
 */
export function millerOrr({ varianceADay, cost, rateADay, lower }: CashFlow): CashLimits {
  const distance = Math.cbrt((3 * cost * varianceADay) / (4 * rateADay))
  const target = lower + distance
  return { target, upper: lower + 3 * distance, average: (4 * target - lower) / 3 }
}

/** What came in a stretch of time and what was expected. */
export type CountedDay = { readonly count: number; readonly expected: number }

/** Days in which less than this was expected are taken together with the next ones. */
const ENOUGH = 1
/** Fewer stretches than this say nothing about scatter. */
const FEWEST = 5

/**
 * By how much daily counts scatter beyond a Poisson law, as a factor on standard errors: sqrt(chi2 / df),
 * never below 1. `parameters` were fitted to the same counts. Source: quant.md section 3; McCullagh,
 * Nelder 1989, section 4.5.
 */
export function overdispersion(days: Iterable<CountedDay>, parameters = 2): number {
  let chiSquare = 0
  let stretches = 0
  let count = 0
  let expected = 0
  for (const day of days) {
    count += day.count
    expected += day.expected
    if (expected < ENOUGH) continue
    chiSquare += (count - expected) ** 2 / expected
    stretches += 1
    count = 0
    expected = 0
  }
  const degrees = stretches - parameters
  return degrees < FEWEST ? 1 : Math.max(1, Math.sqrt(chiSquare / degrees))
}

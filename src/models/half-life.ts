/**
 * In how many steps half of a deviation is gone, by the first-order autoregression of an evenly spaced
 * series (one value a day gives days): ln 2 / -ln phi with phi by least squares. 0 = gone within one step.
 * Null = it does not revert, or fewer than three values, or they never change. Least squares under few
 * values finds phi too small by about (1 + 3 phi) / n (Kendall 1954), so short series look quicker than they are.
 */
export function halfLife(values: ArrayLike<number>): number | null {
  const pairs = values.length - 1
  if (pairs < 2) return null
  let before = 0
  let after = 0
  for (let i = 0; i < pairs; i++) {
    before += values[i] ?? 0
    after += values[i + 1] ?? 0
  }
  before /= pairs
  after /= pairs
  let together = 0
  let alone = 0
  for (let i = 0; i < pairs; i++) {
    const away = (values[i] ?? 0) - before
    together += away * ((values[i + 1] ?? 0) - after)
    alone += away * away
  }
  if (!(alone > 0)) return null
  const phi = together / alone
  if (phi >= 1) return null
  return phi <= 0 ? 0 : Math.LN2 / -Math.log(phi)
}

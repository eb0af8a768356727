import { gammaCdf, logGamma } from '../../src/core/models/distributions.ts'

/** Under this many expected, a class is joined with its neighbour. */
const LEAST_EXPECTED = 5

/**
 * How likely counts as far from the law as these are, or farther: Pearson's chi-square over the values of
 * `draws`, neighbours joined until each class expects five. `pmf` gives the probability of 0, 1, 2 ...
 */
export function chiSquareP(draws: readonly number[], pmf: (value: number) => number): number {
  const highest = Math.max(...draws)
  let [statistic, classes, expected, observed, below] = [0, 0, 0, 0, 0]
  const close = (): void => {
    statistic += (observed - expected) ** 2 / expected
    classes += 1
    ;[expected, observed] = [0, 0]
  }
  for (let value = 0; value <= highest; value++) {
    const share = pmf(value)
    below += share
    expected += share * draws.length
    observed += draws.filter((draw) => draw === value).length
    const rest = (1 - below) * draws.length
    if (expected >= LEAST_EXPECTED && rest >= LEAST_EXPECTED) close()
  }
  expected += Math.max(0, 1 - below) * draws.length
  close()
  return 1 - gammaCdf((classes - 1) / 2, statistic / 2)
}

export function binomialPmf(n: number, p: number): (value: number) => number {
  return (k) =>
    k > n
      ? 0
      : Math.exp(
          logGamma(n + 1) -
            logGamma(k + 1) -
            logGamma(n - k + 1) +
            k * Math.log(p) +
            (n - k) * Math.log(1 - p),
        )
}

export function poissonPmf(mean: number): (value: number) => number {
  return (k) => Math.exp(k * Math.log(mean) - mean - logGamma(k + 1))
}

/** k ~ Gamma(`alpha`, rate `beta`): posterior of the decay of fills with the spread. */
type DecayPosterior = {
  /** Above 1; as large as fills were seen. */
  readonly alpha: number
  /** bps; the mean of k is alpha / beta. */
  readonly beta: number
}

/** Half-spread that is best on average over the posterior of k, and the one that treats k as certain. */
type PosteriorSpread = {
  readonly bps: number
  /** cost + 1 / E[k]. */
  readonly plugInBps: number
  /** The share of the best mean value that the plug-in earns, 0 to 1. */
  readonly plugInKeeps: number
}

/**
 * Maximises the mean of (b - cost) exp(-k b) over k, which is (b - cost) (1 + b/beta)^-alpha: the best is
 * b = (beta + alpha cost) / (alpha - 1), above the plug-in, so doubt widens. `costBps` >= 0 is what a fill costs.
 * Source: the Laplace transform of the gamma law; golden in market.md section 4.7.
 */
export function posteriorSpread({ alpha, beta }: DecayPosterior, costBps: number): PosteriorSpread {
  const bps = (beta + alpha * costBps) / (alpha - 1)
  const plugInBps = costBps + beta / alpha
  const margins = ((alpha - 1) / alpha) * (beta / (beta + costBps))
  const fills = Math.exp(alpha * (Math.log1p(bps / beta) - Math.log1p(plugInBps / beta)))
  return { bps, plugInBps, plugInKeeps: Math.min(1, margins * fills) }
}

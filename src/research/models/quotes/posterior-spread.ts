/** k ~ Gamma(`alpha`, rate `beta`): posterior of the decay of fills with the spread. */
type DecayPosterior = {
  /** Above 1; equal to the number of observed fills. */
  readonly alpha: number
  /** bps; the mean of k is alpha / beta. */
  readonly beta: number
}

/** The half-spread with the best mean over the posterior of k, and the one that treats k as certain. */
type PosteriorSpread = {
  readonly bps: number
  /** cost + 1 / E[k]. */
  readonly plugInBps: number
  /** The share of the best mean value that the plug-in earns, 0 to 1. */
  readonly plugInKeeps: number
}

/**
 * Maximises the mean of (b - cost) exp(-k b) over k, which is (b - cost) (1 + b/beta)^-alpha: the optimum is b =
 * (beta + alpha cost) / (alpha - 1), above the plug-in, so uncertainty widens the spread. `costBps` >= 0 is the cost
 * of a fill. Source: the Laplace transform of the gamma law; golden in market.md section 4.7.
 */
export function posteriorSpread({ alpha, beta }: DecayPosterior, costBps: number): PosteriorSpread {
  const bps = (beta + alpha * costBps) / (alpha - 1)
  const plugInBps = costBps + beta / alpha
  const margins = ((alpha - 1) / alpha) * (beta / (beta + costBps))
  const fills = Math.exp(alpha * (Math.log1p(bps / beta) - Math.log1p(plugInBps / beta)))
  return { bps, plugInBps, plugInKeeps: Math.min(1, margins * fills) }
}

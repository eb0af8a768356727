/** Inputs of quotes for trades of one size. Inventory is in the unit of `size`. */
export type SizedMarket = {
  /** Fills per day and side at no spread. */
  readonly a: number
  /** Per bps. */
  readonly k: number
  /** Volatility of the mid, bps per square root of a day. */
  readonly sigmaBps: number
  /** gamma: cost of holding one unit of inventory for a day, per bps and unit. */
  readonly riskAversion: number
  /** Delta: units per fill. */
  readonly size: number
  /** xi, per bps and unit: aversion to the scatter of the fills themselves. gamma: Model A; 0: Model B. */
  readonly fillAversion: number
}

/** Half-spreads are `halfSpreadBps` +- `skewBpsPerUnit` times the inventory. */
type SizedQuotes = { readonly halfSpreadBps: number; readonly skewBpsPerUnit: number }

/**
 * Returns the closed form of the optimal half-spread of one asset for trades of one size, far from any limit: (1/(xi
 * D)) ln(1 + xi D/k) + ((2q + D)/2) sqrt(gamma sigma^2/(2 A D k) (1 + xi D/k)^(k/(xi D) + 1)), in bps. Model A (xi =
 * gamma) is exponential utility; Model B (xi = 0) is a running penalty gamma sigma^2 q^2 / 2. Source: Gueant 2017;
 * golden in quant.md section 1.3 and 2.2.
 */
export function sizedQuotes({ a, k, sigmaBps, riskAversion, size, fillAversion }: SizedMarket): SizedQuotes {
  const perSize = fillAversion * size
  const log = Math.log1p(perSize / k)
  // Below this the two limits, 1/k and e, are exact to the last digit of a float64.
  const isModelB = perSize / k < 1e-16
  const width = isModelB ? 1 / k : log / perSize
  const growth = isModelB ? Math.E : Math.exp((k / perSize + 1) * log)
  const skewBpsPerUnit = sigmaBps * Math.sqrt((riskAversion / (2 * a * size * k)) * growth)
  return { halfSpreadBps: width + (size / 2) * skewBpsPerUnit, skewBpsPerUnit }
}

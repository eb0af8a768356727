/** Inputs of the optimal quotes of a market maker. Inventory is counted in lots of equal size. */
export type GlftMarket = {
  /** Fills per day and side at no spread, of one lot each. */
  readonly a: number
  /** Per bps. */
  readonly k: number
  /** Volatility of the mid, bps per square root of a day. */
  readonly sigmaBps: number
  /** Per bps and lot, > 0. */
  readonly riskAversion: number
  /**
   * `cara`: exponential utility of the final wealth. `penalty`: expected wealth less riskAversion * sigma^2 *
   * lots^2 / 2 a day, which leaves the width of the spread to the takers alone.
   */
  readonly objective?: 'cara' | 'penalty'
  /** Drift of the mid, bps per day; default 0. */
  readonly driftBpsPerDay?: number
  /** Movement of the mid against us with each fill, bps; default 0. */
  readonly adverseBps?: number
}

/** Half-spreads as a linear function of the inventory, with derived figures. */
type GlftRule = {
  /** Without inventory, before half a lot's skew. */
  readonly baseBps: number
  /** c: the shift of both quotes per lot. */
  readonly skewBpsPerLot: number
  /** Shift for the drift: subtracted from the side that buys dollars and added to the other. */
  readonly leanBps: number
  /** Standard deviation of the inventory in the long run. */
  readonly stationarySdLots: number
  /** Days until half of a deviation is gone. */
  readonly halfLifeDays: number
}

/**
 * The closed form of the optimal quotes far from the inventory limits. Source: Gueant, Lehalle, Fernandez-Tapia 2013,
 * section 5; Gueant 2017 for the penalty; quant.md sections 1.2 and 1.3, golden in 2.2.
 */
export function glftRule(market: GlftMarket): GlftRule {
  const { a, k, sigmaBps, riskAversion, objective = 'cara', driftBpsPerDay = 0, adverseBps = 0 } = market
  const cara = objective === 'cara'
  const width = cara ? Math.log1p(riskAversion / k) / riskAversion : 1 / k
  // (1 + gamma/k)^(1 + k/gamma), and its limit e as the exponent's gamma goes to 0.
  const growth = cara ? Math.exp((1 + k / riskAversion) * Math.log1p(riskAversion / k)) : Math.E
  const variance = sigmaBps ** 2 * riskAversion
  const c = Math.sqrt((variance / (2 * k * a)) * growth) * Math.exp((k * adverseBps) / 4)
  const baseBps = width + adverseBps / 2
  return {
    baseBps,
    skewBpsPerLot: c,
    leanBps: (driftBpsPerDay / variance) * c,
    stationarySdLots: 1 / Math.sqrt(2 * k * c),
    // At the spread quoted on target, half a lot's skew included: this reproduces the golden figure.
    halfLifeDays: Math.LN2 / (2 * k * c * a * Math.exp(-k * (baseBps + c / 2))),
  }
}

/**
 * Returns half-spreads around the fair value at an inventory of `lots` of dollars above the target: long dollars, it buys less
 * eagerly and sells more eagerly. `buyBps` is an askBps, `sellBps` a bidBps (quant.md section 0).
 */
export function glftSpreads(
  { baseBps, skewBpsPerLot, leanBps }: GlftRule,
  lots: number,
): { readonly buyBps: number; readonly sellBps: number } {
  return {
    buyBps: baseBps + ((2 * lots + 1) / 2) * skewBpsPerLot - leanBps,
    sellBps: baseBps - ((2 * lots - 1) / 2) * skewBpsPerLot + leanBps,
  }
}

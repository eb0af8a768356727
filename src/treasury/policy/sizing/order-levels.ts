import { normalDensity, normalQuantile } from '../../../core/models/distributions.ts'

/** Normally distributed demand over some time; any unit, `sd` >= 0. */
export type Demand = { readonly mean: number; readonly sd: number }

/**
 * Costs of stock. `holding` per unit and period (the other token's return, risk of the token), `short` per missing unit
 * and period (edge lost while a side is off), `order` a fixed cost per refill (rail fee, a person's time). One
 * currency, any period, the demand's unit.
 */
type StockCosts = { readonly holding: number; readonly short: number; readonly order: number }

/** Returns the economic order quantity sqrt(2 K D / h): `demand` in units per period. Source: Harris 1913. */
export function economicOrderQuantity(demand: number, { holding, order }: Omit<StockCosts, 'short'>): number {
  return Math.sqrt((2 * order * demand) / holding)
}

/** Returns the stock for a peak without a refill, and its mean cost. Source: Arrow et al. 1951. */
export function newsvendor(
  demand: Demand,
  { holding, short }: Omit<StockCosts, 'order'>,
): { readonly level: number; readonly cost: number } {
  const z = normalQuantile(short / (short + holding))
  return { level: demand.mean + z * demand.sd, cost: (holding + short) * demand.sd * normalDensity(z) }
}

/** Below `reorder` the stock is refilled to `upTo`. */
type OrderLevels = { readonly reorder: number; readonly upTo: number }

/**
 * Returns (s,S) for demand per period by the power approximation. `lead` is the demand over the lead time, by default
 * one period. Source: Ehrhardt, Mosier 1984.
 */
export function powerApproximation(demand: Demand, costs: StockCosts, lead: Demand = demand): OrderLevels {
  const { holding, short, order } = costs
  const { mean, sd } = demand
  if (sd === 0) {
    const quantity = economicOrderQuantity(mean, costs)
    return { reorder: lead.mean, upTo: lead.mean + quantity }
  }
  const scatter = (1 + (lead.sd * lead.sd) / (mean * mean)) ** 0.116
  const quantity = 1.3 * mean ** 0.494 * (order / holding) ** 0.506 * scatter
  const z = Math.sqrt((quantity * holding) / (lead.sd * short))
  const reorder = 0.973 * lead.mean + lead.sd * (0.183 / z + 1.063 - 2.192 * z)
  return { reorder, upTo: reorder + quantity }
}

/**
 * Returns the demand that a refill must cover with one review per period: a refill starts only after the level was
 * passed by the undershoot U of a period's demand D, which adds to the lead time's demand. E[U] = E[D^2] / 2 E[D],
 * Var[U] = E[D^3] / 3 E[D] - E[U]^2 (Tijms, Groenevelt 1984).
 */
export function withUndershoot({ mean, sd }: Demand, lead: Demand): Demand {
  if (!(mean > 0)) return lead
  const square = mean * mean + sd * sd
  const cube = mean ** 3 + 3 * mean * sd * sd
  const under = square / (2 * mean)
  const variance = Math.max(0, cube / (3 * mean) - under * under)
  return { mean: lead.mean + under, sd: Math.sqrt(lead.sd * lead.sd + variance) }
}

import { normalDensity, normalQuantile } from '../../../core/models/distributions.ts'

/** Demand over some time, taken as normal; any unit, `sd` >= 0. */
export type Demand = { readonly mean: number; readonly sd: number }

/**
 * What stock costs. `holding` a unit and period (return that the other token would earn, risk of the token), `short` a
 * unit and period that is missing (edge lost while a side is off), `order` a fixed cost of each refill (fee of the rail,
 * time of a person). One currency, any period, the demand's unit.
 */
type StockCosts = { readonly holding: number; readonly short: number; readonly order: number }

/** Economic order quantity sqrt(2 K D / h): `demand` units a period. Source: Harris 1913. */
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
 * (s,S) for demand by period by the power approximation. `lead` is the demand over the lead time, which is the demand of
 * one period where a refill comes at once. Source: Ehrhardt, Mosier 1984.
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
 * Returns the demand that a refill has to cover with one review a period: it starts only after the level was passed by
 * the undershoot U of the demand D of a period, which adds to the demand of the lead time. E[U] = E[D^2] / 2 E[D],
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

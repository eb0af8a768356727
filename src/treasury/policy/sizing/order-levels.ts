import { normalDensity, normalQuantile } from '../../../models/distributions.ts'
import { expectedShort, levelForShort, shortBeyond, type Demand } from './normal-loss.ts'

/**
 * What stock costs. `holding` a unit and period (return that the other token would earn, risk of the token), `short` a
 * unit and period that is missing (edge lost while a side is off), `order` a fixed cost of each refill (fee of the rail,
 * time of a person). One currency, any period, the demand's unit.
 */
export type StockCosts = { readonly holding: number; readonly short: number; readonly order: number }

/** Economic order quantity sqrt(2 K D / h): `demand` units a period. Source: Harris 1913. */
export function economicOrderQuantity(demand: number, { holding, order }: Omit<StockCosts, 'short'>): number {
  return Math.sqrt((2 * order * demand) / holding)
}

/** The stock for one peak that cannot be refilled while it lasts, and what it costs on average. Source: Arrow et al. 1951. */
export function newsvendor(
  demand: Demand,
  { holding, short }: Omit<StockCosts, 'order'>,
): { readonly level: number; readonly cost: number } {
  const z = normalQuantile(short / (short + holding))
  return { level: demand.mean + z * demand.sd, cost: (holding + short) * demand.sd * normalDensity(z) }
}

/** Below `reorder` the stock is refilled to `upTo`. */
export type OrderLevels = { readonly reorder: number; readonly upTo: number }

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

/** Cost a period of refilling `quantity` whenever the stock reaches `reorder`, watched without a pause. Source: Zipkin 2000, 6.3. */
export function reorderQuantityCost(
  reorder: number,
  quantity: number,
  demandPerPeriod: number,
  lead: Demand,
  { holding, short, order }: StockCosts,
): number {
  const highest = reorder + quantity
  const held = quantity * ((reorder + highest) / 2 - lead.mean)
  const missing = shortBeyond(reorder, lead) - shortBeyond(highest, lead)
  return (order * demandPerPeriod + holding * held + (holding + short) * missing) / quantity
}

/**
 * The lowest reorder level at which `fillRate` of the demand is served from stock, refilled by `quantity`. `looks:
 * 'always'` starts the refill at exactly that level. Where the stock is looked at once a period (`demand` is of one
 * period), the refill starts only after the level was passed by the undershoot, which adds to the demand of the lead
 * time: E[U] = E[D^2] / 2 E[D], Var[U] = E[D^3] / 3 E[D] - E[U]^2 (Tijms, Groenevelt 1984).
 */
export function fillRateLevel(
  demand: Demand,
  lead: Demand,
  quantity: number,
  fillRate: number,
  looks: 'always' | 'each-period',
): number {
  const during = looks === 'always' ? lead : withUndershoot(demand, lead)
  return levelForShort((1 - fillRate) * quantity, during)
}

/** The demand that a refill has to last through where the stock is looked at once a period. */
export function withUndershoot({ mean, sd }: Demand, lead: Demand): Demand {
  if (!(mean > 0)) return lead
  const square = mean * mean + sd * sd
  const cube = mean ** 3 + 3 * mean * sd * sd
  const under = square / (2 * mean)
  const variance = Math.max(0, cube / (3 * mean) - under * under)
  return { mean: lead.mean + under, sd: Math.sqrt(lead.sd * lead.sd + variance) }
}

/** Share of demand that is served from stock with a reorder level and a quantity: the inverse of `fillRateLevel`. */
export function servedShare(reorder: number, quantity: number, during: Demand): number {
  return 1 - expectedShort(reorder, during) / quantity
}

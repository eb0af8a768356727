import { normalCdf } from '../../../models/distributions.ts'
import type { Demand } from './normal-loss.ts'
import type { OrderLevels, StockCosts } from './order-levels.ts'

/**
 * A dynamic programme of demand that changes from period to period, in whole units: when to refill and to what level, at
 * least expected cost. What is missing waits for the next refill. Source: Scarf 1960: its best policy is (s,S) in each period.
 */
export type DemandProgramme = {
  /** Demand of each period, in time order. Few units: the cost grows with their square. */
  readonly demands: readonly Demand[]
  readonly costs: StockCosts & { readonly unit: number }
  /** Cost a unit that is left over or still missing at the end. */
  readonly end: { readonly holding: number; readonly short: number }
  readonly opening: number
}

export type ProgrammeResult = { readonly levels: readonly OrderLevels[]; readonly cost: number }

/** Deviations beyond which demand is taken as impossible. */
const TAIL = 4
type Chance = { readonly units: number; readonly share: number }

/** Least expected cost from a stock on, by whole units; below the grid a refill is certain, so that the cost is linear. */
type CostToGo = (stock: number) => number

/** The levels of each period (refill where the stock is at most `reorder`) and the expected cost from `opening`. */
export function solveProgramme(programme: DemandProgramme): ProgrammeResult {
  const { demands, costs, end, opening } = programme
  let toGo: CostToGo = (stock) => (stock > 0 ? end.holding * stock : -end.short * stock)
  const levels: OrderLevels[] = []
  for (let period = demands.length - 1; period >= 0; period--) {
    const rest = demands.slice(period)
    const step = solvePeriod(rest, costs, toGo)
    toGo = step.toGo
    levels.unshift(step.levels)
  }
  return { levels, cost: toGo(Math.round(opening)) }
}

function solvePeriod(rest: readonly Demand[], costs: DemandProgramme['costs'], next: CostToGo) {
  const [demand = { mean: 0, sd: 0 }] = rest
  const chances = chancesOf(demand)
  const most = chances.at(-1)!.units
  const mean = rest.reduce((sum, each) => sum + each.mean, 0)
  const variance = rest.reduce((sum, each) => sum + each.sd * each.sd, 0)
  const bottom = -2 * most
  const top = Math.ceil(mean + TAIL * Math.sqrt(variance)) + most
  const held = new Float64Array(top - bottom + 1)
  for (let i = 0; i < held.length; i++) held[i] = costOfHolding(i + bottom, chances, costs, next)
  let upTo = bottom
  for (let stock = bottom; stock <= top; stock++)
    if (held[stock - bottom]! < held[upTo - bottom]!) upTo = stock
  const refilled = costs.order + held[upTo - bottom]!
  let reorder = upTo
  while (reorder > bottom && held[reorder - bottom]! <= refilled) reorder -= 1
  const toGo: CostToGo = (stock) => {
    if (stock <= reorder) return refilled - costs.unit * stock
    return held[Math.min(stock, top) - bottom]! - costs.unit * stock
  }
  return { levels: { reorder, upTo }, toGo }
}

/** Expected cost of going into a period with `stock` after the refill, with the unit cost of all of it. */
function costOfHolding(
  stock: number,
  chances: readonly Chance[],
  { holding, short, unit }: DemandProgramme['costs'],
  next: CostToGo,
): number {
  let sum = unit * stock
  for (const { units, share } of chances) {
    const left = stock - units
    sum += share * ((left > 0 ? holding * left : -short * left) + next(left))
  }
  return sum
}

/** Whole units and their chances, which sum to 1. */
function chancesOf({ mean, sd }: Demand): readonly Chance[] {
  if (sd === 0) return [{ units: Math.max(0, Math.round(mean)), share: 1 }]
  const first = Math.max(0, Math.floor(mean - TAIL * sd))
  const last = Math.max(first, Math.ceil(mean + TAIL * sd))
  const raw = Array.from({ length: last - first + 1 }, (_, index) => {
    const units = first + index
    return { units, share: normalCdf((units + 0.5 - mean) / sd) - normalCdf((units - 0.5 - mean) / sd) }
  })
  const total = raw.reduce((sum, { share }) => sum + share, 0)
  return raw.map(({ units, share }) => ({ units, share: share / total }))
}

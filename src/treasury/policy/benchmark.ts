import { DAY_MS } from '../../base/time.ts'
import { demandOver, HORIZON_HOURS } from './forecast/forecast.ts'
import type { Need } from './needs.ts'
import type { PlanInput, TokenBenchmark } from '../model/plan-types.ts'
import { dailyRate, millerOrr } from './sizing/miller-orr.ts'
import { powerApproximation } from './sizing/order-levels.ts'
import { ofShillings, SHILLING, toUnits } from './units.ts'

/** Assumed yearly return of a token elsewhere, over 365 days. */
const YEARLY_RETURN = 0.09
/** A movement costs a person's time and the fee of the rail. */
const MOVEMENT_COST = 12_500n * SHILLING
/** Loss on a unit that cannot be served, as a share: half of a typical spread. */
const LOST_SHARE = 0.005
const HORIZON_DAYS = HORIZON_HOURS / 24

/** Returns the levels of published rules for a token; null = it has no band. */
export function benchmarkOf(
  input: PlanInput,
  { asset, band, profile }: Need,
  reorder: bigint,
): TokenBenchmark | null {
  if (band === null) return null
  const week = demandOver(profile, input.now, HORIZON_DAYS * DAY_MS)
  const day = { mean: week.mean / HORIZON_DAYS, sd: week.sd / Math.sqrt(HORIZON_DAYS) }
  const cost = ofShillings(MOVEMENT_COST, asset, input.mid)
  const daysCovered = day.mean > 0 ? Number(band.target - reorder) / day.mean : null
  const ours = { asset, daysCovered, reorderLevel: reorder, orderUpTo: band.target, millerOrr: null }
  if (cost === null || day.sd === 0) return ours
  const holding = dailyRate(YEARLY_RETURN, 365)
  const limits = millerOrr({
    varianceADay: day.sd * day.sd,
    cost: Number(cost),
    rateADay: holding,
    lower: Number(band.refillBelow),
  })
  const shown = {
    ...ours,
    millerOrr: {
      target: toUnits(limits.target),
      upper: toUnits(limits.upper),
      average: toUnits(limits.average),
    },
  }
  if (!(day.mean > 0)) return shown
  const costs = { holding, short: LOST_SHARE, order: Number(cost) }
  const levels = powerApproximation(
    day,
    costs,
    demandOver(profile, input.now, input.config.policy.leadTimeMs),
  )
  const isSound = Number.isFinite(levels.reorder) && Number.isFinite(levels.upTo)
  return isSound
    ? { ...shown, reorderLevel: toUnits(levels.reorder), orderUpTo: toUnits(levels.upTo) }
    : shown
}

import { DAY_MS, HOUR_MS, type Ms } from '../../base/time.ts'
import type { Band } from '../model/config.ts'
import { TREASURY_ASSETS, type TreasuryAsset } from '../model/place.ts'
import { hourlyFlow } from '../model/flow-history.ts'
import { flowProfile, type FlowProfile } from './forecast/flow-profile.ts'
import { demandOver, forecastHolding, levelThrough, type ForecastParts } from './forecast/forecast.ts'
import type { PlanInput } from '../model/plan-types.ts'
import { heldAt, inPosition } from './routes/feasibility.ts'
import { newsvendor } from './sizing/order-levels.ts'
import { toUnits } from './units.ts'

/** The need of one token before a route is chosen, in base units. */
export type Need = {
  readonly asset: TreasuryAsset
  readonly band: Band | null
  readonly profile: FlowProfile
  readonly forecast: ForecastParts
  /** The position's stock: pool, LP wallet, and the amounts in transit to them. */
  readonly working: bigint
  /** The stock plus the treasury's wallet, as the band counts it. */
  readonly total: bigint
}

export function needOf(input: PlanInput, asset: TreasuryAsset): Need {
  const { calendar, policy } = input.config
  const series = hourlyFlow(input.flow, asset, input.now)
  const profile = flowProfile(series, calendar)
  const moving = inPosition(input, asset) + input.inTransit[asset]
  const working = moving > 0n ? moving : 0n
  const total = working + heldAt(input, 'treasury', asset)
  const forecast = forecastHolding(working, input.now, series, calendar, profile)
  return { asset, band: policy.bands[asset] ?? null, profile, forecast, working, total }
}

type ReorderLevel = {
  /** A refill starts at or below this level, which is never above the configured target. */
  readonly level: bigint
  /** The level by lead time and named peaks, regardless of the target. */
  readonly wanted: bigint
}

/**
 * Returns the s of (s,S) for a lead time: the lower end of the band, or the expected outflow, at the service level,
 * until a refill that starts at the next review would arrive; before a learned peak also its stock.
 */
export function reorderLevel(input: PlanInput, { band, profile }: Need, from: Ms, leadMs: Ms): ReorderLevel {
  if (band === null) return { level: 0n, wanted: 0n }
  const { serviceLevel } = input.config.policy
  const through = levelThrough(profile, from, leadMs, serviceLevel)
  const wanted = toUnits(Math.max(through, peakStock(input, profile, from, leadMs)))
  const lower = wanted > band.refillBelow ? wanted : band.refillBelow
  return { level: lower < band.target ? lower : band.target, wanted }
}

/** Returns the newsvendor's stock of the peaks that begin before a later refill could arrive. */
function peakStock({ config }: PlanInput, profile: FlowProfile, from: Ms, leadMs: Ms): number {
  if (profile.peaks.length === 0) return 0
  const costs = { short: config.policy.serviceLevel, holding: 1 - config.policy.serviceLevel }
  let most = 0
  for (let at = from; at <= from + leadMs + DAY_MS; at += DAY_MS) {
    const before = demandOver(profile, from, at - from)
    const stock = newsvendor(demandOver(profile, at, DAY_MS), costs).level
    most = Math.max(most, before.mean + stock)
  }
  return most
}

/** Returns when the holding falls to the reorder level; null = not within the horizon. */
export function refillTime(input: PlanInput, need: Need, leadMs: Ms): Ms | null {
  const { band } = need
  if (band === null) return null
  const apart = need.total - need.working
  if (need.total <= reorderLevel(input, need, input.now, leadMs).level) return input.now
  const hour = need.forecast.hours.find(
    // The level is never above the target.
    ({ at, p50 }) => p50 + apart <= band.target && p50 + apart <= reorderLevel(input, need, at, leadMs).level,
  )
  return hour?.at ?? null
}

/** Returns each token's surplus: above its target or, without a band, in the treasury's wallet. */
export function spareOf(
  needs: Readonly<Record<TreasuryAsset, Need>>,
  unavailable: ReadonlySet<TreasuryAsset>,
): Record<TreasuryAsset, bigint> {
  const spare: Record<TreasuryAsset, bigint> = { NTZS: 0n, USDC: 0n, USDT: 0n }
  for (const asset of TREASURY_ASSETS) {
    const { band, total, working } = needs[asset]
    const above = band === null ? total - working : total - band.target
    if (!unavailable.has(asset) && above > 0n) spare[asset] = above
  }
  return spare
}

/** Returns the expected demand from the stock-out until `until`, in units of the token. */
export function unservedUntil({ profile, forecast }: Need, until: Ms): number {
  const { runsDryAt } = forecast
  if (runsDryAt === null) return 0
  const span = until - (runsDryAt - HOUR_MS)
  return span <= 0 ? 0 : Math.max(0, demandOver(profile, runsDryAt - HOUR_MS, span).mean)
}

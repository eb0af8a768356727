import { HOUR_MS, type Ms } from '../../base/time.ts'
import { formatTokens } from '../../base/money/asset.ts'
import type { Band } from '../model/config.ts'
import { TREASURY_ASSETS, type TreasuryAsset } from '../model/place.ts'
import { chooseRoute, refillDelayCost, refillWorth, type Choice } from './choose-route.ts'
import { refillTime, reorderLevel, spareOf, type Need } from './needs.ts'
import type {
  Plan,
  PlanInput,
  PlannedIntent,
  RejectedRoute,
  RouteName,
  TokenForecast,
} from '../model/plan-types.ts'
import { estimate } from './routes/estimate.ts'
import { unreadRail, type Draft } from './routes/feasibility.ts'
import { OUTSIDE_ROUTES, REBALANCE, type RefillWish } from './routes/refill-routes.ts'

type RefillDecision = {
  readonly step: PlannedIntent | null
  readonly rejected: readonly RejectedRoute[]
  readonly forecast: TokenForecast
  readonly warnings: Plan['warnings']
}

/**
 * Plans the refill of a token if it is needed now. The treasury's wallet comes first, as soon as the position itself is
 * low, because it costs almost nothing. Then comes the cheapest route from outside, judged by all that the band counts.
 */
export function decideRefill(
  input: PlanInput,
  needs: Readonly<Record<TreasuryAsset, Need>>,
  asset: TreasuryAsset,
): RefillDecision {
  const need = needs[asset]
  const { band, total, working } = need
  const usualMs = leadOf(input, asset, null)
  const usual = forecastOf(input, need, usualMs)
  if (band === null || band.refillBelow === 0n)
    return { step: null, rejected: [], forecast: { ...usual, refillAt: null }, warnings: [] }
  const obstacle = startObstacle(input, asset)
  if (obstacle !== null) {
    const rejected = total <= usual.reorderLevel ? rejectAll(input, asset, obstacle) : []
    return { step: null, rejected, forecast: usual, warnings: [] }
  }
  const wish: RefillWish = {
    asset,
    amount: band.target > total ? band.target - total : 0n,
    rebalance: band.target > working ? band.target - working : 0n,
    spare: spareOf(needs, busyTokens(input)),
  }
  const inside = chooseRefill(input, need, [REBALANCE], wish, wish.rebalance)
  const insideLevel = levelOf(input, need, leadOf(input, asset, inside.best))
  if (inside.best !== null && working <= insideLevel)
    return started(input, need, band, inside.best, {
      working,
      level: insideLevel,
      rejected: [],
      forecast: usual,
    })
  const outside = chooseRefill(input, need, OUTSIDE_ROUTES, wish, wish.amount)
  const leadMs = leadOf(input, asset, outside.best)
  const forecast = leadMs === usualMs ? usual : forecastOf(input, need, leadMs)
  const warnings = targetWarning(input, need, band, leadMs)
  if (total > forecast.reorderLevel || wish.amount === 0n)
    return { step: null, rejected: [], forecast, warnings }
  const rejected = [...inside.rejected, ...outside.rejected]
  if (outside.best === null)
    return { step: null, rejected, forecast, warnings: [...warnings, noRoute(asset, rejected)] }
  const level = forecast.reorderLevel
  const decision = started(input, need, band, outside.best, { working: total, level, rejected, forecast })
  return { ...decision, warnings }
}

function chooseRefill(
  input: PlanInput,
  need: Need,
  routes: typeof OUTSIDE_ROUTES,
  wish: RefillWish,
  wanted: bigint,
): Choice {
  const delayCost = refillDelayCost(input, need, wanted)
  return chooseRoute(input, routes, wish, { rule: 'refill', asset: need.asset, direction: 'in', delayCost })
}

function started(
  input: PlanInput,
  need: Need,
  band: Band,
  draft: Draft,
  seen: {
    readonly working: bigint
    readonly level: bigint
    readonly rejected: readonly RejectedRoute[]
    readonly forecast: TokenForecast
  },
): RefillDecision {
  const { asset } = need
  const { working, level, rejected, forecast } = seen
  const text = (amount: bigint) => `${formatTokens(amount, asset)} ${asset}`
  const why = `${text(working)} are on hand or in transit, and a refill starts at ${text(level)}; the target is ${text(band.target)}`
  const worth = refillWorth(input, need, draft.leastReceived, input.now)
  const step: PlannedIntent = { ...draft, rule: 'refill', asset, direction: 'in', worth, why }
  return { step, rejected, forecast, warnings: [] }
}

/** Returns why no refill of a token may start; null = one may. */
function startObstacle(input: PlanInput, asset: TreasuryAsset): string | null {
  if (input.quote.isHalted) return 'the book is halted: nothing starts'
  if (!input.quote.isActive) return 'the position is not active, and a refill would activate it'
  const isActive = input.active.some(
    (one) => one.rule === 'refill' && one.asset === asset && one.direction === 'in',
  )
  return isActive ? `a refill of ${asset} is active` : unreadRail(input, asset)
}

/** Returns tokens that must not be spent: they are in motion, or could not be read. */
function busyTokens(input: PlanInput): ReadonlySet<TreasuryAsset> {
  const moved = input.active.map(({ asset }) => asset)
  return new Set([...moved, ...TREASURY_ASSETS.filter((asset) => unreadRail(input, asset) !== null)])
}

/**
 * Returns how long the stock must last without a refill now: until one that starts at the next hourly review has
 * arrived in 95 of 100 cases. Over a cut-off, a weekend or a holiday that is days.
 */
function leadOf(input: PlanInput, asset: TreasuryAsset, draft: Draft | null): Ms {
  const { config, now } = input
  const usual: RouteName = asset === 'NTZS' ? 'bank-deposit' : 'swap'
  const route = draft?.route ?? usual
  if (draft === null && !config.policy.routes.includes(route)) return config.policy.leadTimeMs + HOUR_MS
  const isOutOfPool = draft?.legs.some(({ kind }) => kind === 'lpWithdrawal') === true
  const journey = { route, value: 0n, payments: 1, isOutOfPool }
  return estimate(input, journey, now + HOUR_MS).latestAt - now
}

function levelOf(input: PlanInput, need: Need, leadMs: Ms): bigint {
  return reorderLevel(input, need, input.now, leadMs).level
}

function forecastOf(input: PlanInput, need: Need, leadMs: Ms): TokenForecast {
  return {
    ...need.forecast,
    asset: need.asset,
    refillAt: refillTime(input, need, leadMs),
    reorderLevel: levelOf(input, need, leadMs),
    orderUpTo: need.band?.target ?? 0n,
  }
}

function rejectAll(input: PlanInput, asset: TreasuryAsset, why: string): readonly RejectedRoute[] {
  return [REBALANCE, ...OUTSIDE_ROUTES]
    .filter(([route]) => input.config.policy.routes.includes(route))
    .map(([route]) => ({ rule: 'refill', route, asset, direction: 'in', why }))
}

function noRoute(asset: TreasuryAsset, rejected: readonly RejectedRoute[]): Plan['warnings'][number] {
  const reasons = rejected.map(({ route, why }) => `${route}: ${why}`).join('; ')
  return { code: 'treasury-no-route', subject: asset, message: `No route can refill ${asset}. ${reasons}` }
}

function targetWarning(input: PlanInput, need: Need, band: Band, leadMs: Ms): Plan['warnings'] {
  const { wanted } = reorderLevel(input, need, input.now, leadMs)
  if (wanted <= band.target) return []
  const text = (amount: bigint) => `${formatTokens(amount, need.asset)} ${need.asset}`
  const message = `The target of ${text(band.target)} does not last until a refill arrives: ${text(wanted)} would.`
  return [{ code: 'treasury-target-low', subject: need.asset, message }]
}

/**
 * The best spreads of a pool by dynamic programming: for customers, informed takers, rivals, drift and restocking together.
 *
 * Idea: V(q) is the value of holding q lots of dollars more than the target. It extends the control problem of Gueant, Lehalle
 * and Fernandez-Tapia (2013), doi:10.1007/s11579-012-0087-0. Each side quotes the spread b with the highest
 *   A share(b) (earned(b) + V(q -+ 1) - V(q)) - looks (stock * loss(b) - hit(b) (V(empty) - V(q)))
 * and is off if none pays: customer flow A decays by exp(-k x) with the distance x of the spread from the fair value, rivals
 * leave a share of it, and an informed taker empties the side if the fair value is beyond the spread plus his margin. Both
 * quotes move by the fair value's estimate (fairShift) and widen with its error: without a feed the quote is wide and skewed.
 * A probe shows only the best provider, often us, so sides whose rivals are hidden turn off every lookEveryMinutes until the next
 * probe. A and k come from the calibration once it has 30 fills, before that from turnoverShare and reservationBps; A then follows the
 * fills of each side at the spreads that it quoted. Where fills contradict the stated tolerance or the rivals that were seen, other
 * tolerances count, rivals that have moved and rivals that soon undercut each quote.
 * Parameters:
 *   riskAversion         gamma, per bps and lot, beyond the risks the programme models; 0 = maximise the mean PnL
 *   limitLots            Q, lots of a side on target; more = finer and slower
 *   turnoverShare        without a calibration, before fills: customer volume per day and side at zero spread, as a multiple of a side's target
 *   reservationBps       without a calibration: mean distance from the fair value that customers accept (1/k)
 *   midShare             share of customers who compare with the venue's mid instead of the fair value
 *   looksPerDay          how often an informed taker compares
 *   informedMarginBps    margin that an informed taker requires beyond the spread
 *   informedErrorBps     standard error of the informed taker's view of the fair value
 *   errorPersistsDays    how long an error of the estimate lasts; looks within that time see the same error
 *   sigmaBps             volatility of the fair value per square root of a day, for riskAversion
 *   restockEveryDays     how often an empty side is restocked to its target; null = never
 *   restockBelowShare    ... if the side holds less than this share of its target
 *   restockCostBps       ... and the cost in bps of the amount moved
 *   toleranceBps         the venue picks round-robin among providers within this distance of the best; null = venue.toleranceBps
 *   lookEveryMinutes     how often to look for hidden rivals; null = never
 *   rounding             how coarsely to round inputs before solving; 0 = solve for every quote, far slower
 * WHEN IT LOSES: if the estimate is worse than its stated error, above all with a frozen feed: it then sells below the fair
 * value. Until its fills show it, a rival who follows every quote down undercuts it. Each look costs a side seconds of takers.
 */
import {
  likelyRouting,
  createRivalWatch,
  emptyRoutingEvidence,
  defineStrategy,
  type FairShift,
  FEWEST_FILLS,
  independentLooks,
  observeFills,
  poolQuote,
  poolTerms,
  priorTakers,
  type RivalWatch,
  type RoutingEvidence,
  watchRivals,
  weighedTakers,
  z,
  type PoolMarket,
  type PoolQuote,
  type StrategyContext,
} from '#kit'

type Side = 'bid' | 'ask'
const SIDES = ['bid', 'ask'] as const
const HOUR_MS = 3_600_000

const schema = z.strictObject({
  riskAversion: z.number().min(0).max(1).default(0),
  limitLots: z.int().min(4).max(40).default(15),
  turnoverShare: z.number().min(0.01).max(100).default(0.8),
  reservationBps: z.number().min(5).max(1_000).default(80),
  midShare: z.number().min(0).max(1).default(0.3),
  looksPerDay: z.number().min(0).max(10_000).default(8),
  informedMarginBps: z.number().min(0).max(500).default(20),
  informedErrorBps: z.number().min(0).max(500).default(15),
  errorPersistsDays: z.number().min(0).max(100).default(0.36),
  sigmaBps: z.number().min(1).max(1_000).default(25),
  restockEveryDays: z.number().min(0.1).max(1_000).nullable().default(7),
  restockBelowShare: z.number().min(0).max(0.99).default(0.2),
  restockCostBps: z.number().min(0).max(1_000).default(50),
  toleranceBps: z.int().min(0).max(100).nullable().default(null),
  lookEveryMinutes: z.number().min(1).max(10_000).nullable().default(30),
  rounding: z.number().min(0).max(4).default(1),
})
type Params = z.infer<typeof schema>

type State = {
  at: number | null
  watch: RivalWatch
  routing: RoutingEvidence
  /** Whether the rivals probably undercut the last quotes soon. */
  rivalsAnswer: boolean
  /** Time of the last fill that was counted. */
  fillsAt: number
  /** The takers of the last quote: per day and side at the fair value, and the gap that it assumed. */
  takers: { bid: number; ask: number; k: number; gapBps: number } | null
  /** Mean square of the estimated gap over the last weeks, bps^2. */
  gapSquare: number
  /** By side the dollars traded, and the days that takers at zero distance would have had for them; older ones count less. */
  readonly flow: Record<Side, { usd: number; days: number }>
}

export default defineStrategy<Params, State>({
  name: 'optimal',
  params: schema,
  init: () => ({
    at: null,
    watch: createRivalWatch(),
    routing: emptyRoutingEvidence(),
    rivalsAnswer: false,
    fillsAt: 0,
    takers: null,
    gapSquare: 900,
    flow: { bid: { usd: 0, days: 0 }, ask: { usd: 0, days: 0 } },
  }),
  quote(context, state, params) {
    const { now, fairShift, inventory } = context
    const hours = state.at === null ? 0 : Math.max(0, now - state.at) / HOUR_MS
    state.at = now
    learnFlow(context, state, params, hours)
    const { watch } = state
    const { rivals } = watch
    const isLooking = watchRivals(watch, context, hours, state.rivalsAnswer ? null : params.lookEveryMinutes)
    const { rivalsAnswer, shares, reason } = likelyRouting(state.routing, rivals)
    state.rivalsAnswer = rivalsAnswer
    const gapBps = Math.min(500, Math.max(-500, fairShift.bps))
    state.gapSquare += (1 - Math.exp(-hours / GAP_MEMORY_HOURS)) * (gapBps ** 2 - state.gapSquare)
    const market = marketOf(context, fairShift, state, params)
    const { askLotsPerDay: ask, bidLotsPerDay: bid, takers } = market
    state.takers = { bid, ask, k: takers.k, gapBps }
    const quote = poolQuote(market, {
      q: inventory.imbalance * params.limitLots,
      gapBps,
      tauBps: rounded(Math.min(200, Math.max(0, fairShift.errorBps)), 2 * params.rounding),
      rivals: { askBps: rivals.ask.bps, bidBps: rivals.bid.bps },
      shares,
    })
    const reasons = [
      `${(inventory.imbalance * params.limitLots).toFixed(1)} of ${params.limitLots} lots from the target`,
      `fair value ${gapBps.toFixed(1)} bps from the mid, +- ${fairShift.errorBps.toFixed(1)}, ${fairShift.driftBpsPerDay.toFixed(1)} a day`,
      `others: bid ${rivals.bid.bps?.toFixed(0) ?? 'no one'}, ask ${rivals.ask.bps?.toFixed(0) ?? 'no one'}`,
      ...(reason === null ? [] : [reason]),
    ]
    for (const side of SIDES) if (quote[side].bps === null) reasons.push(`${side} off: no spread pays`)
    if (isLooking) reasons.unshift('off until a probe shows the others')
    const hidden = (side: Side) => isLooking && watch.looking !== null && watch.looking[side] !== null
    return {
      bidBps: hidden('bid') ? null : quote.bid.bps,
      askBps: hidden('ask') ? null : quote.ask.bps,
      reasons,
      terms: poolTerms(quote),
      ...fallbackOf(context, quote.method),
    }
  },
})

const UNLEARNED = `no calibration with ${FEWEST_FILLS} fills: using turnoverShare and reservationBps for the takers`
const UNSOLVED = 'the programme does not converge: using the closed form'

function fallbackOf({ calibration }: StrategyContext, method: PoolQuote['method']): { fallback?: string } {
  const why = [...(isLearned(calibration) ? [] : [UNLEARNED]), ...(method === 'programme' ? [] : [UNSOLVED])]
  return why.length === 0 ? {} : { fallback: why.join('; ') }
}

/** How long past gaps count towards their average. */
const GAP_MEMORY_HOURS = 240
/** After a longer time without a decision it is unknown what we quoted. */
const LONGEST_HOURS = 1
const ORDINARY_FILL_USD = 250
/** A fill counts with at most this part of a side's target, because an informed taker empties a side. */
const MOST_OF_A_SIDE = 1 / 3
const FLOW_MEMORY_DAYS = 20
/** Weight of the rate of takers that the calibration or turnoverShare gives. */
const PRIOR_FILLS = 10
/** An empty pool has lots too. */
const LEAST_LOT_USD = 0.01

/** Counts the fills since the last decision: how many takers there are, and how they are routed. */
function learnFlow(context: StrategyContext, state: State, params: Params, hours: number): void {
  const { recentFills, standing } = context
  const since = state.fillsAt
  const latest = recentFills[0]?.at ?? since
  state.fillsAt = latest
  if (state.takers === null || hours > LONGEST_HOURS || (hours === 0 && latest === since)) return
  const { takers, flow, watch } = state
  const lotUsd = lotUsdOf(context, params)
  const days = hours / 24
  const mostUsd = MOST_OF_A_SIDE * params.limitLots * lotUsd
  const seenOn = (side: Side) => {
    const own = standing[`${side}Bps`]
    const bps = own ?? 0
    const distance = Math.max(0, bps + (side === 'ask' ? takers.gapBps : -takers.gapBps))
    const accepted =
      (1 - params.midShare) * Math.exp(-takers.k * distance) + params.midShare * Math.exp(-takers.k * bps)
    const fills = latest === since ? [] : recentFills.filter((fill) => fill.at > since && fill.side === side)
    return {
      own,
      rival: watch.rivals[side],
      takers: (takers[side] * lotUsd * accepted * days) / ORDINARY_FILL_USD,
      fills: fills.length,
      usd: fills.reduce((sum, { usd }) => sum + Math.min(usd, mostUsd), 0),
      days: accepted * days,
    }
  }
  const seen = { bid: seenOn('bid'), ask: seenOn('ask') }
  const shares = observeFills(state.routing, params.toleranceBps ?? context.toleranceBps, days, seen)
  const keep = Math.exp(-days / FLOW_MEMORY_DAYS)
  for (const side of SIDES) {
    flow[side].usd = flow[side].usd * keep + seen[side].usd
    flow[side].days = flow[side].days * keep + shares[side] * seen[side].days
  }
}

function lotUsdOf({ inventory, mid }: StrategyContext, { limitLots }: Params): number {
  return Math.max(LEAST_LOT_USD, inventory.totalTzs / mid / 2 / limitLots)
}

/** The inputs, rounded to avoid solving again for tiny changes. The interest that dollars save counts as a drift of the fair value. */
function marketOf(context: StrategyContext, fairShift: FairShift, state: State, params: Params): PoolMarket {
  const { limitLots, rounding } = params
  const toleranceBps = params.toleranceBps ?? context.toleranceBps
  const { bid, ask, k, kShape } = takersOf(context, state, params)
  const { ntzsPerYear, usdPerYear } = context.inventory.capitalCost
  const carry = (10_000 * (ntzsPerYear - usdPerYear)) / 365
  const usual = (side: Side) => {
    const { usualBps, bps } = state.watch.rivals[side]
    return usualBps === null ? bps : rounded(usualBps, 10 * rounding)
  }
  return {
    takers: {
      k,
      kShape,
      midShare: params.midShare,
      informed: {
        perDay: independentLooks(params.looksPerDay, params.errorPersistsDays),
        marginBps: params.informedMarginBps,
        errorBps: params.informedErrorBps,
      },
    },
    askLotsPerDay: ask,
    bidLotsPerDay: bid,
    limitLots,
    tauBps: rounded(Math.min(200, Math.max(0, fairShift.errorBps)), 5 * rounding),
    estimateSdBps: rounded(Math.sqrt(state.gapSquare), 20 * rounding),
    rivals: { askBps: usual('ask'), bidBps: usual('bid'), toleranceBps },
    driftBpsPerDay: carry + rounded(Math.min(100, Math.max(-100, fairShift.driftBpsPerDay)), 4 * rounding),
    riskPerDay: params.riskAversion * params.sigmaBps ** 2,
    restocking: {
      perDay: params.restockEveryDays === null ? 0 : 1 / params.restockEveryDays,
      belowShare: params.restockBelowShare,
      costBps: params.restockCostBps,
    },
  }
}

/** Returns lots per day and side at distance zero, and k, weighed against reservationBps. */
function takersOf(context: StrategyContext, state: State, params: Params) {
  const { limitLots, rounding, reservationBps, turnoverShare } = params
  const known = context.calibration
  if (!isLearned(known)) {
    const perDayUsd = turnoverShare * limitLots * lotUsdOf(context, params)
    return {
      ...lotsFrom(context, state, params, perDayUsd, ORDINARY_FILL_USD),
      ...priorTakers(reservationBps),
    }
  }
  const { bid, ask } = state.watch.rivals
  const spread = ((bid.usualBps ?? ask.usualBps ?? 0) + (ask.usualBps ?? bid.usualBps ?? 0)) / 2
  const { a, k, kShape } = weighedTakers(known.both, reservationBps, rounded(spread, 10 * rounding))
  const { sizesUsd } = known
  const usual = sizesUsd.reduce((sum, usd) => sum + usd, 0) / sizesUsd.length
  const fillUsd = sizesUsd.length === 0 ? ORDINARY_FILL_USD : usual
  return { ...lotsFrom(context, state, params, a * fillUsd, fillUsd), k, kShape }
}

/** Lots per day and side by the fills of the side, and by the rate that was known before, which counts as PRIOR_FILLS. */
function lotsFrom(
  context: StrategyContext,
  { flow }: State,
  params: Params,
  perDayUsd: number,
  fillUsd: number,
) {
  const { limitLots, rounding } = params
  const lotUsd = lotUsdOf(context, params)
  const priorUsd = PRIOR_FILLS * fillUsd
  const lotsOn = ({ usd, days }: State['flow'][Side]) => {
    const lots = (usd + priorUsd) / (days + priorUsd / perDayUsd) / lotUsd
    return Math.exp(rounded(Math.log(Math.max(0.05 * limitLots, lots)), 0.1 * rounding))
  }
  return { bid: lotsOn(flow.bid), ask: lotsOn(flow.ask) }
}

function isLearned(known: StrategyContext['calibration']): known is NonNullable<typeof known> {
  return known !== null && known.both.fills >= FEWEST_FILLS
}

function rounded(value: number, step: number): number {
  return step === 0 ? value : Math.round(value / step) * step
}

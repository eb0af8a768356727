/**
 * The best spreads of a pool by dynamic programming: for customers, informed takers, rivals, drift and restocking together.
 *
 * Idea: q lots of dollars more than the target are worth V(q), and V follows from who comes. Customers fall by exp(-k x)
 * with the distance x of a spread from the fair value; an informed taker takes a whole side once the fair value is beyond
 * the spread and his margin, and leaves it empty; what drifts is better held or not. Each side then quotes the spread at
 * which income, the change of V and the expected loss to informed takers sum to the most, and is off where none pays. The fair value
 * is the context's estimate (fairShift): both quotes move by it, and its error widens them.
 *   best of b:  A share(b) (earned(b) + V(q -+ 1) - V(q)) - looks (stock * loss(b) - hit(b) (V(empty) - V(q)))
 * A probe shows the best provider, which is often this quote itself. Every lookEveryMinutes the hidden sides are taken
 * off until the next probe shows the others, seconds later.
 * A and k come from the calibration once it has 30 fills, k weighed against reservationBps, else from turnoverShare. Without a
 * feed the estimate rests on the updates of the mid, its error is large, and the quote is a wide one with a skew; a rule that
 * falls back to inventory-skew there is not needed: on training seeds it earns less than the programme.
 * Parameters:
 *   riskAversion         gamma, per bps and lot, on top of what the programme knows; 0 = the mean PnL alone counts
 *   limitLots            Q, lots of a side on target; more = finer and slower
 *   turnoverShare        without a calibration: what customers would trade a day and side at no spread, in targets of a side
 *   reservationBps       without a calibration: mean distance from the fair value that customers accept (1/k)
 *   midShare             share of the customers who compare with the venue's mid and not with the fair value
 *   looksPerDay          how often an informed taker compares
 *   informedMarginBps    what he wants beyond the spread
 *   informedErrorBps     how well he sees the fair value
 *   errorPersistsDays    how long an error of the estimate lasts; looks within that time find the same one
 *   sigmaBps             of the fair value per square root of a day, for riskAversion
 *   restockEveryDays     when someone brings an empty side back to target; null = never
 *   restockBelowShare    ... where a side holds less than this share of its target
 *   restockCostBps       ... and what that costs of what moves
 *   toleranceBps         the venue picks round-robin within so many bps of the best
 *   lookEveryMinutes     how often hidden rivals are looked at; null = never
 *   rounding             how coarsely inputs are rounded before the programme is solved; 0 = solved for every quote, far slower
 * WHEN IT LOSES: when the estimate is worse than its error says, a frozen feed above all: it then sells below
 * the fair value, confidently. Against a rival who follows every quote down it is undercut again and again. Each look costs
 * a side some seconds of its takers, more where probes are slow.
 */
import {
  defineStrategy,
  type FairShift,
  FEWEST_FILLS,
  independentLooks,
  poolQuote,
  poolTerms,
  z,
  type PoolMarket,
  type PoolQuote,
  type StrategyContext,
} from '#kit'

type Side = 'bid' | 'ask'
const SIDES = ['bid', 'ask'] as const
const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000

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
  toleranceBps: z.int().min(0).max(100).default(5),
  lookEveryMinutes: z.number().min(1).max(10_000).nullable().default(30),
  rounding: z.number().min(0).max(4).default(1),
})
type Params = z.infer<typeof schema>

type Rival = {
  /** The best of the others when it was last seen, or what it is at least; null = nobody. */
  bps: number | null
  /** Over the last days. */
  usualBps: number | null
}
type State = {
  at: number | null
  rivals: Record<Side, Rival>
  /** Mean square of the estimated gap over the last weeks, bps^2. */
  gapSquare: number
  lookedAt: number
  /** The look under way, and the sides that are off for it. */
  looking: { since: number; bid: boolean; ask: boolean } | null
  /** Our spread, the one before it, and since when. */
  own: Record<Side, { bps: number | null; before: number | null; changedAt: number }>
  /** Dollars that each side brings per fill of either side. */
  usdAFill: Record<Side, number>
  flowAt: number
}

export default defineStrategy<Params, State>({
  name: 'optimal',
  params: schema,
  init: () => ({
    at: null,
    rivals: { bid: { bps: null, usualBps: null }, ask: { bps: null, usualBps: null } },
    gapSquare: 900,
    lookedAt: 0,
    looking: null,
    own: {
      bid: { bps: null, before: null, changedAt: 0 },
      ask: { bps: null, before: null, changedAt: 0 },
    },
    usdAFill: { bid: 0, ask: 0 },
    flowAt: 0,
  }),
  quote(context, state, params) {
    const { now, fairShift, inventory } = context
    const hours = state.at === null ? 0 : Math.max(0, now - state.at) / HOUR_MS
    state.at = now
    const isLooking = watchRivals(context, state, params, hours)
    const gapBps = within(fairShift.bps, -500, 500)
    state.gapSquare += (1 - Math.exp(-hours / GAP_MEMORY_HOURS)) * (gapBps ** 2 - state.gapSquare)
    const market = marketOf(context, fairShift, state, params)
    const quote = poolQuote(market, {
      q: inventory.imbalance * params.limitLots,
      gapBps,
      tauBps: rounded(within(fairShift.errorBps, 0, 200), 2 * params.rounding),
      rivals: { askBps: state.rivals.ask.bps, bidBps: state.rivals.bid.bps },
    })
    const reasons = [
      `${(inventory.imbalance * params.limitLots).toFixed(1)} of ${params.limitLots} lots from the target`,
      `fair value ${gapBps.toFixed(1)} bps from the mid, +- ${fairShift.errorBps.toFixed(1)}, ${fairShift.driftBpsPerDay.toFixed(1)} a day`,
      `others: bid ${state.rivals.bid.bps?.toFixed(0) ?? 'nobody'}, ask ${state.rivals.ask.bps?.toFixed(0) ?? 'nobody'}`,
    ]
    for (const side of SIDES) if (quote[side].bps === null) reasons.push(`${side} off: no spread pays`)
    if (isLooking) reasons.unshift('off until a probe shows the others')
    const hidden = (side: Side) => isLooking && state.looking?.[side] === true
    return {
      bidBps: hidden('bid') ? null : quote.bid.bps,
      askBps: hidden('ask') ? null : quote.ask.bps,
      reasons,
      terms: poolTerms(quote),
      ...fallbackOf(context, quote.method),
    }
  },
})

function fallbackOf({ calibration }: StrategyContext, method: PoolQuote['method']): { fallback?: string } {
  const why: string[] = []
  if (!isLearned(calibration))
    why.push(`no calibration of ${FEWEST_FILLS} fills: takers as in turnoverShare and reservationBps`)
  if (method !== 'programme') why.push('the programme does not converge: the closed form')
  return why.length === 0 ? {} : { fallback: why.join('; ') }
}

/** How long a gap and a rival are remembered as what is usual. */
const GAP_MEMORY_HOURS = 240
const USUAL_MEMORY_HOURS = 24
/** A rival that stays hidden may have moved away meanwhile. */
const HIDDEN_MOVES_BPS_PER_HOUR = 3
const HIDDEN_MOVES_AT_MOST_BPS = 25
const LONGEST_LOOK_MS = 2 * MINUTE_MS

/** Takes in what the probes show, and decides whether hidden sides are to be off for a look. */
function watchRivals(context: StrategyContext, state: State, params: Params, hours: number): boolean {
  const { now } = context
  const hidden = {
    bid: watchRival(context, state, 'bid', hours),
    ask: watchRival(context, state, 'ask', hours),
  }
  const isHidden = hidden.bid || hidden.ask
  if (state.looking !== null) {
    if (isHidden && now - state.looking.since < LONGEST_LOOK_MS) return true
    state.looking = null
    state.lookedAt = now
    return false
  }
  const every = params.lookEveryMinutes
  if (!isHidden || every === null || now - state.lookedAt < every * MINUTE_MS) return false
  state.looking = { since: now, ...hidden }
  return true
}

/** Whether the best of a side is ourselves, so that the others are hidden; else what they quote is kept. */
function watchRival(context: StrategyContext, state: State, side: Side, hours: number): boolean {
  const { now, competition, standing } = context
  const own = state.own[side]
  const current = standing[`${side}Bps`]
  if (current !== own.bps) Object.assign(own, { bps: current, before: own.bps, changedAt: now })
  const rival = state.rivals[side]
  const shown = competition[side]
  if (shown === null) {
    rival.bps = null
    return false
  }
  // A probe from before our last change may show what stood then, and is no reason to undercut ourselves.
  const mayBeOld = shown.ageMs >= now - own.changedAt
  if (shown.bestBps === current || (mayBeOld && shown.bestBps === own.before)) {
    waitFor(rival, shown.bestBps, hours)
    return true
  }
  rival.bps = shown.bestBps
  const usual = rival.usualBps ?? shown.bestBps
  rival.usualBps = usual + (1 - Math.exp(-hours / USUAL_MEMORY_HOURS)) * (shown.bestBps - usual)
  return false
}

/** It is hidden behind our own spread: no lower, and perhaps by now higher than it was. */
function waitFor(rival: Rival, own: number, hours: number): void {
  const least = Math.max(rival.bps ?? 0, own)
  const most = Math.max(least, (rival.usualBps ?? least) + HIDDEN_MOVES_AT_MOST_BPS)
  rival.bps = Math.min(most, least + HIDDEN_MOVES_BPS_PER_HOUR * hours)
}

/** What the programme is solved for: rounded, so that it is solved anew only when something has moved. */
function marketOf(context: StrategyContext, fairShift: FairShift, state: State, params: Params): PoolMarket {
  const { limitLots, rounding } = params
  const { bid, ask, k, kShape } = takersOf(context, state, params)
  const usual = (side: Side) => {
    const { usualBps, bps } = state.rivals[side]
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
    tauBps: rounded(within(fairShift.errorBps, 0, 200), 5 * rounding),
    estimateSdBps: rounded(Math.sqrt(state.gapSquare), 20 * rounding),
    rivals: { askBps: usual('ask'), bidBps: usual('bid'), toleranceBps: params.toleranceBps },
    driftBpsPerDay: rounded(within(fairShift.driftBpsPerDay, -100, 100), 4 * rounding),
    riskPerDay: params.riskAversion * params.sigmaBps ** 2,
    restocking: {
      perDay: params.restockEveryDays === null ? 0 : 1 / params.restockEveryDays,
      belowShare: params.restockBelowShare,
      costBps: params.restockCostBps,
    },
  }
}

/** How well reservationBps is known, as a standard deviation of its logarithm. */
const PRIOR_LOG_SD = 0.35
/** A 90 % interval has so many standard deviations. */
const DEVIATIONS_OF_90 = 3.29

/**
 * Lots a day and side at no distance, and k. A week at nearly one spread says little of k, so that it is weighed against
 * reservationBps; what it says of the takers at that spread stays.
 */
function takersOf(context: StrategyContext, state: State, params: Params) {
  const { limitLots } = params
  const prior = -Math.log(params.reservationBps)
  const known = context.calibration
  if (!isLearned(known)) {
    const lots = params.turnoverShare * limitLots
    return { bid: lots, ask: lots, k: Math.exp(prior), kShape: 1 / PRIOR_LOG_SD ** 2 }
  }
  learnFlow(context, state)
  const { a, k: learned } = known.both
  const variance = (Math.log(learned.high / learned.low) / DEVIATIONS_OF_90) ** 2
  const weight = PRIOR_LOG_SD ** 2 / (PRIOR_LOG_SD ** 2 + variance)
  const k = Math.exp(prior + weight * (Math.log(learned.value) - prior))
  const { bid, ask } = state.rivals
  const spread = ((bid.usualBps ?? ask.usualBps ?? 0) + (ask.usualBps ?? bid.usualBps ?? 0)) / 2
  const takers = 2 * a.value * Math.exp((k - learned.value) * rounded(spread, 10 * params.rounding))
  const lotUsd = context.inventory.totalTzs / context.mid / 2 / limitLots
  const lots = (side: Side) => Math.max(0.05 * limitLots, (takers * state.usdAFill[side]) / lotUsd)
  const lotsOn = (side: Side) => Math.exp(rounded(Math.log(lots(side)), 0.1 * params.rounding))
  return { bid: lotsOn('bid'), ask: lotsOn('ask'), k, kShape: Math.min(1_000, 1 / (weight * variance)) }
}

function isLearned(known: StrategyContext['calibration']): known is NonNullable<typeof known> {
  return known !== null && known.both.fills >= FEWEST_FILLS
}

/** Once a day: what each side brings per fill of either side, from the recent fills and ten of the usual size on each. */
function learnFlow({ now, recentFills, calibration }: StrategyContext, state: State): void {
  if (now - state.flowAt < DAY_MS) return
  state.flowAt = now
  const sizes = calibration?.sizesUsd ?? []
  const usual = sizes.length === 0 ? 250 : sizes.reduce((sum, usd) => sum + usd, 0) / sizes.length
  for (const side of SIDES) {
    const usd = recentFills.reduce((sum, fill) => sum + (fill.side === side ? fill.usd : 0), 10 * usual)
    state.usdAFill[side] = usd / (recentFills.length + 20)
  }
}

function within(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value))
}

function rounded(value: number, step: number): number {
  return step === 0 ? value : Math.round(value / step) * step
}

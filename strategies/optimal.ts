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
 * probe. A and k come from the calibration once it has 30 fills, before that from turnoverShare and reservationBps.
 * Parameters:
 *   riskAversion         gamma, per bps and lot, beyond the risks the programme models; 0 = maximise the mean PnL
 *   limitLots            Q, lots of a side on target; more = finer and slower
 *   turnoverShare        without a calibration: customer volume per day and side at zero spread, as a multiple of a side's target
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
 * value. A rival who follows every quote down undercuts it repeatedly. Each look costs a side seconds of takers.
 */
import {
  defineStrategy,
  type FairShift,
  FEWEST_FILLS,
  independentLooks,
  poolQuote,
  poolTerms,
  priorTakers,
  weighedTakers,
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
  toleranceBps: z.int().min(0).max(100).nullable().default(null),
  lookEveryMinutes: z.number().min(1).max(10_000).nullable().default(30),
  rounding: z.number().min(0).max(4).default(1),
})
type Params = z.infer<typeof schema>

type Rival = {
  /** The best rival spread when last seen, or its lower bound; null = no rival. */
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
  /** The look in progress: for each side that is off for it the spread that hid the rivals; null = not for this look. */
  looking: { since: number; bid: number | null; ask: number | null } | null
  /** Our spread, the previous one, and the time of the change. */
  own: Record<Side, { bps: number | null; before: number | null; changedAt: number }>
  /** Dollars traded on each side per fill of either side. */
  usdAFill: Record<Side, number>
  flowAt: number
}

const UNSET = { bps: null, before: null, changedAt: 0 }

export default defineStrategy<Params, State>({
  name: 'optimal',
  params: schema,
  init: () => ({
    at: null,
    rivals: { bid: { bps: null, usualBps: null }, ask: { bps: null, usualBps: null } },
    gapSquare: 900,
    lookedAt: 0,
    looking: null,
    own: { bid: { ...UNSET }, ask: { ...UNSET } },
    usdAFill: { bid: 0, ask: 0 },
    flowAt: 0,
  }),
  quote(context, state, params) {
    const { now, fairShift, inventory } = context
    const hours = state.at === null ? 0 : Math.max(0, now - state.at) / HOUR_MS
    state.at = now
    const isLooking = watchRivals(context, state, params, hours)
    const gapBps = Math.min(500, Math.max(-500, fairShift.bps))
    state.gapSquare += (1 - Math.exp(-hours / GAP_MEMORY_HOURS)) * (gapBps ** 2 - state.gapSquare)
    const market = marketOf(context, fairShift, state, params)
    const quote = poolQuote(market, {
      q: inventory.imbalance * params.limitLots,
      gapBps,
      tauBps: rounded(Math.min(200, Math.max(0, fairShift.errorBps)), 2 * params.rounding),
      rivals: { askBps: state.rivals.ask.bps, bidBps: state.rivals.bid.bps },
    })
    const reasons = [
      `${(inventory.imbalance * params.limitLots).toFixed(1)} of ${params.limitLots} lots from the target`,
      `fair value ${gapBps.toFixed(1)} bps from the mid, +- ${fairShift.errorBps.toFixed(1)}, ${fairShift.driftBpsPerDay.toFixed(1)} a day`,
      `others: bid ${state.rivals.bid.bps?.toFixed(0) ?? 'no one'}, ask ${state.rivals.ask.bps?.toFixed(0) ?? 'no one'}`,
    ]
    for (const side of SIDES) if (quote[side].bps === null) reasons.push(`${side} off: no spread pays`)
    if (isLooking) reasons.unshift('off until a probe shows the others')
    const hidden = (side: Side) => isLooking && state.looking !== null && state.looking[side] !== null
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

/** How long past gaps and rivals count towards their averages. */
const GAP_MEMORY_HOURS = 240
const USUAL_MEMORY_HOURS = 24
/** Time after which a hidden rival may have moved away. */
const HIDDEN_MOVES_BPS_PER_HOUR = 3
const HIDDEN_MOVES_AT_MOST_BPS = 25
const LONGEST_LOOK_MS = 2 * MINUTE_MS
/** The widest spread that the venue accepts. */
const WIDEST_BPS = 500

/** Updates the rivals from the probes, and decides whether sides with hidden rivals turn off for a look. */
function watchRivals(context: StrategyContext, state: State, params: Params, hours: number): boolean {
  const { now } = context
  const watched = (side: Side) => watchRival(context, state, side, hours)
  const hidden = { bid: watched('bid'), ask: watched('ask') }
  const isHidden = hidden.bid || hidden.ask
  if (state.looking !== null) {
    if (isHidden && now - state.looking.since < LONGEST_LOOK_MS) return true
    state.looking = null
    state.lookedAt = now
    return false
  }
  const every = params.lookEveryMinutes
  if (!isHidden || every === null || now - state.lookedAt < every * MINUTE_MS) return false
  const hiding = (side: Side) => (hidden[side] ? (state.own[side].bps ?? WIDEST_BPS) : null)
  state.looking = { since: now, bid: hiding('bid'), ask: hiding('ask') }
  return true
}

/** Returns whether we are the best of a side, which hides the rivals; otherwise records the rivals' quote. */
function watchRival(context: StrategyContext, state: State, side: Side, hours: number): boolean {
  const { now, competition, standing } = context
  const own = state.own[side]
  const current = standing[`${side}Bps`]
  if (current !== own.bps) Object.assign(own, { bps: current, before: own.bps, changedAt: now })
  const rival = state.rivals[side]
  const shown = competition[side]
  if (shown === null || showsNoProvider(shown.bestBps, current, state.looking?.[side] ?? null)) {
    rival.bps = null
    return false
  }
  // A probe from before our last change may show our old quote, which we must not undercut.
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

/**
 * Returns whether a probe shows that no one else quotes. While both sides are off the safe quote is in force, so a look that
 * shows it, instead of the spread `hiding` that hid the others, found no one; the widest spread is a safe quote, ours or another's.
 */
function showsNoProvider(bestBps: number, current: number | null, hiding: number | null): boolean {
  return bestBps >= WIDEST_BPS || (hiding !== null && bestBps === current && bestBps > hiding)
}

/**
 * The rival is hidden behind our own spread: not lower, and possibly higher than when last seen. Where the last look found no
 * one there is still no one, for a rival who undercuts us shows in the next probe.
 */
function waitFor(rival: Rival, own: number, hours: number): void {
  if (rival.bps === null) return
  const least = Math.max(rival.bps, own)
  const most = Math.max(least, (rival.usualBps ?? least) + HIDDEN_MOVES_AT_MOST_BPS)
  rival.bps = Math.min(most, least + HIDDEN_MOVES_BPS_PER_HOUR * hours)
}

/** The inputs, rounded to avoid solving again for tiny changes. The interest that dollars save counts as a drift of the fair value. */
function marketOf(context: StrategyContext, fairShift: FairShift, state: State, params: Params): PoolMarket {
  const { limitLots, rounding } = params
  const toleranceBps = params.toleranceBps ?? context.toleranceBps
  const { bid, ask, k, kShape } = takersOf(context, state, params)
  const { ntzsPerYear, usdPerYear } = context.inventory.capitalCost
  const carry = (10_000 * (ntzsPerYear - usdPerYear)) / 365
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

/**
 * Returns lots per day and side at distance zero, and k, weighed against reservationBps; the observed taker rate at the usual spread
 * is kept.
 */
function takersOf(context: StrategyContext, state: State, params: Params) {
  const { limitLots, rounding, reservationBps } = params
  const known = context.calibration
  if (!isLearned(known)) {
    const lots = params.turnoverShare * limitLots
    return { bid: lots, ask: lots, ...priorTakers(reservationBps) }
  }
  learnFlow(context, state)
  const { bid, ask } = state.rivals
  const spread = ((bid.usualBps ?? ask.usualBps ?? 0) + (ask.usualBps ?? bid.usualBps ?? 0)) / 2
  const { a, k, kShape } = weighedTakers(known.both, reservationBps, rounded(spread, 10 * rounding))
  const lotUsd = context.inventory.totalTzs / context.mid / 2 / limitLots
  const lots = (side: Side) => Math.max(0.05 * limitLots, (2 * a * state.usdAFill[side]) / lotUsd)
  const lotsOn = (side: Side) => Math.exp(rounded(Math.log(lots(side)), 0.1 * rounding))
  return { bid: lotsOn('bid'), ask: lotsOn('ask'), k, kShape }
}

function isLearned(known: StrategyContext['calibration']): known is NonNullable<typeof known> {
  return known !== null && known.both.fills >= FEWEST_FILLS
}

/** Updates once a day the dollars per fill of each side, from the recent fills and ten fills of the usual size on each side. */
function learnFlow(context: StrategyContext, state: State): void {
  const { now, recentFills, calibration } = context
  if (now - state.flowAt < DAY_MS) return
  state.flowAt = now
  const sizes = calibration?.sizesUsd ?? []
  const usual = sizes.length === 0 ? 250 : sizes.reduce((sum, usd) => sum + usd, 0) / sizes.length
  for (const side of SIDES) {
    const usd = recentFills.reduce((sum, fill) => sum + (fill.side === side ? fill.usd : 0), 10 * usual)
    state.usdAFill[side] = usd / (recentFills.length + 20)
  }
}

function rounded(value: number, step: number): number {
  return step === 0 ? value : Math.round(value / step) * step
}

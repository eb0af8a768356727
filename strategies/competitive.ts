/**
 * Wraps another strategy and moves its quote to the best reply to the rivals visible on each side.
 *
 * Idea: the venue picks round-robin among the providers within `toleranceBps` of the lowest spread. Against a rival at c the best
 * spread is c + tolerance for a share of the takers, or just below c - tolerance for all of them; spreads in between gain nothing.
 * The wrapped model quotes as if it had no rivals, so its reservation is its quote less `markupBps`. Among all spreads b above
 * that reservation, this strategy quotes the one that maximises
 *   share(b) * (b - reservation) * exp(-b / decayBps)
 * It keeps the wrapped quote if no rival was seen recently or if no spread above the reservation gets a share. It undercuts only
 * if that earns more over the next months than matching the rival, given how quickly the rival has responded before. It ignores
 * moves of a rival within deadBandBps. For a small share of the time it shifts the reply at random, because a spread that never
 * changes reveals nothing about takers and rivals.
 * Parameters:
 *   strategy         the wrapped one
 *     use            a name in strategies/, or a path
 *     params         for that strategy's own schema
 *   markupBps        distance of the wrapped quote above its reservation, 0..490; 0 = the wrapped quote is the reservation;
 *                    null = 1/k, the markup of a model without rivals
 *   decayBps         1/k of the takers without a calibrated value, 5..500
 *   rivals           number of rivals at the best spread, 1..20
 *   toleranceBps     of the router, 0..50; null = venue.toleranceBps
 *   rivalMinutes     a rival not seen for this long is considered gone
 *   deadBandBps      smaller moves of a rival are ignored, 0..50
 *   answerHours      assumed response time of a rival to an undercut, until one is observed
 *   exploreShare     share of the time spent at a randomly shifted spread, 0..0.5
 *   exploreBps       largest random shift either way, never below the reservation, 0..100
 *   exploreMinutes   how long one draw is kept
 * WHEN IT LOSES: against a better-informed rival: it follows him down as far as its own reservation. With a reservation that
 * ignores informed takers (fixed-spread with a large markup) it undercuts until only informed takers are left.
 */
import {
  addTerm,
  bestReply,
  defineStrategy,
  learnedTakers,
  undercutWorth,
  z,
  type LearnedTakers,
  type StrategyContext,
  type StrategyQuote,
} from '#kit'

type Side = 'bid' | 'ask'
type Rival = {
  bps: number | null
  seenAt: number
  /** Our last known spread and the time it was set. */
  own: number | null
  ownBefore: number | null
  ownSince: number
  /** When we undercut the rival; null = not undercutting. */
  undercutAt: number | null
  answerMs: number
}
type State = { bid: Rival; ask: Rival; exploreUntil: number; bidMove: number; askMove: number }

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
/** Discounts income a month away by about a third. */
const DISCOUNT_PER_DAY = 1 / 30

const params = z.strictObject({
  strategy: z.strictObject({
    use: z.string().min(1),
    params: z.record(z.string(), z.unknown()).default({}),
  }),
  markupBps: z.number().min(0).max(490).nullable().default(null),
  decayBps: z.number().min(5).max(500).default(60),
  rivals: z.int().min(1).max(20).default(1),
  toleranceBps: z.number().min(0).max(50).nullable().default(null),
  rivalMinutes: z.number().positive().max(100_000).default(360),
  deadBandBps: z.number().min(0).max(50).default(3),
  answerHours: z.number().positive().max(10_000).default(240),
  exploreShare: z.number().min(0).max(0.5).default(0.05),
  exploreBps: z.number().min(0).max(100).default(10),
  exploreMinutes: z.number().min(1).max(10_000).default(60),
})
/** The parameters with the router's tolerance filled in. */
type Params = z.output<typeof params> & { readonly toleranceBps: number }

export default defineStrategy<z.output<typeof params>, State>({
  name: 'competitive',
  params,
  init: ({ answerHours }) => ({
    bid: nobodySeen(answerHours),
    ask: nobodySeen(answerHours),
    exploreUntil: 0,
    bidMove: 0,
    askMove: 0,
  }),
  inner: ({ strategy }) => ({ wrapped: strategy }),
  quote(context, state, given, inner) {
    const chosen = { ...given, toleranceBps: given.toleranceBps ?? context.toleranceBps }
    const takers = learnedTakers(context.calibration)
    const k = takers.known ? takers.k : 1 / chosen.decayBps
    const quote = withFallback(inner['wrapped']!(context), takers, chosen)
    explore(context, state, chosen)
    const bid = replyOn('bid', quote.bidBps, k, { context, state, chosen })
    const ask = replyOn('ask', quote.askBps, k, { context, state, chosen })
    const replied = addTerm(quote, { name: 'rivals', bidBps: bid.move, askBps: ask.move }, [
      ...bid.why,
      ...ask.why,
    ])
    if (state.bidMove === 0 && state.askMove === 0) return replied
    return addTerm(replied, { name: 'exploration', bidBps: bid.explored, askBps: ask.explored }, [
      `exploring: ${bid.explored.toFixed(1)} on the bid, ${ask.explored.toFixed(1)} on the ask`,
    ])
  },
})

/** Puts the wrapped strategy's fallback first, because its quote depends on it. */
function withFallback(quote: StrategyQuote, takers: LearnedTakers, { decayBps }: Params): StrategyQuote {
  if (takers.known) return quote
  const own = `${takers.why}: against rivals 1/k is decayBps, ${decayBps} bps`
  return { ...quote, fallback: quote.fallback === undefined ? own : `${quote.fallback}; ${own}` }
}

type Asked = { readonly context: StrategyContext; readonly state: State; readonly chosen: Params }
type Reply = { readonly move: number; readonly explored: number; readonly why: readonly string[] }

/** Change of a side's spread, in bps: by the reply to the wrapped spread, and by exploring to the reply. */
function replyOn(side: Side, wrapped: number | null, k: number, { context, state, chosen }: Asked): Reply {
  const rival = state[side]
  watch(side, rival, context, chosen)
  if (wrapped === null) return { move: 0, explored: 0, why: [] }
  const cost = wrapped - (chosen.markupBps ?? 1 / k)
  const bps = rival.bps === null ? null : replyTo(rival.bps, rival.answerMs, { ...chosen, cost, k })
  const reply = bps ?? wrapped
  const moved = Math.max(Math.min(cost, reply), reply + (side === 'bid' ? state.bidMove : state.askMove))
  const isUndercut = rival.bps !== null && moved < rival.bps - chosen.toleranceBps
  rival.undercutAt = isUndercut ? (rival.undercutAt ?? context.now) : null
  return { move: reply - wrapped, explored: moved - reply, why: reasons(side, rival.bps, bps, wrapped) }
}

type War = Pick<Params, 'rivals' | 'toleranceBps'> & { readonly cost: number; readonly k: number }

/** Returns the spread against a rival at `best`; null = keep the wrapped spread, because none above the cost gets a share. */
function replyTo(best: number, answerMs: number, war: War): number | null {
  const { cost, k, rivals, toleranceBps: tolerance } = war
  const market = { rivals, best, cost, k, tolerance }
  const reply = bestReply(market)
  if (reply === null) return null
  const alone = cost + 1 / k
  // The wrapped quote itself does not count as an undercut, and rounding it to whole bps does not change the price.
  if (alone < best - tolerance) return Math.abs(reply - alone) <= 1 ? alone : reply
  if (reply >= best - tolerance) return reply
  const beside = Math.min(best + tolerance, Math.max(best - tolerance, alone))
  const worth = undercutWorth({
    ...market,
    answerDays: answerMs / DAY_MS,
    discountPerDay: DISCOUNT_PER_DAY,
  })
  return worth.undercut > worth.stay || beside <= cost ? reply : Math.floor(beside)
}

/** Records the best quote of a side: a rival's, or our own, in which case the rival is assumed unchanged. */
function watch(
  side: Side,
  rival: Rival,
  { now, competition, standing }: StrategyContext,
  chosen: Params,
): void {
  const own = side === 'bid' ? standing.bidBps : standing.askBps
  if (own !== rival.own) Object.assign(rival, { own, ownBefore: rival.own, ownSince: now })
  if (rival.bps !== null && now - rival.seenAt > chosen.rivalMinutes * MINUTE_MS) rival.bps = null
  const seen = competition[side]
  // A reading from before our last confirmed change may still show our old quote.
  if (seen === null || now - seen.ageMs <= rival.ownSince) return
  const { bestBps } = seen
  // While the live quote is unknown, do not mistake our previous spread for a rival.
  if (own === null && bestBps === rival.ownBefore) return
  if (bestBps === own) {
    // The venue picked us, so no rival is below us by more than the tolerance.
    if (rival.bps !== null && own !== null && rival.bps < own - chosen.toleranceBps) rival.bps = null
    return
  }
  rival.seenAt = now
  const step = rival.bps === null ? Infinity : Math.abs(bestBps - rival.bps)
  if (step <= chosen.deadBandBps) return
  learnAnswer(rival, bestBps, now)
  rival.bps = bestBps
}

/** Averages the response time so far with this one: a rival who lowers his spread while we undercut him has responded. */
function learnAnswer(rival: Rival, bestBps: number, now: number): void {
  if (rival.undercutAt === null || rival.bps === null || bestBps >= rival.bps) return
  rival.answerMs = (rival.answerMs + (now - rival.undercutAt)) / 2
  rival.undercutAt = now
}

/** One draw for both sides, kept for a while so that risk and pacing see a stable quote. */
function explore({ now, random }: StrategyContext, state: State, chosen: Params): void {
  if (now < state.exploreUntil) return
  const draw = random('exploration')
  const isOn = draw() < chosen.exploreShare
  const one = () => Math.round((2 * draw() - 1) * chosen.exploreBps)
  state.bidMove = isOn ? one() : 0
  state.askMove = isOn ? one() : 0
  state.exploreUntil = now + chosen.exploreMinutes * MINUTE_MS
}

function reasons(side: Side, rival: number | null, reply: number | null, wrapped: number): readonly string[] {
  if (rival === null) return []
  if (reply === null)
    return [`${side}: a rival at ${rival} is below the reservation: keeping the wrapped quote`]
  if (Math.abs(reply - wrapped) < 0.5) return []
  return [`${side}: ${reply.toFixed(0)} instead of ${wrapped.toFixed(0)} against a rival at ${rival}`]
}

function nobodySeen(answerHours: number): Rival {
  return {
    bps: null,
    seenAt: 0,
    own: null,
    ownBefore: null,
    ownSince: 0,
    undercutAt: null,
    answerMs: answerHours * HOUR_MS,
  }
}

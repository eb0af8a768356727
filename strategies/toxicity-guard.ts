/**
 * Another strategy, kept wide enough on each side for what its takers turned out to know.
 *
 * Idea: after the next update of the mid a fill shows by how much the fair value moved against it. Where that impact is more
 * than its error explains, the takers of that side know something, and the side is not quoted nearer to the fair value than
 * what they cost:
 *   floor = marginBps + impact - errorWeight * error, at most maxFloorBps, halved every halfLifeHours without new fills
 *   bid = max(bid of the wrapped strategy, floor + g)        ask = max(ask of the wrapped strategy, floor - g)
 * with g the fair value less the venue's mid in bps. Without evidence (impact at most errorWeight errors, or fills before fewer
 * than two updates) there is no floor. It never narrows a quote.
 * Parameters:
 *   strategy       the wrapped one
 *     use          a name in strategies/, or a path
 *     params       for that strategy's own schema
 *   errorWeight    standard errors that the impact has to exceed, 0..5; less = an earlier and more often a false alarm
 *   marginBps      what a fill should still earn on average, 0..100
 *   maxFloorBps    the floor's upper limit, 10..500
 *   halfLifeHours  after so many hours without news of a side half of its floor is left
 * WHEN IT LOSES: when the informed takers are few and large: the first one takes the pool before any markout shows it. In a
 * trend that has ended it stays wide for days and leaves the flow to others. Two or three updates make a weak mean: with a small
 * errorWeight it reacts to chance.
 */
import { addTerm, defineStrategy, z, type SideMarkouts } from '#kit'

type Measured = { fills: number; meanBps: number; at: number }
type State = { bid: Measured; ask: Measured }
type Params = {
  strategy: { use: string; params: Record<string, unknown> }
  errorWeight: number
  marginBps: number
  maxFloorBps: number
  halfLifeHours: number
}

const HOUR_MS = 3_600_000

export default defineStrategy<Params, State>({
  name: 'toxicity-guard',
  params: z.strictObject({
    strategy: z.strictObject({
      use: z.string().min(1),
      params: z.record(z.string(), z.unknown()).default({}),
    }),
    errorWeight: z.number().min(0).max(5).default(1),
    marginBps: z.number().min(0).max(100).default(5),
    maxFloorBps: z.number().min(10).max(500).default(150),
    halfLifeHours: z.number().positive().max(10_000).default(72),
  }),
  init: () => ({ bid: nothingMeasured(), ask: nothingMeasured() }),
  inner: ({ strategy }) => ({ wrapped: strategy }),
  quote(context, state, params, inner) {
    const { now, markouts, fairValue, mid } = context
    const quote = inner['wrapped']!(context)
    const lean = 1e4 * (fairValue.tzsPerUsd / mid - 1)
    const bidFloor = floorOf(markouts.bid, state.bid, params, now)
    const askFloor = floorOf(markouts.ask, state.ask, params, now)
    const widen = (bps: number | null, floor: number | null, shift: number) =>
      bps === null || floor === null ? 0 : Math.max(0, floor + shift - bps)
    const bidBps = widen(quote.bidBps, bidFloor, lean)
    const askBps = widen(quote.askBps, askFloor, -lean)
    const reasons = [
      ...(bidBps > 0 ? [reason('bid', markouts.bid, bidFloor)] : []),
      ...(askBps > 0 ? [reason('ask', markouts.ask, askFloor)] : []),
    ]
    return addTerm(quote, { name: 'informed takers', bidBps, askBps }, reasons)
  },
})

/** In whole bps, so that its decay moves a quote seldom. Null = nothing shows that the takers know more. */
function floorOf(shown: SideMarkouts | null, measured: Measured, params: Params, now: number): number | null {
  if (shown === null) return null
  if (shown.fills !== measured.fills || shown.meanBps !== measured.meanBps)
    Object.assign(measured, { fills: shown.fills, meanBps: shown.meanBps, at: now })
  const evident = shown.impactBps - params.errorWeight * shown.errorBps
  if (evident <= 0) return null
  const hours = Math.max(0, now - measured.at) / HOUR_MS
  const floor = Math.min(params.maxFloorBps, params.marginBps + evident)
  return Math.round(floor * 0.5 ** (hours / params.halfLifeHours))
}

function reason(side: string, shown: SideMarkouts | null, floor: number | null): string {
  const { fills = 0, impactBps = 0, errorBps = 0 } = shown ?? {}
  return `${side}: the fair value moved ${impactBps.toFixed(1)} +- ${errorBps.toFixed(1)} bps against ${fills} fills: at least ${floor} from it`
}

function nothingMeasured(): Measured {
  return { fills: 0, meanBps: 0, at: 0 }
}

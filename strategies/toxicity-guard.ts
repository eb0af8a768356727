/**
 * Wraps another strategy and keeps each side wide enough to cover losses to informed takers.
 *
 * Idea: the next update of the mid shows how far the fair value moved against a fill. If that impact exceeds its error, the
 * takers of that side are informed. The side is then not quoted closer to the fair value than their cost:
 *   floor = marginBps + impact - errorWeight * error, at most maxFloorBps, halved every halfLifeHours without new fills
 *   bid = max(bid of the wrapped strategy, floor + g)        ask = max(ask of the wrapped strategy, floor - g)
 * where g is the fair value less the venue's mid in bps. Without evidence (impact at most errorWeight errors, or fills before
 * fewer than two updates) there is no floor. It never narrows a quote.
 * Parameters:
 *   strategy       the wrapped one
 *     use          a name in strategies/, or a path
 *     params       for that strategy's own schema
 *   errorWeight    standard errors that the impact has to exceed, 0..5; a lower value reacts earlier and more often falsely
 *   marginBps      average profit that a fill should still earn, 0..100
 *   maxFloorBps    upper limit of the floor, 10..500
 *   halfLifeHours  hours without new fills of a side after which its floor is halved
 * WHEN IT LOSES: if informed takers are few and large: the first one takes the pool before any markout shows it. After a trend
 * ends it stays wide for days and loses the flow to others. With a small errorWeight it reacts to noise, because a mean over two
 * or three updates is weak.
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

/** In whole bps, so its decay rarely moves a quote. Null = no evidence of informed takers. */
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

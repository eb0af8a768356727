/**
 * A constant half-spread with a skew against the inventory imbalance.
 *
 * Idea: with too many dollars, sell them at a lower price and buy fewer. A lower bidBps brings takers with
 * shillings; a higher askBps sends takers with dollars to other providers. With too many shillings the reverse. The
 * imbalance d runs from -1 (all shillings) to +1 (all dollars):
 *   bid = halfSpreadBps - maxSkewBps * d        ask = halfSpreadBps + maxSkewBps * d
 * Beyond |d| > offBeyond the side that increases it is off, and is on again at |d| <= backOnWithin.
 * Parameters:
 *   halfSpreadBps  half-spread on target, 10..500
 *   maxSkewBps     skew when all is dollars or all shillings, 0..490; risk clamps spreads outside 10..500
 *   offBeyond      imbalance beyond which a side is off, 0..1; 1 = never
 *   backOnWithin   imbalance within which it is on again, 0..offBeyond; by default 0.1 under offBeyond
 * WHEN IT LOSES: in a trend. The skew repeatedly gives up bps to return to the target while the market
 * keeps moving. The strategy relies on the mid, so an informed taker gets the skewed side at an even
 * better price. In balanced flow with wide inventory limits it earns less than a fixed spread.
 */
import { defineStrategy, z } from '#kit'

type Params = {
  halfSpreadBps: number
  maxSkewBps: number
  offBeyond: number
  backOnWithin?: number | undefined
}
type State = { bidOff: boolean; askOff: boolean }

const HYSTERESIS = 0.1

export default defineStrategy<Params, State>({
  name: 'inventory-skew',
  params: z
    .strictObject({
      halfSpreadBps: z.number().min(10).max(500).default(60),
      maxSkewBps: z.number().min(0).max(490).default(80),
      offBeyond: z.number().min(0).max(1).default(0.9),
      backOnWithin: z.number().min(0).max(1).optional(),
    })
    .refine(({ offBeyond, backOnWithin }) => backOnWithin === undefined || backOnWithin <= offBeyond, {
      path: ['backOnWithin'],
      message: 'more than offBeyond; a side cannot come back on above the imbalance at which it turns off',
    }),
  init: () => ({ bidOff: false, askOff: false }),
  quote(context, state, params) {
    const d = Math.min(1, Math.max(-1, context.inventory.imbalance))
    const backOn = params.backOnWithin ?? Math.max(0, params.offBeyond - HYSTERESIS)
    state.askOff = d > (state.askOff ? backOn : params.offBeyond)
    state.bidOff = -d > (state.bidOff ? backOn : params.offBeyond)
    const skew = params.maxSkewBps * d
    const reasons = [`${describe(d)}: ${skewed(params.halfSpreadBps, skew)}`]
    if (state.askOff)
      reasons.push(`ask off: it would buy even more dollars (back on at ${backOn.toFixed(2)})`)
    if (state.bidOff)
      reasons.push(`bid off: it would buy even more shillings (back on at ${backOn.toFixed(2)})`)
    return {
      bidBps: state.bidOff ? null : params.halfSpreadBps - skew,
      askBps: state.askOff ? null : params.halfSpreadBps + skew,
      reasons,
      terms: [
        { name: 'half-spread', bidBps: params.halfSpreadBps, askBps: params.halfSpreadBps },
        { name: 'inventory', bidBps: -skew, askBps: skew },
      ],
    }
  },
})

/** The two spreads as the sums that they are. */
function skewed(half: number, skew: number): string {
  const size = Math.abs(skew).toFixed(1)
  return skew < 0
    ? `bid ${half} + ${size}, ask ${half} - ${size}`
    : `bid ${half} - ${size}, ask ${half} + ${size}`
}

function describe(d: number): string {
  if (d === 0) return 'on target'
  return `${(Math.abs(d) * 100).toFixed(0)} % of the way to all ${d > 0 ? 'dollars' : 'shillings'}`
}

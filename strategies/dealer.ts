/**
 * A dealer's quote for requests of several sizes, by the logistic model of Barzykin, Bergault and Gueant.
 *
 * Idea: a share 1 / (1 + exp(alpha + beta d)) of the requests of one size deals at a spread of d bps. With q lots of dollars above
 * the target, a fill of z lots costs the inventory a (z/2 +- q) bps. The slope of the quadratic closure is
 * a = sqrt(gamma sigma^2 / (2 sum of perDay z H''(0))). The venue has one quote for all sizes. The best one is for their mean cost,
 * weighted by the dollars that each size trades per day (perDay * size):
 *   cost of buying = a (Z/2 + q)            cost of selling = a (Z/2 - q)            Z = sum perDay z^2 / sum perDay z
 *   quote = cost + (1 + W) / beta           W = W(exp(-1 - alpha - beta cost))       (Lambert's W)
 * Then the bid moves by g and the ask by -g, where g is the fair value less the venue's mid in bps.
 * Parameters:
 *   alpha         of the hit ratio: exp(-alpha) to one deal at no spread
 *   beta          of the hit ratio, per bps
 *   requests      what takers ask for, on each side
 *     usd         dollars of a request
 *     perDay      requests of this size a day
 *   riskAversion  gamma, per bps and lot
 *   lotUsd        size of a lot, dollars
 *   maxLots       the side that increases the imbalance turns off at this many lots from the target
 *   sigmaBps      volatility without a calibrated value, bps per square root of a day
 * WHEN IT LOSES: if alpha and beta are guesses. A calibration needs about a thousand fills to distinguish a logistic from an
 * exponential hit ratio. Small takers pay the price of the large ones, so a rival with a price per size wins them. It ignores
 * rivals and informed takers, who send large requests at the common price.
 */
import { bestQuote, defineStrategy, quadraticClosure, z } from '#kit'

const params = z.strictObject({
  alpha: z.number().min(-20).max(20).default(-1.5),
  beta: z.number().min(0.001).max(1).default(0.045),
  requests: z
    .array(z.strictObject({ usd: z.number().positive().max(1e7), perDay: z.number().positive().max(1e6) }))
    .min(1)
    .max(50)
    .default([
      { usd: 60, perDay: 30 },
      { usd: 300, perDay: 12 },
      { usd: 1_200, perDay: 6 },
    ]),
  riskAversion: z.number().min(1e-6).max(1).default(0.002),
  lotUsd: z.number().positive().default(250),
  maxLots: z.number().positive().max(10_000).default(100),
  sigmaBps: z.number().min(1).max(1_000).default(25),
})

export default defineStrategy({
  name: 'dealer',
  params,
  init: () => ({}),
  quote({ calibration, fairValue, inventory, mid }, _state, chosen) {
    const { alpha, beta, lotUsd, maxLots, riskAversion } = chosen
    const curve = { alpha, beta }
    const flows = chosen.requests.map(({ usd, perDay }) => ({ curve, size: usd / lotUsd, perDay }))
    const slope = quadraticClosure(flows, riskAversion, calibration?.sigma?.value ?? chosen.sigmaBps)
    const meanLots = weightedSize(flows)
    const lots = (inventory.usd - (inventory.target * inventory.totalTzs) / mid) / lotUsd
    const buying = bestQuote(curve, slope * (meanLots / 2 + lots))
    const selling = bestQuote(curve, slope * (meanLots / 2 - lots))
    const even = bestQuote(curve, (slope * meanLots) / 2)
    const myopic = bestQuote(curve, 0).deltaBps
    const lean = 1e4 * (fairValue.tzsPerUsd / mid - 1)
    const isLong = lots >= maxLots
    const isShort = lots <= -maxLots
    return {
      bidBps: isShort ? null : selling.deltaBps + lean,
      askBps: isLong ? null : buying.deltaBps - lean,
      reasons: [
        `${lots.toFixed(1)} lots of ${lotUsd} USD from the target, ${slope.toFixed(2)} bps a lot: ${share(selling.hit)} of the requests deal on the bid, ${share(buying.hit)} on the ask`,
        `one quote for all sizes, as for ${(meanLots * lotUsd).toFixed(0)} USD`,
        ...(isLong ? ['ask off: it would buy even more dollars'] : []),
        ...(isShort ? ['bid off: it would buy even more shillings'] : []),
      ],
      terms: [
        { name: 'half-spread', bidBps: myopic, askBps: myopic },
        { name: 'size', bidBps: even.deltaBps - myopic, askBps: even.deltaBps - myopic },
        {
          name: 'inventory',
          bidBps: selling.deltaBps - even.deltaBps,
          askBps: buying.deltaBps - even.deltaBps,
        },
        { name: 'fair value', bidBps: lean, askBps: -lean },
      ],
      ...(calibration?.sigma == null
        ? { fallback: `no calibrated sigma: the ${chosen.sigmaBps} bps of sigmaBps` }
        : {}),
    }
  },
})

/** Dollar-weighted mean request size, in lots. */
function weightedSize(flows: readonly { readonly size: number; readonly perDay: number }[]): number {
  let [first, second] = [0, 0]
  for (const { size, perDay } of flows) {
    first += perDay * size
    second += perDay * size * size
  }
  return second / first
}

function share(part: number): string {
  return `${(100 * part).toFixed(0)} %`
}

/**
 * The optimal quotes of Avellaneda and Stoikov (2008) for a stated horizon.
 *
 * Idea: value the position as if it were closed `horizonDays` from now. This venue never closes, so the horizon rolls forward.
 * Takers arrive at rate A exp(-k d) for a spread of d. Holding q lots of dollars more than the target for T days is a risk with
 * aversion gamma. The quotes are centred on the reservation price, in bps of the mid:
 *   reservation = g - q gamma sigma^2 T     half-spread = ln(1 + gamma/k) / gamma + gamma sigma^2 T / 2
 *   bid = half-spread + reservation         ask = half-spread - reservation
 * where g is the fair value less the venue's mid. k and sigma come from the calibration if its fills determine them.
 * Parameters:
 *   horizonDays   T, days; a higher value means a wider spread and a stronger skew
 *   riskAversion  gamma, per bps and lot
 *   lotUsd        size of a lot, dollars; null = the median fill of the calibration, or 250 without one
 *   maxLots       the side that increases the imbalance turns off at this many lots from the target
 *   decayBps      1/k without a calibrated value, 5..500
 *   sigmaBps      volatility without a calibrated value, bps per square root of a day
 * WHEN IT LOSES: if the horizon is wrong. Its skew grows with T without bound, while glft accounts for the takers still to come.
 * It ignores the arrival rate, competitors and informed takers; in a trend it buys all the way down.
 */
import { avellanedaStoikovQuotes, defineStrategy, learnedTakers, z } from '#kit'

const USUAL_LOT_USD = 250

export default defineStrategy({
  name: 'avellaneda-stoikov',
  params: z.strictObject({
    horizonDays: z.number().min(0.01).max(100).default(1),
    riskAversion: z.number().min(1e-6).max(1).default(0.002),
    lotUsd: z.number().positive().nullable().default(null),
    maxLots: z.number().positive().max(10_000).default(100),
    decayBps: z.number().min(5).max(500).default(40),
    sigmaBps: z.number().min(1).max(1_000).default(25),
  }),
  init: () => ({}),
  quote({ calibration, fairValue, inventory, mid }, _state, params) {
    const { horizonDays, riskAversion, maxLots } = params
    const takers = learnedTakers(calibration)
    const k = takers.known ? takers.k : 1 / params.decayBps
    const sigma = calibration?.sigma?.value ?? params.sigmaBps
    const lotUsd = params.lotUsd ?? calibration?.sizesUsd[9] ?? USUAL_LOT_USD
    const lots = (inventory.usd - (inventory.target * inventory.totalTzs) / mid) / lotUsd
    const model = { sigma, riskAversion, k }
    const { reservationOffset, spread } = avellanedaStoikovQuotes(model, lots, horizonDays)
    const takersBps = Math.log1p(riskAversion / k) / riskAversion
    const riskBps = spread / 2 - takersBps
    const lean = 1e4 * (fairValue.tzsPerUsd / mid - 1)
    const isLong = lots >= maxLots
    const isShort = lots <= -maxLots
    const half = spread / 2
    return {
      bidBps: isShort ? null : half + reservationOffset + lean,
      askBps: isLong ? null : half - reservationOffset - lean,
      reasons: [
        `${lots.toFixed(1)} lots of ${lotUsd.toFixed(0)} USD from the target, ${horizonDays} days: half-spread ${half.toFixed(1)}, reservation ${(reservationOffset + lean).toFixed(1)} from the mid`,
        ...(takers.known ? [] : [`${takers.why}: 1/k is the ${params.decayBps} bps of the parameters`]),
        ...(isLong ? ['ask off: it would buy even more dollars'] : []),
        ...(isShort ? ['bid off: it would buy even more shillings'] : []),
      ],
      terms: [
        { name: 'half-spread', bidBps: takersBps, askBps: takersBps },
        { name: 'risk', bidBps: riskBps, askBps: riskBps },
        { name: 'inventory', bidBps: reservationOffset, askBps: -reservationOffset },
        { name: 'fair value', bidBps: lean, askBps: -lean },
      ],
      ...(takers.known ? {} : { fallback: `${takers.why}: 1/k is the ${params.decayBps} bps of decayBps` }),
    }
  },
})

/**
 * The optimal quotes of Gueant, Lehalle and Fernandez-Tapia (2013), from a calibration of the takers.
 *
 * Idea: takers trade at a spread d with the rate A exp(-k d), the mid has the volatility sigma, and holding q
 * lots of dollars more than the target is a risk. Away from the limits the optimal quotes are linear in q:
 *   base = ln(1 + gamma/k) / gamma     c = sqrt(sigma^2 gamma / (2 k A) * (1 + gamma/k)^(1 + k/gamma))
 *   ask = base + (2q + 1) c / 2 - g    bid = base - (2q - 1) c / 2 + g
 * where g is the fair value less the venue's mid, in bps: while dollars are worth more than the mid, the
 * strategy buys them at a narrower spread and sells them at a wider one.
 * A, k and sigma come from the configured calibration. Until it has 30 fills, or if they do not determine k (the spreads
 * varied too little), the spread is defaultBps on both sides at any inventory. Where the sides have different rates, A is their
 * geometric mean, and the side with more takers gets wider by ln(A / A of the other side) / (2 k), the other one narrower, which
 * is exact: both sides then fill equally often.
 * Parameters:
 *   riskAversion  gamma, per bps and lot; a higher value means a narrower spread and a stronger skew
 *   lotUsd        size of a lot, dollars; null = the mean fill of the calibration
 *   maxLots       the side that increases the imbalance turns off at this many lots from the target
 *   defaultBps    the spread without a calibration, 10..500
 *   sigmaBps      volatility without a calibrated value, bps per square root of a day
 *   driftWeight   weight of the expected drift of the fair value (fairShift), 0..1
 *   impactWeight  weight of the observed move of the fair value against our fills (markouts), 0..1
 * With a drift of m bps a day the bid gets wider by m c / (gamma sigma^2) and the ask narrower; with an impact of x bps a fill
 * both get wider by x / 2 and c grows by the factor exp(k x / 4).
 * WHEN IT LOSES: when today's market differs from the calibrated one. The strategy extrapolates A and k beyond
 * the spreads on the tape, ignores competitors (a rival within the tolerance takes half of the takers, a
 * narrower one takes all of them), and assumes a mid without a trend: in a trend it buys all the way down. In none of the twelve
 * included scenarios, where others quote, does it earn more than a tuned constant spread.
 */
import {
  defineStrategy,
  glftRule,
  glftSpreads,
  learnedTakers,
  z,
  type StrategyContext,
  type StrategyQuote,
} from '#kit'

type Params = {
  riskAversion: number
  lotUsd: number | null
  maxLots: number
  defaultBps: number
  sigmaBps: number
  driftWeight: number
  impactWeight: number
}

const USUAL_LOT_USD = 250

export default defineStrategy<Params, object>({
  name: 'glft',
  params: z.strictObject({
    riskAversion: z.number().min(1e-6).max(1).default(0.002),
    lotUsd: z.number().positive().nullable().default(null),
    maxLots: z.number().positive().max(10_000).default(100),
    defaultBps: z.number().min(10).max(500).default(60),
    sigmaBps: z.number().min(1).max(1_000).default(25),
    driftWeight: z.number().min(0).max(1).default(0),
    impactWeight: z.number().min(0).max(1).default(0),
  }),
  init: () => ({}),
  quote(context, _state, params) {
    const known = context.calibration
    const takers = learnedTakers(known)
    if (!takers.known) return fixed(params, takers.why)
    const sigmaBps = known?.sigma?.value ?? params.sigmaBps
    const lotUsd = params.lotUsd ?? meanLotUsd(known)
    const { riskAversion } = params
    const { a, flowBps } = ratesOf(known, takers)
    const market = { a, k: takers.k, sigmaBps, riskAversion }
    const plain = glftRule(market)
    const driftBpsPerDay =
      params.driftWeight === 0 ? 0 : params.driftWeight * context.fairShift.driftBpsPerDay
    const adverseBps = params.impactWeight === 0 ? 0 : params.impactWeight * meanImpact(context.markouts)
    const rule = glftRule({ ...market, driftBpsPerDay, adverseBps })
    const q = dollarsTooMany(context) / lotUsd
    const halfSpreadBps = plain.baseBps + plain.skewBpsPerLot / 2
    const impactBps = rule.baseBps + rule.skewBpsPerLot / 2 - halfSpreadBps
    const { buyBps, sellBps } = glftSpreads(rule, q)
    const lean = 1e4 * (context.fairValue.tzsPerUsd / context.mid - 1)
    const reasons = [
      `${q.toFixed(1)} lots of ${lotUsd.toFixed(0)} USD from the target: base ${rule.baseBps.toFixed(1)}, ${rule.skewBpsPerLot.toFixed(2)} a lot`,
    ]
    if (lean !== 0) reasons.push(`fair value ${lean.toFixed(1)} bps from the mid`)
    if (flowBps !== 0) reasons.push(`takers differ by side: ask ${flowBps.toFixed(1)} wider`)
    if (rule.leanBps !== 0) reasons.push(`drift ${driftBpsPerDay.toFixed(1)} bps a day`)
    if (adverseBps !== 0) reasons.push(`the fair value moves ${adverseBps.toFixed(1)} bps against a fill`)
    if (q >= params.maxLots) reasons.push('ask off: it would buy even more dollars')
    if (q <= -params.maxLots) reasons.push('bid off: it would buy even more shillings')
    return {
      bidBps: q <= -params.maxLots ? null : sellBps - flowBps + lean,
      askBps: q >= params.maxLots ? null : buyBps + flowBps - lean,
      reasons,
      terms: [
        { name: 'half-spread', bidBps: halfSpreadBps, askBps: halfSpreadBps },
        { name: 'inventory', bidBps: -q * rule.skewBpsPerLot, askBps: q * rule.skewBpsPerLot },
        { name: 'fair value', bidBps: lean, askBps: -lean },
        ...(flowBps === 0 ? [] : [{ name: 'flow', bidBps: -flowBps, askBps: flowBps }]),
        ...(rule.leanBps === 0 ? [] : [{ name: 'drift', bidBps: rule.leanBps, askBps: -rule.leanBps }]),
        ...(impactBps === 0 ? [] : [{ name: 'adverse selection', bidBps: impactBps, askBps: impactBps }]),
      ],
    }
  },
})

/** A side counts with at least this share of the rate of both, because its estimate may be near zero. */
const LEAST_SHARE = 0.05

type Known = NonNullable<StrategyContext['calibration']>

/**
 * Returns A, the geometric mean of the sides, and how much wider the ask is because its takers are more. A side without an estimate
 * of its own has what the other one leaves of the rate of both. Sides with another k are compared at a distance of 1/k.
 */
function ratesOf(
  known: StrategyContext['calibration'],
  { a, k }: { readonly a: number; readonly k: number },
) {
  const own = (side: Known['bid'] | undefined): number | null => {
    if (side === null || side === undefined) return null
    return side.fills === 0 ? 0 : side.a.value * Math.exp(1 - side.k.value / k)
  }
  const [bid, ask] = [own(known?.bid), own(known?.ask)]
  const rate = (side: number | null, other: number | null) =>
    Math.max(LEAST_SHARE * a, side ?? (other === null ? a : 2 * a - other))
  const [bidRate, askRate] = [rate(bid, ask), rate(ask, bid)]
  return { a: Math.sqrt(bidRate * askRate), flowBps: Math.log(askRate / bidRate) / (2 * k) }
}

/** The mean of the sizes' quantiles. */
function meanLotUsd(known: StrategyContext['calibration']): number {
  const sizes = known?.sizesUsd ?? []
  return sizes.length === 0 ? USUAL_LOT_USD : sizes.reduce((sum, usd) => sum + usd, 0) / sizes.length
}

function fixed({ defaultBps }: Params, why: string): StrategyQuote {
  return {
    bidBps: defaultBps,
    askBps: defaultBps,
    reasons: [`${why}: the fixed spread`],
    terms: [{ name: 'half-spread', bidBps: defaultBps, askBps: defaultBps }],
    fallback: `${why}: ${defaultBps} bps on both sides at any inventory`,
  }
}

/** Mean over the fills of both sides, at least 0: a gain must not make us quote below the model. */
function meanImpact({ bid, ask }: StrategyContext['markouts']): number {
  const fills = (bid?.fills ?? 0) + (ask?.fills ?? 0)
  if (fills === 0) return 0
  const sum = (bid?.fills ?? 0) * (bid?.impactBps ?? 0) + (ask?.fills ?? 0) * (ask?.impactBps ?? 0)
  return Math.max(0, sum / fills)
}

/** Relative to the target share of the value held; negative = too few. */
function dollarsTooMany({ inventory: { usd, target, totalTzs }, mid }: StrategyContext): number {
  return usd - (target * totalTzs) / mid
}

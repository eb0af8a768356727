import { z } from 'zod'
import {
  dealerGrid,
  type DealerMarket,
  hedgeThreshold,
  requestCost,
  stationaryValue,
  valueBefore,
} from '../../../models/dealer/dealer-control.ts'
import { bestQuote, type HitCurve, quadraticClosure } from '../../../../core/models/dealer/logistic-hits.ts'
import { defineDoor, real } from '../door.ts'

/** About five seconds of a core. */
const MAX_WORK = 2e6

const alpha = real(-100, 100, 'of the hit ratio 1 / (1 + exp(alpha + beta delta))')
const beta = real(1e-4, 1e4, 'of the hit ratio, per bps')
const lambdaPerDay = real(1e-6, 1e9, 'requests a day and side of this tier')

const params = z
  .strictObject({
    alpha: alpha.optional(),
    beta: beta.optional(),
    tiers: z
      .array(z.strictObject({ alpha, beta, lambdaPerDay: lambdaPerDay.optional() }))
      .min(1)
      .max(10)
      .optional()
      .describe('several tiers of clients instead of alpha and beta; the first one is shown'),
    lambdaPerDay: lambdaPerDay.describe('requests a day and side of each tier without its own, in all sizes'),
    sizes: z
      .array(z.number().min(1e-6).max(1e6))
      .min(1)
      .max(20)
      .describe('sizes of requests, multiples of the smallest'),
    weights: z.array(z.number().min(0).max(1)).min(1).max(20).describe('share of the requests of each size'),
    sigma: real(1e-3, 1e4, 'volatility of the mid, bps per square root of a day'),
    gamma: real(1e-9, 1e3, 'risk aversion, per bps and unit of size'),
    eta: real(1e-9, 1e3, 'quadratic cost of hedging, bps days per unit'),
    phi: real(0, 1e4, 'proportional cost of hedging, bps'),
    k: real(0, 1e3, 'permanent impact of hedging, bps per unit'),
    T: real(1e-6, 1e6, 'horizon, days; stationary without').optional(),
    Q: real(1e-6, 1e6, 'limit of the inventory to either side, units'),
  })
  .superRefine(({ alpha, beta, tiers, sizes, weights, Q }, context) => {
    const refuse = (path: (string | number)[], message: string) =>
      context.addIssue({ code: 'custom', path, message })
    if (tiers === undefined && alpha === undefined)
      refuse(['alpha'], 'missing; a number, or tiers instead of alpha and beta')
    if (tiers === undefined && beta === undefined)
      refuse(['beta'], 'missing; a number, or tiers instead of alpha and beta')
    if (tiers !== undefined && (alpha !== undefined || beta !== undefined))
      refuse(['tiers'], 'given together with alpha or beta; use either a list of tiers, or alpha and beta')
    if (sizes.length !== weights.length)
      refuse(['weights'], `${weights.length} for ${sizes.length} sizes; expected one for each size`)
    if (!weights.some((weight) => weight > 0)) refuse(['weights'], 'all 0; expected at least one above 0')
    const smallest = Math.min(...sizes)
    for (const [index, size] of sizes.entries())
      if (Math.abs(size / smallest - Math.round(size / smallest)) > 1e-9)
        refuse(['sizes', index], `not a multiple of the smallest size; expected a multiple of ${smallest}`)
    if (Q < 2 * smallest) refuse(['Q'], 'too small; must be at least twice the smallest size')
    const { reach, band } = dealerGrid({
      flows: sizes.map((size) => ({ curve: { alpha: 0, beta: 1 }, size, perDay: 0 })),
      limit: Q,
    })
    const answers = 20 * sizes.length * (tiers?.length ?? 1)
    if (reach * (band * band + answers) > MAX_WORK || reach > 5_000)
      refuse(['Q'], 'the grid is too fine; use a smaller Q or larger sizes')
  })

/** A dealer with logistic hit ratios who answers requests of several sizes and hedges outside. */
export const dealerDoor = defineDoor({
  name: 'dealer',
  summary: 'a dealer with logistic hit ratios: spread, hedge threshold, myopic quote, quadratic closure',
  source: 'Barzykin, Bergault, Gueant 2023',
  params,
  example:
    '{"tiers":[{"alpha":-0.3,"beta":5},{"alpha":-1.9,"beta":15}],"lambdaPerDay":1800,"sizes":[1,2,5,10,20,50],"weights":[0.4,0.25,0.19,0.1,0.05,0.01],"sigma":50,"gamma":0.002,"eta":1e-5,"phi":0.1,"k":0.005,"T":0.05,"Q":250}',
  figures: {
    'myopic.delta': 'best half-spread of a dealer without inventory cost, bps',
    'myopic.w': "Lambert's W of exp(-1 - alpha)",
    'myopic.hit': 'share of the requests that deal at it',
    'myopic.h': 'expected gain of a request, bps of its size',
    'hjb.spreadAtZero': 'bid-ask spread of the smallest size without inventory, bps',
    'hjb.hedgeThreshold':
      'smallest inventory that is hedged outside, units; null = no inventory within the limit is',
    'closure.a': 'slope of the quadratic closure, bps per unit',
    'tiers[].delta': 'as myopic, for each of several tiers',
    'tiers[].w': 'as myopic.w',
    'tiers[].hit': 'as myopic.hit',
    'tiers[].h': 'as myopic.h',
    'tiers[].spreadAtZero': 'as hjb.spreadAtZero',
  },
  run({ alpha = 0, beta = 1, tiers = [{ alpha, beta }], T, ...rest }, warn) {
    const market = marketOf(tiers, rest)
    const smallest = Math.min(...rest.sizes)
    const value = T === undefined ? stationaryValue(market) : valueBefore(market, T)
    const a = quadraticClosure(market.flows, rest.gamma, rest.sigma)
    if (value === null)
      warn('the HJB equation does not converge; its figures are those of the quadratic closure')
    const cost = (value === null ? null : requestCost(value, 0, smallest)) ?? (a * smallest) / 2
    const shown = tiers.map((tier) => {
      const { deltaBps, w, hit, gainBps } = bestQuote(tier, 0)
      return { delta: deltaBps, w, hit, h: gainBps, spreadAtZero: 2 * bestQuote(tier, cost).deltaBps }
    })
    const { spreadAtZero, ...myopic } = shown[0] ?? { spreadAtZero: 0 }
    const threshold = value === null ? closureThreshold(a, market) : hedgeThreshold(value, market.hedge)
    return {
      myopic,
      hjb: { spreadAtZero, hedgeThreshold: threshold },
      closure: { a },
      ...(tiers.length > 1 ? { tiers: shown } : {}),
      ...(value === null ? { fallback: 'quadratic closure' } : {}),
    }
  },
})

type Rest = Omit<z.output<typeof params>, 'alpha' | 'beta' | 'tiers' | 'T'>

type Tier = HitCurve & { readonly lambdaPerDay?: number | undefined }

function marketOf(tiers: readonly Tier[], rest: Rest): DealerMarket {
  const { sizes, weights, sigma, gamma, eta, phi, k, Q } = rest
  return {
    flows: tiers.flatMap(({ lambdaPerDay = rest.lambdaPerDay, ...curve }) =>
      sizes.map((size, index) => ({ curve, size, perDay: lambdaPerDay * (weights[index] ?? 0) })),
    ),
    limit: Q,
    sigmaBps: sigma,
    riskAversion: gamma,
    hedge: { eta, phi, impact: k },
  }
}

/** Returns the inventory where theta' + impact q = phi under theta = -a q^2 / 2; null = beyond the limit. */
function closureThreshold(a: number, { hedge, limit }: DealerMarket): number | null {
  const threshold = hedge.phi / Math.abs(hedge.impact - a)
  return threshold <= limit ? threshold : null
}

import { z } from 'zod'
import { glftRule, glftSpreads } from '../../../../core/models/glft.ts'
import { glftExact, glftStationary } from '../../../models/quotes/glft-exact.ts'
import { defineDoor, real, whole } from '../door.ts'
import { sizedQuotes } from '../../../models/quotes/sized-quotes.ts'
import { posteriorSpread } from '../../../models/quotes/posterior-spread.ts'

/** Beyond it the remaining share of fills, exp(-k adverseBps / 2), is below the range of a float64. */
const MOST_ADVERSE = 1_000

/** Optimal quotes under an inventory limit: exact at the start of a horizon, and the closed form. */
export const glftDoor = defineDoor({
  name: 'glft',
  summary: 'optimal quotes under an inventory limit, exact at the start of a horizon and in closed form',
  source: 'Gueant, Lehalle, Fernandez-Tapia 2013',
  params: z
    .strictObject({
      sigma: real(1e-6, 1e6, 'volatility of the mid, bps per square root of a day'),
      A: real(1e-9, 1e9, 'fills per day and side at no spread, one lot each'),
      k: real(1e-6, 1e6, 'decay of the fills, per bps of half-spread'),
      gamma: real(1e-9, 1e6, 'risk aversion, per bps and lot'),
      T: real(0, 1e9, 'horizon, days'),
      Q: whole(1, 100, 'limit of the inventory to either side, lots'),
      q: z
        .array(z.int().min(-100).max(100))
        .min(1)
        .max(201)
        .default([0])
        .describe('inventories to quote at, lots'),
      driftBpsPerDay: real(-1e6, 1e6, 'drift of the mid, bps a day').default(0),
      adverseBps: real(0, 1e4, 'move of the mid against us at each fill, bps').default(0),
    })
    .refine(({ k, adverseBps }) => k * adverseBps <= MOST_ADVERSE, {
      path: ['adverseBps'],
      message: `leaves no fill that pays; must be at most ${MOST_ADVERSE} / k`,
    })
    .superRefine(({ q, Q }, context) => {
      for (const [index, lots] of q.entries())
        if (Math.abs(lots) > Q)
          context.addIssue({
            code: 'custom',
            path: ['q', index],
            message: `beyond the limit; must be from ${-Q} to ${Q}`,
          })
    }),
  example: '{"sigma":0.3,"A":0.9,"k":0.3,"gamma":0.01,"T":600,"Q":30,"q":[0,1,5,10]}',
  figures: {
    base: "half-spread without inventory, before half a lot's skew, bps",
    c: 'move of both quotes per lot, bps',
    stationarySd: 'standard deviation of the inventory in the long run under the exact quotes, lots',
    'exact[].q': 'inventory, lots',
    'exact[].bid':
      "distance below the mid at which dollars are bought at the start of the horizon, bps: the venue's askBps; null at the limit",
    'exact[].ask':
      "distance above the mid at which they are sold, bps: the venue's bidBps; null at the limit",
    'closed[].q': 'the same inventories',
    'closed[].bid': 'as exact[].bid, by the closed form',
    'closed[].ask': 'as exact[].ask, by the closed form',
  },
  run({ sigma, A, k, gamma, T, Q, q, driftBpsPerDay, adverseBps }, warn) {
    const market = { a: A, k, sigmaBps: sigma, riskAversion: gamma, driftBpsPerDay, adverseBps, limitLots: Q }
    const rule = glftRule(market)
    const closed = q.map((lots) => {
      const { buyBps, sellBps } = glftSpreads(rule, lots)
      return { q: lots, bid: lots === Q ? null : buyBps, ask: lots === -Q ? null : sellBps }
    })
    const figures = { base: rule.baseBps, c: rule.skewBpsPerLot, stationarySd: glftStationary(market).sdLots }
    const found = glftExact(market, T)
    if (found === null) {
      warn('the exact solution spans more than a float64 holds; its quotes are those of the closed form')
      return { ...figures, exact: closed, closed, fallback: 'closed form' }
    }
    const exact = q.map((lots) => ({ q: lots, bid: found.buyBps(lots), ask: found.sellBps(lots) }))
    return { ...figures, exact, closed }
  },
})

/** Half-spread and skew for trades of one size, under exponential utility or a running penalty. */
export const glftSizeDoor = defineDoor({
  name: 'glft-size',
  summary: 'half-spread and skew of the closed form for trades of one size',
  source: 'Gueant 2017, models A and B',
  params: z.strictObject({
    A: real(1e-9, 1e12, 'fills per day and side at no spread'),
    k: real(1e-9, 1e6, 'decay of the fills, per bps of half-spread'),
    gamma: real(1e-12, 1e6, 'risk aversion, per bps and unit of inventory'),
    delta: real(1e-9, 1e9, 'size of a trade, in units of inventory').default(1),
    sigma: real(0, 1e6, 'volatility of the mid, bps per square root of a day'),
    xi: real(
      0,
      1e6,
      'aversion to the scatter of fills, per bps and unit: gamma is model A and the default, 0 is model B',
    ).optional(),
  }),
  example: '{"A":2.986162360812285,"k":0.04235741115084049,"gamma":0.05,"delta":1,"sigma":10.69}',
  figures: {
    halfSpread: 'half-spread without inventory, bps',
    skew: 'move of both quotes per unit of inventory, bps',
  },
  run({ A, k, gamma, delta, sigma, xi = gamma }) {
    const market = { a: A, k, sigmaBps: sigma, riskAversion: gamma, size: delta, fillAversion: xi }
    const { halfSpreadBps, skewBpsPerUnit } = sizedQuotes(market)
    return { halfSpread: halfSpreadBps, skew: skewBpsPerUnit }
  },
})

/**
 * The half-spread under uncertainty about the decay of fills, which a calibration over a short tape should quote. For
 * alpha of at most 1 the mean value has no maximum.
 */
export const posteriorSpreadDoor = defineDoor({
  name: 'posterior-spread',
  summary: 'the best half-spread when only a gamma law of the decay k of the fills is known',
  source: 'the Laplace transform of the gamma law',
  params: z.strictObject({
    alpha: real(1.001, 1e9, 'shape of the gamma law of k, above 1'),
    beta: real(1e-6, 1e12, 'rate of the gamma law of k, bps; the mean of k is alpha / beta'),
    cost: real(0, 1e6, 'cost of a fill, bps'),
  }),
  example: '{"alpha":4,"beta":240,"cost":20}',
  figures: {
    bps: 'best half-spread on average over the law, bps',
    plugIn: 'cost + 1 / E[k], which ignores the uncertainty, bps',
    plugInKeeps: 'share of the best value that the plug-in earns',
  },
  run({ alpha, beta, cost }) {
    const { bps, plugInBps, plugInKeeps } = posteriorSpread({ alpha, beta }, cost)
    return { bps, plugIn: plugInBps, plugInKeeps }
  },
})

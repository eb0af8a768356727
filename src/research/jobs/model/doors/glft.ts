import { z } from 'zod'
import { glftRule, glftSpreads } from '../../../../core/models/glft.ts'
import { glftExact, glftStationary } from '../../../models/quotes/glft-exact.ts'
import { defineDoor } from '../door.ts'

/** Beyond it the fills that are left, exp(-k adverseBps / 2) of all, are below what a float64 holds. */
const MOST_ADVERSE = 1_000

/** Optimal quotes under an inventory limit: exact at the start of a horizon, and the closed form. */
export const glftDoor = defineDoor({
  name: 'glft',
  summary: 'optimal quotes under an inventory limit, exact at the start of a horizon and in closed form',
  source: 'Gueant, Lehalle, Fernandez-Tapia 2013',
  params: z
    .strictObject({
      sigma: z.number().min(1e-6).max(1e6).describe('volatility of the mid, bps per square root of a day'),
      A: z.number().min(1e-9).max(1e9).describe('fills per day and side at no spread, one lot each'),
      k: z.number().min(1e-6).max(1e6).describe('decay of the fills, per bps of half-spread'),
      gamma: z.number().min(1e-9).max(1e6).describe('risk aversion, per bps and lot'),
      T: z.number().min(0).max(1e9).describe('horizon, days'),
      Q: z.int().min(1).max(100).describe('limit of the inventory to either side, lots'),
      q: z
        .array(z.int().min(-100).max(100))
        .min(1)
        .max(201)
        .default([0])
        .describe('inventories to quote at, lots'),
      driftBpsPerDay: z.number().min(-1e6).max(1e6).default(0).describe('drift of the mid, bps a day'),
      adverseBps: z
        .number()
        .min(0)
        .max(1e4)
        .default(0)
        .describe('what the mid moves against us at each fill, bps'),
    })
    .refine(({ k, adverseBps }) => k * adverseBps <= MOST_ADVERSE, {
      path: ['adverseBps'],
      message: `leaves no fill that pays; at most ${MOST_ADVERSE} / k would be right`,
    })
    .superRefine(({ q, Q }, context) => {
      for (const [index, lots] of q.entries())
        if (Math.abs(lots) > Q)
          context.addIssue({
            code: 'custom',
            path: ['q', index],
            message: `beyond the limit; from ${-Q} to ${Q} would be right`,
          })
    }),
  example: '{"sigma":0.3,"A":0.9,"k":0.3,"gamma":0.01,"T":600,"Q":30,"q":[0,1,5,10]}',
  figures: {
    base: "half-spread without inventory, before half a lot's skew, bps",
    c: 'how far one lot moves both quotes, bps',
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

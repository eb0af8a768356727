import { z } from 'zod'
import { sizedQuotes } from '../../../models/quotes/sized-quotes.ts'
import { defineDoor } from '../door.ts'

/** Half-spread and skew for trades of one size, under exponential utility or a running penalty. */
export const glftSizeDoor = defineDoor({
  name: 'glft-size',
  summary: 'half-spread and skew of the closed form for trades of one size',
  source: 'Gueant 2017, models A and B',
  params: z.strictObject({
    A: z.number().min(1e-9).max(1e12).describe('fills per day and side at no spread'),
    k: z.number().min(1e-9).max(1e6).describe('decay of the fills, per bps of half-spread'),
    gamma: z.number().min(1e-12).max(1e6).describe('risk aversion, per bps and unit of inventory'),
    delta: z.number().min(1e-9).max(1e9).default(1).describe('size of a trade, in units of inventory'),
    sigma: z.number().min(0).max(1e6).describe('volatility of the mid, bps per square root of a day'),
    xi: z
      .number()
      .min(0)
      .max(1e6)
      .optional()
      .describe(
        'aversion to the scatter of fills, per bps and unit: gamma is model A and the default, 0 is model B',
      ),
  }),
  example: '{"A":2.986162360812285,"k":0.04235741115084049,"gamma":0.05,"delta":1,"sigma":10.69}',
  figures: {
    halfSpread: 'half-spread without inventory, bps',
    skew: 'how far a unit of inventory moves both quotes, bps',
  },
  run({ A, k, gamma, delta, sigma, xi = gamma }) {
    const market = { a: A, k, sigmaBps: sigma, riskAversion: gamma, size: delta, fillAversion: xi }
    const { halfSpreadBps, skewBpsPerUnit } = sizedQuotes(market)
    return { halfSpread: halfSpreadBps, skew: skewBpsPerUnit }
  },
})

import { z } from 'zod'
import { posteriorSpread } from '../../../models/quotes/posterior-spread.ts'
import { defineDoor } from '../door.ts'

/**
 * The half-spread under doubt about how fast fills decay: what a calibration over a short tape should quote.
 * At alpha of 1 and below the mean of the value has no maximum.
 */
export const posteriorSpreadDoor = defineDoor({
  name: 'posterior-spread',
  summary: 'the best half-spread when the decay k of the fills is known by a gamma law only',
  source: 'the Laplace transform of the gamma law',
  params: z.strictObject({
    alpha: z.number().min(1.001).max(1e9).describe('shape of the gamma law of k, above 1'),
    beta: z
      .number()
      .min(1e-6)
      .max(1e12)
      .describe('rate of the gamma law of k, bps; the mean of k is alpha / beta'),
    cost: z.number().min(0).max(1e6).describe('what a fill costs, bps'),
  }),
  example: '{"alpha":4,"beta":240,"cost":20}',
  figures: {
    bps: 'best half-spread on average over the doubt, bps',
    plugIn: 'cost + 1 / E[k], which ignores the doubt, bps',
    plugInKeeps: 'share of the best value that the plug-in earns',
  },
  run({ alpha, beta, cost }) {
    const { bps, plugInBps, plugInKeeps } = posteriorSpread({ alpha, beta }, cost)
    return { bps, plugIn: plugInBps, plugInKeeps }
  },
})

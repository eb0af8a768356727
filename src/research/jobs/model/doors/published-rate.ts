import { z } from 'zod'
import { fitPublishedRate, publishedStepMoments } from '../../../models/fair-value/published-steps.ts'
import { defineDoor } from '../door.ts'

/** How a published rate follows the true one: its steps from three figures, or the figures from its steps. */
export const publishedRateDoor = defineDoor({
  name: 'published-rate',
  summary: 'the steps of a published rate from sigma, kappa and noise, or these three fitted to steps',
  source: 'moments of a smoothed daily mean; fit by the likelihood of Whittle 1953',
  params: z
    .strictObject({
      sigma: z
        .number()
        .min(0)
        .max(1e4)
        .optional()
        .describe('volatility of the true rate, bps per square root of a working day'),
      kappa: z.number().min(0.01).max(1).optional().describe('share of the distance that an update closes'),
      noise: z
        .number()
        .min(0)
        .max(1e4)
        .optional()
        .describe('standard deviation of what rounding adds to an update, bps'),
      steps: z
        .array(z.number().min(-1e5).max(1e5))
        .min(20)
        .max(5_000)
        .optional()
        .describe('steps from update to update to fit instead, bps'),
    })
    .superRefine(({ sigma, kappa, noise, steps }, context) => {
      const given = [sigma, kappa, noise].filter((figure) => figure !== undefined).length
      if (given === (steps === undefined ? 3 : 0)) return
      const message = 'either sigma, kappa and noise, or steps alone, would be right'
      context.addIssue({ code: 'custom', path: [], message })
    }),
  example: '{"sigma":21.3,"kappa":0.65,"noise":7}',
  figures: {
    sd: 'standard deviation of a step from update to update, bps; with steps the answer is fit instead',
    autocorrelation: 'correlation of neighbouring steps',
  },
  run({ sigma = 0, kappa = 1, noise = 0, steps }, warn) {
    if (steps === undefined) return publishedStepMoments({ sigma, kappa, noise })
    const fit = fitPublishedRate(steps)
    if (fit === null) warn('the steps do not scatter: nothing can be fitted')
    return { fit }
  },
})

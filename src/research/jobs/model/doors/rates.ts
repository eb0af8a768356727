import { z } from 'zod'
import { conditionGap } from '../../../models/fair-value/fair-value.ts'
import { defineDoor, real } from '../door.ts'
import { fitPublishedRate, publishedStepMoments } from '../../../models/fair-value/published-steps.ts'

const value = () => z.number().min(-1e5).max(1e5)
const time = () => z.number().min(-1e4).max(1e4)

/** The gap between fair value and mid, from sources with errors, in any order of arrival. */
export const fairValueDoor = defineDoor({
  name: 'fair-value',
  summary: 'the gap between fair value and mid and its error, from readings in any order of arrival',
  source: 'Kalman 1960, with later readings as Rauch, Tung, Striebel 1965',
  params: z.strictObject({
    sigma: real(0, 1e4, 'volatility of the fair value, bps per square root of a day'),
    prior: z
      .strictObject({
        mean: value().describe('bps'),
        sd: real(0, 1e5, 'bps'),
      })
      .describe('the estimate of the gap at t = 0'),
    readings: z
      .array(
        z.strictObject({
          t: time().describe('the time that it describes, days'),
          value: value().describe('bps'),
          sd: real(1e-6, 1e5, 'standard deviation of its error, bps'),
        }),
      )
      .max(1e5)
      .default([])
      .describe('readings of the gap from sources'),
    at: time().describe('the time of the estimate, days'),
  }),
  example:
    '{"sigma":24,"prior":{"mean":0,"sd":15},"readings":[{"t":0.25,"value":40,"sd":30},{"t":0.5,"value":62,"sd":20}],"at":1}',
  figures: {
    ghat: 'estimated gap between fair value and mid, bps',
    tau: 'standard deviation of its error, bps',
  },
  run({ sigma, prior, readings, at }) {
    const { mean, variance } = conditionGap(
      { sigma, prior: { mean: prior.mean, variance: prior.sd ** 2 }, at },
      readings,
    )
    return { ghat: mean, tau: Math.sqrt(variance) }
  },
})

/** Steps of a published rate that follows the true one, from three parameters; or the parameters from the steps. */
export const publishedRateDoor = defineDoor({
  name: 'published-rate',
  summary: 'the steps of a published rate from sigma, kappa and noise, or these three fitted to steps',
  source: 'moments of a smoothed daily mean; fit by the likelihood of Whittle 1953',
  params: z
    .strictObject({
      sigma: real(0, 1e4, 'volatility of the true rate, bps per square root of a working day').optional(),
      kappa: real(0.01, 1, 'share of the distance that an update closes').optional(),
      noise: real(0, 1e4, 'standard deviation of the rounding noise of an update, bps').optional(),
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
      const message = 'expected either sigma, kappa and noise, or steps alone'
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
    if (fit === null) warn('the steps are all equal, so no parameters can be fitted')
    return { fit }
  },
})

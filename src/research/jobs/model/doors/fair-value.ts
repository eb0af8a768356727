import { z } from 'zod'
import { conditionGap } from '../../../models/fair-value/fair-value.ts'
import { defineDoor } from '../door.ts'

const value = () => z.number().min(-1e5).max(1e5)
const time = () => z.number().min(-1e4).max(1e4)

/** The gap between fair value and mid, from sources with errors, in any order of arrival. */
export const fairValueDoor = defineDoor({
  name: 'fair-value',
  summary: 'the gap between fair value and mid and its error, from readings in any order of arrival',
  source: 'Kalman 1960, with later readings as Rauch, Tung, Striebel 1965',
  params: z.strictObject({
    sigma: z.number().min(0).max(1e4).describe('volatility of the fair value, bps per square root of a day'),
    prior: z
      .strictObject({
        mean: value().describe('bps'),
        sd: z.number().min(0).max(1e5).describe('bps'),
      })
      .describe('what is known of the gap at t = 0'),
    readings: z
      .array(
        z.strictObject({
          t: time().describe('the time that it describes, days'),
          value: value().describe('bps'),
          sd: z.number().min(1e-6).max(1e5).describe('standard deviation of its error, bps'),
        }),
      )
      .max(1e5)
      .default([])
      .describe('what sources show of the gap'),
    at: time().describe('the time that is asked for, days'),
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

import { z } from 'zod'
import { deflatedSharpe, expectedMaximumSharpe } from '../../../models/sharpe.ts'
import { defineDoor } from '../door.ts'

/** A Sharpe ratio after the luck of the best of all variants that were tried. */
export const deflatedSharpeDoor = defineDoor({
  name: 'deflated-sharpe',
  summary: 'the probability that a Sharpe ratio is more than the luck of the best of all trials',
  source: 'Bailey, Lopez de Prado 2014; error of Lo 2002 and Mertens 2002',
  params: z
    .strictObject({
      sharpe: z.number().min(-1e3).max(1e3).describe('the Sharpe ratio, a year'),
      periodsPerYear: z.number().min(1).max(1e6).describe('how many returns there are a year'),
      n: z.int().min(2).max(1e9).describe('how many returns were seen'),
      skew: z.number().min(-100).max(100).default(0).describe('skewness of the returns'),
      kurtosis: z.number().min(1).max(1e5).default(3).describe('full kurtosis of the returns, 3 = normal'),
      trialVariance: z
        .number()
        .min(0)
        .max(1e6)
        .describe('variance of the Sharpe ratios of all trials, per year'),
      trials: z.int().min(1).max(1e12).describe('how many variants were tried, this one included'),
    })
    .refine(({ skew, kurtosis }) => kurtosis >= 1 + skew * skew, {
      path: ['kurtosis'],
      message: 'no distribution has this; at least 1 + skew^2 would be right',
    }),
  example:
    '{"sharpe":2.5,"periodsPerYear":250,"n":1250,"skew":-3,"kurtosis":10,"trialVariance":0.5,"trials":100}',
  figures: {
    sr0: 'Sharpe ratio that the best of as many worthless trials is expected to show, per period',
    dsr: 'probability that the true Sharpe ratio is above it',
  },
  run({ sharpe, periodsPerYear, n, skew, kurtosis, trialVariance, trials }) {
    const tried = { count: trials, varianceOfSharpe: trialVariance / periodsPerYear }
    const sample = { perDay: sharpe / Math.sqrt(periodsPerYear), days: n, skewness: skew, kurtosis }
    return { sr0: expectedMaximumSharpe(tried), dsr: deflatedSharpe(sample, tried) }
  },
})

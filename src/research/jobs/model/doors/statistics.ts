import { z } from 'zod'
import { flipTests } from '../../../models/statistics/sign-flips.ts'
import { defineDoor, whole, real } from '../door.ts'
import { deflatedSharpe, expectedMaximumSharpe } from '../../../models/sharpe.ts'

/** About five seconds of a core beyond the exact flips. */
const MAX_VALUES = 20_000

/** Significance of paired differences, each alone and all together. */
export const compareDoor = defineDoor({
  name: 'compare',
  summary:
    'test paired differences by sign flips: alone, and adjusted for all columns by the step-down maximum',
  source: 'Fisher 1935; Westfall, Young 1993',
  params: z
    .strictObject({
      differences: z
        .record(z.string().min(1).max(100), z.array(z.number().min(-1e100).max(1e100)).min(2).max(10_000))
        .describe('by name: the differences to a reference, one per seed, the same seeds in each'),
      seed: whole(0, 2_147_483_647, 'seed of the drawn flips beyond 12 seeds').default(1),
    })
    .superRefine(({ differences }, context) => {
      const [first, ...others] = Object.entries(differences)
      const refuse = (path: string[], message: string) =>
        context.addIssue({ code: 'custom', path: ['differences', ...path], message })
      if (first === undefined) return refuse([], 'empty; expected at least one name with its differences')
      for (const [name, { length }] of others)
        if (length !== first[1].length)
          refuse(
            [name],
            `${length} seeds where ${first[0]} has ${first[1].length}; expected the same seeds for every name`,
          )
      if ((others.length + 1) * first[1].length > MAX_VALUES)
        refuse([], `too many values; expected at most ${MAX_VALUES} in all`)
    }),
  example:
    '{"differences":{"A":[120,80,-30,150,60,90,10,140],"B":[40,-20,70,10,-50,90,30,20],"C":[-60,30,-10,20,-40,10,-30,0]}}',
  figures: {
    '*.t': 'mean over its standard error; null = the differences are all equal',
    '*.p': 'two-sided, of this name alone: the share of sign flips with at least this |t|',
    '*.stepdown': 'two-sided, adjusted for all names',
  },
  run({ differences, seed }) {
    const names = Object.keys(differences)
    const tests = flipTests(Object.values(differences), seed)
    return Object.fromEntries(names.map((name, index) => [name, tests[index]]))
  },
})

/** A Sharpe ratio, corrected for choosing the best of all tried variants. */
export const deflatedSharpeDoor = defineDoor({
  name: 'deflated-sharpe',
  summary: 'the probability that a Sharpe ratio exceeds the expected luck of the best of all trials',
  source: 'Bailey, Lopez de Prado 2014; error of Lo 2002 and Mertens 2002',
  params: z
    .strictObject({
      sharpe: real(-1e3, 1e3, 'the Sharpe ratio, a year'),
      periodsPerYear: real(1, 1e6, 'returns per year'),
      n: whole(2, 1e9, 'number of returns'),
      skew: real(-100, 100, 'skewness of the returns').default(0),
      kurtosis: real(1, 1e5, 'full kurtosis of the returns, 3 = normal').default(3),
      trialVariance: real(0, 1e6, 'variance of the Sharpe ratios of all trials, per year'),
      trials: whole(1, 1e12, 'number of variants tried, including this one'),
    })
    .refine(({ skew, kurtosis }) => kurtosis >= 1 + skew * skew, {
      path: ['kurtosis'],
      message: 'no distribution has this; must be at least 1 + skew^2',
    }),
  example:
    '{"sharpe":2.5,"periodsPerYear":250,"n":1250,"skew":-3,"kurtosis":10,"trialVariance":0.5,"trials":100}',
  figures: {
    sr0: 'expected Sharpe ratio of the best of as many worthless trials, per period',
    dsr: 'probability that the true Sharpe ratio is above it',
  },
  run({ sharpe, periodsPerYear, n, skew, kurtosis, trialVariance, trials }) {
    const tried = { count: trials, varianceOfSharpe: trialVariance / periodsPerYear }
    const sample = { perDay: sharpe / Math.sqrt(periodsPerYear), days: n, skewness: skew, kurtosis }
    return { sr0: expectedMaximumSharpe(tried), dsr: deflatedSharpe(sample, tried) }
  },
})

import { z } from 'zod'
import { flipTests } from '../../../models/statistics/sign-flips.ts'
import { defineDoor } from '../door.ts'

/** About five seconds of a core beyond the exact flips. */
const MAX_VALUES = 20_000

/** Whether paired differences are more than chance, each alone and all together. */
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
      seed: z.int().min(0).max(2_147_483_647).default(1).describe('seed of the drawn flips beyond 12 seeds'),
    })
    .superRefine(({ differences }, context) => {
      const [first, ...others] = Object.entries(differences)
      const refuse = (path: string[], message: string) =>
        context.addIssue({ code: 'custom', path: ['differences', ...path], message })
      if (first === undefined)
        return refuse([], 'empty; at least one name with its differences would be right')
      for (const [name, { length }] of others)
        if (length !== first[1].length)
          refuse(
            [name],
            `${length} seeds where ${first[0]} has ${first[1].length}; the same seeds in each would be right`,
          )
      if ((others.length + 1) * first[1].length > MAX_VALUES)
        refuse([], `too many values; at most ${MAX_VALUES} in all would be right`)
    }),
  example:
    '{"differences":{"A":[120,80,-30,150,60,90,10,140],"B":[40,-20,70,10,-50,90,30,20],"C":[-60,30,-10,20,-40,10,-30,0]}}',
  figures: {
    '*.t': 'mean over its standard error; null where the differences do not scatter',
    '*.p': 'two-sided, of this name alone: the share of sign flips with at least this |t|',
    '*.stepdown': 'two-sided, adjusted for all names',
  },
  run({ differences, seed }) {
    const names = Object.keys(differences)
    const tests = flipTests(Object.values(differences), seed)
    return Object.fromEntries(names.map((name, index) => [name, tests[index]]))
  },
})

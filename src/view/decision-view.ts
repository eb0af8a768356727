import { z } from 'zod'
import { ms, type Shown } from './fields.ts'

const input = z.enum([
  'time',
  'mid',
  'fairValue',
  'inventory',
  'fills',
  'competition',
  'standing',
  'fee',
  'promisable',
  'markouts',
])

/** Why the strategy was asked last, and why it has not been asked since. */
export const decisionSchema = z
  .object({
    askedAt: ms,
    cause: z
      .enum(['start', 'rate', 'fill', 'competition', 'balances', 'timer', 'params'])
      .describe('What asked for that decision.'),
    changed: z
      .enum([...input.options, 'memory', 'configuration', 'first'])
      .describe(
        'Why the strategy was asked: the first input it had read that had changed, its memory, the configuration, or that it was the first time.',
      ),
    inputs: z
      .array(input)
      .describe('What the strategy read when it was asked; `time` is everything that the clock changes.'),
    unaskedSince: z
      .int()
      .describe('Decisions since then that kept its answer, because none of these inputs had changed.'),
  })
  .describe(
    'The last question to the strategy. It is not journalled, so it begins anew with the process. Null: the strategy has not been asked yet, or no daemon runs.',
  )
export type DecisionView = Shown<z.infer<typeof decisionSchema>>

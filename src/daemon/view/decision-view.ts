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
  'available',
  'markouts',
  'feeds',
  'data',
])

/** When and why the strategy was last asked, and its inputs. */
export const decisionSchema = z
  .object({
    askedAt: ms,
    cause: z
      .enum(['start', 'rate', 'fill', 'competition', 'balances', 'timer', 'params'])
      .describe('The cause of that decision.'),
    inputs: z
      .array(input)
      .describe('The inputs that the strategy read; `time` covers everything that changes with the clock.'),
  })
  .describe(
    'When and why the strategy was last asked, by this process. Null: it has not been asked yet, or no daemon runs.',
  )
export type DecisionView = Shown<z.infer<typeof decisionSchema>>

import { z } from 'zod'
import type { StrategyContext } from '../../src/strategy/context.ts'
import {
  defineStrategy,
  type LoadedStrategy,
  type StrategyDefinition,
  type StrategyQuote,
} from '../../src/strategy/define-strategy.ts'

/** A strategy that is just this function. */
export function testStrategy(
  quote: (context: StrategyContext) => StrategyQuote = () => ({ bidBps: 60, askBps: 60, because: ['test'] }),
): LoadedStrategy {
  const definition = defineStrategy({
    name: 'test',
    params: z.unknown(),
    init: () => ({}),
    quote: (context) => quote(context),
  })
  return {
    use: 'test',
    definition: definition as StrategyDefinition<unknown, unknown>,
    params: {},
    inner: {},
    sourceHash: 'test',
  }
}

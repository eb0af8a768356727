import { z } from 'zod'
import type { StrategyContext } from '../../src/core/strategy/context.ts'
import {
  defineStrategy,
  type LoadedStrategy,
  type StrategyDefinition,
  type StrategyQuote,
} from '../../src/core/strategy/define-strategy.ts'

type Quote = (context: StrategyContext) => StrategyQuote
const plain: Quote = () => ({ bidBps: 60, askBps: 60, reasons: ['test'] })

/** A strategy that is just this function, which may answer from what its test changes: it is asked at every decision. */
export function testStrategy(quote: Quote = plain): LoadedStrategy {
  return pureStrategy((context) => {
    void context.now
    return quote(context)
  })
}

/** A strategy that is just this function of what it reads, as every strategy of a user is: it is asked when that changes. */
export function pureStrategy(quote: Quote): LoadedStrategy {
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

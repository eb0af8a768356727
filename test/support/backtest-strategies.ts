import { z } from 'zod'
import type { StrategyContext } from '../../src/core/strategy/context.ts'
import {
  defineStrategy,
  type LoadedStrategy,
  type StrategyDefinition,
  type StrategyQuote,
} from '../../src/core/strategy/define-strategy.ts'
import { pureStrategy } from './test-strategy.ts'
import { worldStrategy } from './world-strategies.ts'

const both = (bps: number, why: string): StrategyQuote => ({ bidBps: bps, askBps: bps, reasons: [why] })

/** A strategy of its own state, as a test wants it. */
export function statefulStrategy<State>(
  init: () => State,
  quote: (context: StrategyContext, state: State) => StrategyQuote,
): LoadedStrategy {
  const definition = defineStrategy({
    name: 'stateful',
    params: z.unknown(),
    init,
    quote: (context, state) => quote(context, state),
  })
  return {
    use: 'stateful',
    definition: definition as StrategyDefinition<unknown, unknown>,
    params: {},
    inner: {},
    sourceHash: 'stateful',
  }
}

/** The same strategy; each time it is asked, `asked` learns of its answer. */
export function observedStrategy(
  strategy: LoadedStrategy,
  asked: (quote: StrategyQuote, context: StrategyContext) => void,
): LoadedStrategy {
  const { definition } = strategy
  return {
    ...strategy,
    definition: {
      ...definition,
      quote(context, state, params, inner) {
        const quote = definition.quote(context, state, params, inner)
        asked(quote, context)
        return quote
      },
    },
  }
}

const skewed = { halfSpreadBps: 60, maxSkewBps: 200, offBeyond: 0.3 }

/** Strategies that look at different things, each built anew: their answers tell whether they were asked. */
export const WATCHERS: Readonly<Record<string, () => LoadedStrategy>> = {
  'fixed-spread': () => worldStrategy({ use: 'fixed-spread', params: { bidBps: 55, askBps: 65 } }),
  'inventory-skew': () => worldStrategy({ use: 'inventory-skew', params: skewed }),
  schedule: () =>
    worldStrategy({
      use: 'schedule',
      params: {
        strategy: { use: 'inventory-skew', params: skewed },
        timezone: 'Africa/Dar_es_Salaam',
        windows: [
          { name: 'every quarter', cron: '*/15 * * * *', params: { halfSpreadBps: 120 } },
          { name: 'off', cron: '7-9 * * * *', off: true },
          { name: 'fixed', cron: '20-29 * * * *', use: 'fixed-spread', params: { bidBps: 33, askBps: 44 } },
        ],
      },
    }),
  /** Follows the best of both sides: it sees its own quote in the mirror. */
  'looks at the competition': () =>
    pureStrategy(({ competition: { bid, ask } }) => ({
      bidBps: (bid?.bestBps ?? 80) - 3,
      askBps: (ask?.bestBps ?? 80) + 3,
      reasons: ['a step beside the best'],
    })),
  'looks at the age of the competition': () =>
    pureStrategy(({ competition: { ask } }) => both(ask !== null && ask.ageMs > 60_000 ? 90 : 50, 'age')),
  'looks at its fills': () => pureStrategy(({ recentFills }) => both(30 + 4 * recentFills.length, 'fills')),
  /** Each update settles the fills before it, a moment later. */
  'looks at its markouts': () =>
    pureStrategy(({ markouts: { bid, ask } }) => {
      const wide = (impactBps = 0) => 50 + Math.min(90, Math.round(Math.abs(impactBps)))
      return { bidBps: wide(bid?.impactBps), askBps: wide(ask?.impactBps), reasons: ['markouts'] }
    }),
  'looks at what stands': () =>
    pureStrategy(({ standing: { bidBps } }) => both(bidBps === 40 ? 50 : 40, 'the other one')),
  'looks at the fair value': () =>
    pureStrategy(({ fairValue, mid }) => both(60 + 1e4 * Math.abs(fairValue.tzsPerUsd / mid - 1), 'far')),
  'looks at the clock': () =>
    pureStrategy(({ now }) => both(40 + (Math.floor(now / 60_000) % 10) * 5, 'minutes')),
  'looks at the age of the mid': () =>
    pureStrategy(({ midAgeMs }) => both(midAgeMs === null || midAgeMs > 4_000_000 ? 140 : 45, 'age')),
  'looks at the cause': () =>
    pureStrategy(({ cause }) => both(cause === 'fill' ? 100 : cause === 'timer' ? 60 : 80, cause)),
  'counts how often it was asked': () =>
    statefulStrategy(
      () => ({ asked: 0 }),
      (_context, state) => {
        state.asked += 1
        return both(40 + (state.asked % 50) * 5, 'counted')
      },
    ),
  'keeps a list': () =>
    statefulStrategy(
      () => ({ seen: [] as number[] }),
      (_context, state) => {
        // Fifty are enough to be a list, and cheap to copy.
        if (state.seen.length === 50) state.seen = []
        state.seen.push(1)
        return both(40 + (state.seen.length % 50) * 5, 'listed')
      },
    ),
  /** Remembers only what news bring: asked again in quiet time it would change nothing. */
  'remembers the highest mid': () =>
    statefulStrategy(
      () => ({ highest: 0 }),
      ({ mid }, state) => {
        state.highest = Math.max(state.highest, mid)
        return both(40 + 1e4 * (1 - mid / state.highest), 'below the peak')
      },
    ),
}

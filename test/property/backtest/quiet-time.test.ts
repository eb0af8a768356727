import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { partsOf, sourceOf, type Trial } from '../../support/backtest-tape.ts'
import { WATCHERS } from '../../support/backtest-strategies.ts'
import { runOnNews, runPolled, SLOW_POLLS } from '../../support/polled-core.ts'
import { coreConfig } from '../../support/core-config.ts'
import { happenings, tapeOf } from './any-tape.ts'

const { quote, risk } = coreConfig()
const trials: Readonly<Record<string, Trial['core']>> = {
  'without limits': SLOW_POLLS,
  'with limits that pass with time, and a dither': {
    ...SLOW_POLLS,
    risk: { ...risk, maxMidAgeMs: 5_400_000, maxFillsPerMinute: 1 },
    quote: { ...quote, ditherBps: 9, ditherPeriodMs: 600_000 },
  },
}

describe('a core that receives only changes returns the same targets as a core that polls', () => {
  for (const [name, strategyOf] of Object.entries(WATCHERS)) {
    test(name, async () => {
      let writes = 0
      await fc.assert(
        fc.asyncProperty(
          happenings(900_000, 12),
          fc.constantFrom(...Object.keys(trials)),
          async (list, trial) => {
            const core = trials[trial] ?? {}
            const source = sourceOf(tapeOf(list))
            const polled = await runPolled(partsOf(source, { core, strategy: strategyOf() }))
            const onNews = runOnNews(partsOf(source, { core, strategy: strategyOf() }), polled)
            writes += onNews.length
            expect(onNews).toEqual(polled.sent)
          },
        ),
        { numRuns: 2, seed: 20_261_102 },
      )
      expect(writes).toBeGreaterThan(3)
    })
  }
})

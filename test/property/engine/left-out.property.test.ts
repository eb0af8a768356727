import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { encodeJson } from '../../../src/base/codec.ts'
import { createEngine } from '../../../src/engine/engine.ts'
import type { Event } from '../../../src/engine/model/event.ts'
import type { Polling } from '../../../src/engine/transition.ts'
import type { LoadedStrategy } from '../../../src/strategy/define-strategy.ts'
import { overheard, WATCHERS } from '../../support/backtest-strategies.ts'
import { partsOf, sourceOf } from '../../support/backtest-tape.ts'
import { coreConfig } from '../../support/core-config.ts'
import { runPolled, SLOW_POLLS } from '../../support/polled-core.ts'
import { pureStrategy } from '../../support/test-strategy.ts'
import { happenings, tapeOf } from '../backtest/any-tape.ts'
import { anyJournal } from './any-event.ts'

const both = (bps: number, why: string) => ({ bidBps: bps, askBps: bps, because: [why] })

const STRATEGIES: Readonly<Record<string, () => LoadedStrategy>> = {
  ...WATCHERS,
  'looks at the fee': () => pureStrategy(({ protocolFeeBps }) => both(40 + protocolFeeBps, 'fee')),
  'looks at its dollars': () =>
    pureStrategy(({ inventory }) => both(Math.round(40 + inventory.usd / 1e4), 'usd')),
  'leaves the range': () => pureStrategy(({ mid }) => both((Math.round(mid) % 600) - 20, 'out of range')),
  'closes a side': () =>
    pureStrategy(({ mid }) => ({ bidBps: null, askBps: mid > 2_500 ? null : 50, because: [] })),
  'throws at times': () =>
    pureStrategy(({ inventory: { usdShare } }) => {
      if (usdShare > 0.9) throw new Error('too many dollars')
      return both(55, 'fine')
    }),
}

/** They read what changes with time, or change their memory at every question. */
const ALWAYS_ASKED = [
  'schedule',
  'looks at the age of the competition',
  'looks at the clock',
  'looks at the age of the mid',
  'looks at the cause',
  'counts how often it was asked',
  'keeps a list',
]

/** What a core makes of a journal, in text; the strategy's questions are counted. */
function run(
  journal: readonly Event[],
  strategyOf: () => LoadedStrategy,
  polling: Polling,
  isShadow: boolean,
) {
  let asked = 0
  const strategy = overheard(strategyOf(), () => (asked += 1))
  const engine = createEngine({ strategyFor: () => strategy, calendar: () => false, polling, isShadow })
  const audits = journal.map((event, index) => encodeJson(engine.process(index + 1, event)))
  return { audits, asked, state: encodeJson(engine.state()) }
}

/** Both cores, compared event by event. Returns how many questions were left out. */
function leftOut(journal: readonly Event[], strategyOf: () => LoadedStrategy, polling: Polling): number {
  const shadow = run(journal, strategyOf, polling, true)
  const core = run(journal, strategyOf, polling, false)
  expect(core.audits).toEqual(shadow.audits)
  expect(core.state).toBe(shadow.state)
  return shadow.asked - core.asked
}

describe('a decision that is left out would have brought the same', () => {
  it('in any journal, whatever the strategy reads', () => {
    fc.assert(
      fc.property(
        anyJournal,
        fc.constantFrom(...Object.keys(STRATEGIES)),
        fc.constantFrom<Polling>('engine', 'simulated'),
        (journal, name, polling) => {
          leftOut(journal, STRATEGIES[name]!, polling)
        },
      ),
      { numRuns: 300 },
    )
  })

  const { quote, risk } = coreConfig()
  const core = {
    ...SLOW_POLLS,
    risk: { ...risk, maxMidAgeMs: 5_400_000, maxFillsPerMinute: 1 },
    quote: { ...quote, ditherBps: 4, ditherPeriodMs: 600_000 },
  }
  test.each(Object.keys(STRATEGIES))('on any tape, live: %s', async (name) => {
    const strategyOf = STRATEGIES[name]!
    let left = 0
    await fc.assert(
      fc.asyncProperty(happenings(300_000, 12), fc.boolean(), async (list, isLimited) => {
        const parts = partsOf(sourceOf(tapeOf(list, 600_000)), {
          core: isLimited ? core : SLOW_POLLS,
          strategy: strategyOf(),
        })
        const { journal } = await runPolled(parts)
        left += leftOut(journal, strategyOf, 'engine')
        left += leftOut(journal, strategyOf, 'simulated')
      }),
      { numRuns: 5, seed: 20_261_122 },
    )
    if (ALWAYS_ASKED.includes(name)) expect(left).toBeLessThan(100)
    else expect(left).toBeGreaterThan(100)
  })
})

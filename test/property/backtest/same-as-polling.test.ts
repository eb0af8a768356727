import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { SIDES, type Side } from '../../../src/base/money/side.ts'
import { partsOf, runTape, sourceOf, type Told } from '../../support/backtest-tape.ts'
import { WATCHERS } from '../../support/backtest-strategies.ts'
import { runPolled } from '../../support/polled-core.ts'
import { pureStrategy } from '../../support/test-strategy.ts'
import type { LoadedStrategy } from '../../../src/core/strategy/define-strategy.ts'
import { happenings, tapeOf } from './any-tape.ts'

/** Every poll has come round, and every PATCH has landed, before the next thing happens. */
const SETTLED_MS = 45_000
/** The slowest poll of those that bring news, stretched by writes, and the way there and back. */
const LATEST_MS = 20_000

const strategies: Readonly<Record<string, (() => LoadedStrategy) | undefined>> = {
  'fixed-spread': WATCHERS['fixed-spread'],
  'inventory-skew': WATCHERS['inventory-skew'],
  'looks at its fills': WATCHERS['looks at its fills'],
  'looks at its markouts': WATCHERS['looks at its markouts'],
  'looks at the fair value': WATCHERS['looks at the fair value'],
  /** Narrows in two steps, the second because of its own quote in the mirror. */
  'looks at the best, its own among them': () =>
    pureStrategy(({ competition: { bid, ask } }) => {
      const under = (best: number | undefined) => ((best ?? 500) >= 100 ? 99 : 60)
      return { bidBps: under(bid?.bestBps), askBps: under(ask?.bestBps), reasons: ['under the best'] }
    }),
}

function changes({ quotes }: Told, side: Side): { t: number; bps: number | null }[] {
  const all = quotes.map(({ t, bidBps, askBps }) => ({ t, bps: side === 'bid' ? bidBps : askBps }))
  return all.filter(({ bps }, index) => bps !== all[index - 1]?.bps)
}

describe('where nothing happens faster than polls come round, a backtest is a daemon that polls', () => {
  for (const [name, strategyOf] of Object.entries(strategies)) {
    test(`${name}: the same quotes in the same order, each within a poll, and the same fills`, async () => {
      let fills = 0
      await fc.assert(
        fc.asyncProperty(happenings(60_000, 10), async (list) => {
          const slowly = list.map(({ afterMs, row }) => ({ afterMs: afterMs + SETTLED_MS, row }))
          const source = sourceOf(tapeOf(slowly, 120_000))
          const { told: polled } = await runPolled(partsOf(source, { strategy: strategyOf?.() }))
          const { told } = await runTape(source, { strategy: strategyOf?.() })
          // Each side for itself: which of the two probes comes first is chance.
          for (const side of SIDES) {
            const [daemon, backtest] = [changes(polled, side), changes(told, side)]
            expect(backtest.map(({ bps }) => bps)).toEqual(daemon.map(({ bps }) => bps))
            for (const [index, { t }] of daemon.entries()) {
              expect(Math.abs((backtest[index]?.t ?? 0) - t)).toBeLessThan(LATEST_MS)
            }
          }
          fills += told.fills.length
        }),
        { numRuns: 15, seed: 20_261_102 },
      )
      expect(fills).toBeGreaterThan(5)
    })
  }
})

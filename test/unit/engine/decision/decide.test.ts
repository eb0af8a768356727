import { describe, expect, it } from 'vitest'
import type { StrategyContext } from '../../../../src/strategy/context.ts'
import { overheard } from '../../../support/backtest-strategies.ts'
import { coreHarness } from '../../../support/core-harness.ts'
import { bringDollars, USD } from '../../../support/taker.ts'
import { pureStrategy } from '../../../support/test-strategy.ts'

/** A core at work whose strategy reads this; how often the strategy is called while `happens`. */
function calls(
  read: (context: StrategyContext) => unknown,
  happens: (one: ReturnType<typeof coreHarness>) => void,
): number {
  let asked = 0
  const strategy = overheard(
    pureStrategy((context) => ({ bidBps: 60, askBps: 60, because: [String(read(context))] })),
    () => (asked += 1),
  )
  const one = coreHarness({ venue: { isActive: true }, strategy })
  one.run(60_000)
  asked = 0
  happens(one)
  return asked
}

const rests = (one: ReturnType<typeof coreHarness>) => one.run(120_000)
const aFill = (one: ReturnType<typeof coreHarness>) => {
  one.venue.fills.push(bringDollars(one.venue, 100n * USD))
  one.run(60_000)
}

describe('a live strategy is called when what it read has changed', () => {
  it('while nothing happens only where it read something that changes with time', () => {
    expect(calls(({ mid, inventory }) => [mid, inventory.usdShare], rests)).toBe(0)
    expect(calls(({ now }) => now, rests)).toBeGreaterThanOrEqual(8)
    expect(calls(({ cause }) => cause, rests)).toBeGreaterThanOrEqual(8)
  })

  it('by a fill where it read its inventory or its fills, and not where it read the mid alone', () => {
    expect(calls(({ inventory }) => inventory.usd, aFill)).toBe(1)
    expect(calls(({ recentFills }) => recentFills.length, aFill)).toBe(1)
    expect(calls(({ mid }) => mid, aFill)).toBe(0)
  })

  it('by a new mid where it read the mid or a share of the value, and not where it read its dollars alone', () => {
    const aMid = (one: ReturnType<typeof coreHarness>) => {
      one.venue.mid += 10n ** 18n
      one.run(60_000)
    }
    expect(calls(({ mid }) => mid, aMid)).toBe(1)
    expect(calls(({ inventory }) => inventory.deviation, aMid)).toBe(1)
    expect(calls(({ inventory }) => inventory.usd, aMid)).toBe(0)
  })
})

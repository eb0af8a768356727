import { describe, expect, it } from 'vitest'
import { formatRate, RATE_ONE } from '../../../../../src/base/money/rate.ts'
import { coreConfig } from '../../../../support/core-config.ts'
import { orderHarness, type OrderHarness } from '../../../../support/order-harness.ts'

const MINUTE = 60_000
const BANK = {
  name: 'bank',
  origin: 'independent',
  staleAfterMs: 20 * MINUTE,
  frozenAfterMs: null,
  band: { min: 1_000n * RATE_ONE, max: 10_000n * RATE_ONE },
  weight: 1,
} as const

/** Self-custody that has quoted for ten seconds, with a feed that shows the venue's mid. */
function world(): OrderHarness {
  const bounds = {
    priceCorridor: { min: 2_000n * RATE_ONE, max: 3_000n * RATE_ONE },
    maxMidMoveBpsPerHour: 200,
    maxMidMoveBpsPerDay: 500,
  }
  const one = orderHarness({ config: { risk: { ...coreConfig().risk, ...bounds }, feeds: [BANK] } })
  bank(one, 2_500n)
  one.run(10_000)
  expect(standing(one).length).toBeGreaterThan(0)
  return one
}

function bank({ core }: OrderHarness, tzs: bigint): void {
  core.give({ type: 'reference', t: core.now, source: 'bank', mid: tzs * RATE_ONE, datedAt: null })
}

const standing = (one: OrderHarness) =>
  one.owed().filter(({ order }) => Number(order.expiry) * 1_000 > one.core.now)
const signed = (one: OrderHarness) => one.core.effects.filter(({ type }) => type === 'placeOrder').length
const midOf = ({ core }: OrderHarness) => formatRate(core.state().market.mid ?? 0n)

describe('a lying mid in self-custody', () => {
  it.each([
    ['outside the corridor', 25n],
    ['a step over the bound', 2_700n],
  ])('%s signs nothing more from the answer that shows it, and what stands runs out', (_, lie) => {
    const one = world()
    one.core.venue.mid = lie * RATE_ONE
    one.run(6_100)
    const before = signed(one)
    one.run(10 * MINUTE)
    expect(signed(one)).toBe(before)
    expect(standing(one)).toEqual([])
    expect(midOf(one)).toBe('2500')
  })

  it('a walk of 4 bps every ten seconds moves no signed price further than 200 bps in an hour', () => {
    const one = world()
    for (let step = 1; step <= 200; step++) {
      one.core.venue.mid += one.core.venue.mid / 2_500n
      bank(one, one.core.venue.mid / RATE_ONE)
      one.run(10_000)
    }
    expect(Number(midOf(one))).toBeLessThanOrEqual(2_550)
    expect(standing(one)).toEqual([])
  })

  it('no feed confirms a step, however long it agrees: only a person names it', () => {
    const one = world()
    one.core.venue.mid = 2_600n * RATE_ONE
    for (let minute = 0; minute < 60; minute++) {
      bank(one, 2_600n)
      one.run(MINUTE)
    }
    expect(midOf(one)).toBe('2500')
    expect(standing(one)).toEqual([])
    one.core.order({ name: 'resume', acceptMid: 2_600n * RATE_ONE })
    one.run(10_000)
    expect(midOf(one)).toBe('2600')
    expect(standing(one).length).toBeGreaterThan(0)
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  contextOf,
  shareOf,
  situationOf,
  situationSchema,
  withImbalance,
} from '../../../../../src/research/diagnosis/explain/situation.ts'
import { neutralContext } from '../../../../../src/daemon/config/strategy/try-strategy.ts'

const situation = situationOf(neutralContext(), 7, null)

describe('a moment as data', () => {
  it('passes its own schema, and shows the same context as the one that it was taken of', () => {
    expect(situationSchema.parse(JSON.parse(JSON.stringify(situation)))).toEqual(situation)
    const { inWindow: _window, random, ...shown } = contextOf(situation, null, () => false)
    const { inWindow: _other, random: _random, ...before } = neutralContext()
    expect(shown).toEqual(before)
    expect(random('a')()).toBe(contextOf(situation, null, () => false).random('a')())
  })

  it('of an older version has no raw feeds', () => {
    const { feeds: _, ...before } = situation
    expect(situationSchema.parse(before).feeds).toEqual([])
  })

  it.each([
    [{ mid: 0 }, 'mid'],
    [{ mid: '2500' }, 'mid'],
    [{ mid: null }, 'mid'],
    [{ now: 'yesterday' }, 'now'],
    [{ inventory: { ntzs: -1, usd: 1, target: 0.5 } }, 'inventory.ntzs'],
    [{ midd: 2_500 }, ''],
    [{ competition: { bid: { bestBps: 40 }, ask: null } }, 'competition.bid.ageMs'],
  ])('refuses %j and names the key', (change, key) => {
    const parsed = situationSchema.safeParse({ ...situation, ...change })
    expect(parsed.error?.issues[0]?.path.join('.')).toBe(key)
  })

  it('with another inventory has the same value, and the imbalance that was asked for', () => {
    fc.assert(
      fc.property(
        fc.double({ min: -1, max: 1, noNaN: true }),
        fc.double({ min: 0.05, max: 0.95, noNaN: true }),
        (imbalance, target) => {
          const moved = withImbalance(
            { ...situation, inventory: { ...situation.inventory, target } },
            imbalance,
          )
          const share = shareOf(moved)
          expect(share.imbalance).toBeCloseTo(imbalance, 9)
          expect(share.totalTzs).toBeCloseTo(25_000_000, 3)
        },
      ),
    )
  })
})

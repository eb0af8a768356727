import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decodeJson, encodeJson } from '../../../src/base/codec.ts'
import { createTreasury } from '../../../src/treasury/core/treasury.ts'
import type { TreasuryEvent } from '../../../src/treasury/model/event.ts'
import type { Faults } from './partner-world.ts'
import { Life, type Step } from './treasury-life.ts'

const STEP: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('pass' as const),
      ms: fc.constantFrom(1, 5_000, 60_000, 120_000, 4_000_000, 30_000_000),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('deliver' as const),
      which: fc.nat(5),
      isLost: fc.nat(3).map((one) => one === 0),
    }),
  },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('perform' as const), which: fc.nat(3) }) },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('work' as const),
      rounds: fc.integer({ min: 1, max: 6 }),
      ms: fc.constantFrom(1_000, 31_000, 70_000),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('agree' as const) }) },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('plan' as const),
      what: fc.nat(3),
      thousands: fc.integer({ min: 10, max: 3_000 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('order' as const),
      name: fc.nat(6),
      which: fc.nat(3),
      by: fc.nat(2),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('restart' as const),
      isRestored: fc.nat(4).map((one) => one === 0),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('reload' as const), by: fc.nat(2), isOther: fc.boolean() }),
  },
)

const chance = (max: number) => fc.integer({ min: 0, max: 1_000 }).map((one) => (max * one ** 2) / 1_000_000)
const FAULTS: fc.Arbitrary<Faults> = fc.record({
  lost: chance(0.5),
  refused: chance(0.4),
  reverted: chance(0.3),
  reconcileRequired: chance(0.2),
  stuck: chance(0.8),
  doubled: chance(0.3),
  outside: chance(0.3),
  unbuilt: chance(0.9),
  bounced: chance(0.3),
  // The lives read no balances after the first ones, which show a fee.
  kept: fc.constant(0),
})

/** Checks lives with any faults and at most `maxSteps` steps, which `check` has them take. */
function everyLife(maxSteps: number, numRuns: number, check: (life: Life, steps: readonly Step[]) => void) {
  const steps = fc.array(STEP, { maxLength: maxSteps, size: 'max' })
  fc.assert(
    fc.property(fc.integer(), FAULTS, steps, (seed, faults, list) => check(new Life(seed, faults), list)),
    { numRuns },
  )
}

describe('whatever is lost, doubled, refused or restarted, in any order', () => {
  test('nothing is sent twice, no cap is exceeded, nothing leaves unapproved or while stopped, and the books sum to zero', () => {
    everyLife(120, 50, (life, steps) => {
      for (const step of steps) {
        life.take(step)
        life.checkWorld()
      }
    })
  }, 120_000)

  test('every intent ends or is a claim, and every shilling of the treasury is in its books', () => {
    everyLife(60, 50, (life, steps) => {
      for (const step of steps) life.take(step)
      life.settle()
      life.checkWorld()
      const { books, intents } = life.state
      // The outcome of a claim is unknown: tokens that did not move are still in the treasury.
      const claimed = Object.values(intents).flatMap(({ id, legs }) =>
        legs.flatMap((leg, index) => {
          if (leg.stage !== 'claim') return []
          const call = [...life.world.calls.values()].find(
            ({ place }) => place.intent === id && place.leg === index,
          )
          const came = leg.to === 'treasury' && call?.status === 'completed' ? call.receive : 0n
          const isGone = call !== undefined && call.status !== 'reverted'
          const reserved = books.reserved[`${id}:${index}`]?.amount ?? 0n
          return [came + (isGone || leg.from !== 'treasury' ? 0n : reserved)]
        }),
      )
      const there = (books.accounts['treasury']?.NTZS ?? 0n) + claimed.reduce((sum, one) => sum + one, 0n)
      // Deposits that were cancelled, or silent, may be paid all the same: they are calls of the world without an end here.
      expect(life.world.held('treasury').NTZS).toBe(there)
    })
  }, 120_000)

  test('the state is the fold of the events: read back from text, they give the same one', () => {
    everyLife(60, 25, (life, steps) => {
      for (const step of steps) life.take(step)
      const again = createTreasury()
      for (const event of decodeJson(encodeJson(life.events)) as TreasuryEvent[]) again.process(event)
      expect(again.state()).toEqual(life.state)
    })
  }, 60_000)
})

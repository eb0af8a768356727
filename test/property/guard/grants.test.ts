import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  drain,
  fireIfSilent,
  type GrantSettings,
  releaseGrant,
  renew,
  takeUp,
} from '../../../src/daemon/guard/position/grants.ts'
import { emptyRecord } from '../../../src/daemon/guard/position/record.ts'

const HOLDERS = ['a', 'b', 'c'].map((digit) => digit.repeat(32))

const move = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('renew' as const),
      holder: fc.constantFrom(...HOLDERS),
      grows: fc.boolean(),
      isReconciled: fc.boolean(),
      isLeaving: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('busy' as const), isBusy: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constantFrom('release' as const, 'drain' as const, 'restart' as const) }),
  },
)
const play = fc.array(fc.record({ afterMs: fc.integer({ min: 0, max: 3_000 }), move }), {
  minLength: 1,
  maxLength: 60,
})

describe('Whatever is asked of a guard, in whatever order', () => {
  test('it grants growing numbers, never while it acts for the position, and acts no sooner than D after a sign of life', () => {
    const settings: GrantSettings = { waitMs: 4_500, renewMs: 1_000, handBack: 'auto' }
    fc.assert(
      fc.property(play, (steps) => {
        let watched = takeUp(emptyRecord(), { now: 0, wall: 0 })
        let now = 0
        let lastFence = 0
        let lastSign = 0
        const counts = new Map<string, number>()
        for (const { afterMs, move: drawn } of steps) {
          now += afterMs
          if (fireIfSilent(watched, { now, wall: now }, settings))
            expect(now - lastSign).toBeGreaterThanOrEqual(settings.waitMs)
          if (drawn.do === 'busy') watched.isBusy = drawn.isBusy
          if (drawn.do === 'release') releaseGrant(watched)
          if (drawn.do === 'drain') drain(watched)
          if (drawn.do === 'restart') {
            watched = takeUp(structuredClone(watched.kept), { now, wall: now })
            lastSign = now
          }
          if (drawn.do === 'renew') {
            const { holder, grows, isReconciled, isLeaving } = drawn
            const count = (counts.get(holder) ?? 0) + (grows ? 1 : 0)
            counts.set(holder, count)
            const acted = watched.hold !== null
            const { latched } = watched.kept
            const before = watched.kept.holder
            const answer = renew(
              watched,
              {
                name: 'p',
                count,
                fence: null,
                quote: null,
                isActive: true,
                worse: null,
                isReconciled,
                isLeaving,
              },
              { holder, deadlineMs: 3_000, now },
              settings,
            )
            if (!('fence' in answer)) continue
            expect(isLeaving).toBe(false)
            expect(answer.fence).toBe(answer.isNew ? lastFence + 1 : lastFence)
            expect(answer.isNew || before === holder).toBe(true)
            if (acted)
              expect({ latched, isBusy: watched.isBusy, isReconciled }).toEqual({
                latched: null,
                isBusy: false,
                isReconciled: true,
              })
            expect(watched.hold).toBeNull()
            if (before !== null && before !== holder)
              expect(now - lastSign).toBeGreaterThanOrEqual(settings.waitMs)
            lastFence = answer.fence
            lastSign = now
          }
        }
      }),
      { numRuns: 2_000 },
    )
  })
})

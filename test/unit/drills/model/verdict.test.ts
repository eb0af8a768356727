import fc from 'fast-check'
import { expect, test } from 'vitest'
import { COST_SHARE, judge, type Measured } from '../../../../src/drills/model/verdict.ts'

const ALLOWED = { maxNoticeMs: 60_000, maxSafeMs: 120_000, maxCostUsd: null }
const GOOD: Measured = { noticeMs: 500, safeMs: 900, costUsd: 1, capitalUsd: 10_000, mustBeNoticed: true }

test('a night that is noticed, safe and cheap enough is survived', () => {
  expect(judge(GOOD, ALLOWED)).toBeNull()
})

test.each([
  [{ safeMs: null }, 'it did not become safe'],
  [{ safeMs: 120_001 }, 'safe after 120.0 s, and 120.0 s are allowed'],
  [{ costUsd: 200.01 }, 'it cost 200.01 USD, and 200.00 are allowed'],
  [{ noticeMs: null }, 'nobody noticed'],
  [{ noticeMs: 60_100 }, 'noticed after 60.1 s, and 60.0 s are allowed'],
])('%o is not survived, and the reason names both figures', (change, why) => {
  expect(judge({ ...GOOD, ...change }, ALLOWED)).toBe(why)
})

test('a sum that the desk names goes before the share of the capital', () => {
  expect(judge({ ...GOOD, costUsd: 5.01 }, { ...ALLOWED, maxCostUsd: 5 })).toMatch(/^it cost 5.01 USD/)
  expect(judge({ ...GOOD, costUsd: 4.99 }, { ...ALLOWED, maxCostUsd: 5 })).toBeNull()
})

test('a night that harms nothing may pass unnoticed', () => {
  expect(judge({ ...GOOD, noticeMs: null, mustBeNoticed: false }, ALLOWED)).toBeNull()
})

test('what took longer or cost more is never judged better', () => {
  const measured = fc.record({
    noticeMs: fc.option(fc.nat(200_000)),
    safeMs: fc.option(fc.nat(200_000)),
    costUsd: fc.double({ min: -1_000, max: 1_000, noNaN: true }),
    capitalUsd: fc.constant(10_000),
    mustBeNoticed: fc.boolean(),
  })
  fc.assert(
    fc.property(measured, fc.nat(100_000), fc.nat(1_000), (one, later, dearer) => {
      const worse = {
        ...one,
        noticeMs: one.noticeMs === null ? null : one.noticeMs + later,
        safeMs: one.safeMs === null ? null : one.safeMs + later,
        costUsd: one.costUsd + dearer,
      }
      if (judge(one, ALLOWED) !== null) expect(judge(worse, ALLOWED)).not.toBeNull()
      if (judge(worse, ALLOWED) === null) expect(worse.costUsd).toBeLessThanOrEqual(10_000 * COST_SHARE)
    }),
  )
})

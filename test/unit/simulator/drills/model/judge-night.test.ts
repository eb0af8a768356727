import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  COST_SHARE,
  judge,
  type MeasuredNight,
} from '../../../../../src/simulator/drills/model/judge-night.ts'

const ALLOWED = { maxNoticeMs: 60_000, maxSafeMs: 120_000, maxCostUsd: null }
const GOOD: MeasuredNight = {
  noticeMs: 500,
  safeMs: 900,
  faultMs: 0,
  costUsd: 1,
  capitalUsd: 10_000,
  mustBeNoticed: true,
}

test('a night that is noticed, safe and cheap enough is survived', () => {
  expect(judge(GOOD, ALLOWED)).toBeNull()
})

test.each([
  [{ safeMs: null }, 'safety', 'it did not become safe within 120.0 s'],
  [{ safeMs: 120_100 }, 'safety', 'safe after 120.1 s, and 120.0 s are allowed'],
  [{ costUsd: 200.01 }, 'cost', 'it cost 200.01 USD, and 200.00 are allowed'],
  [{ noticeMs: null }, 'notice', 'no one noticed'],
  [{ noticeMs: 60_100 }, 'notice', 'noticed after 60.1 s, and 60.0 s are allowed'],
] as const)('%o is not survived, and the reason names both figures', (change, kind, why) => {
  expect(judge({ ...GOOD, ...change }, ALLOWED)).toMatchObject({ kind, why })
})

test('what is allowed until a night is safe is counted from the end of a fault that lasts', () => {
  const strict = { ...ALLOWED, maxSafeMs: 20_000 }
  const down = { ...GOOD, faultMs: 30_000 }
  expect(judge({ ...down, safeMs: 49_900 }, strict)).toBeNull()
  // A guard may have made it safe while the fault lasted.
  expect(judge({ ...down, safeMs: 5_000 }, strict)).toBeNull()
  expect(judge({ ...down, safeMs: 55_000 }, strict)).toMatchObject({
    why: 'safe with the fault, which lasts 30.0 s, over for 25.0 s, and 20.0 s are allowed',
    allowed: 20_000,
    actual: 25_000,
  })
  expect(judge({ ...down, safeMs: null }, strict)?.why).toBe(
    'it did not become safe within 20.0 s of the end of the fault, which lasts 30.0 s',
  )
})

test('a sum that the desk names goes before the share of the capital', () => {
  expect(judge({ ...GOOD, costUsd: 5.01 }, { ...ALLOWED, maxCostUsd: 5 })).toMatchObject({
    kind: 'cost',
    allowed: 5,
    actual: 5.01,
  })
  expect(judge({ ...GOOD, costUsd: 4.99 }, { ...ALLOWED, maxCostUsd: 5 })).toBeNull()
})

test('a night that harms nothing may pass unnoticed', () => {
  expect(judge({ ...GOOD, noticeMs: null, mustBeNoticed: false }, ALLOWED)).toBeNull()
})

test('what took longer or cost more is never judged better', () => {
  const measured = fc.record({
    noticeMs: fc.option(fc.nat(200_000)),
    safeMs: fc.option(fc.nat(200_000)),
    faultMs: fc.nat(60_000),
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

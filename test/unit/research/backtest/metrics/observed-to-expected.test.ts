import { describe, expect, test } from 'vitest'
import { trailRun } from './trail-run.ts'

/** 48 and 24 takers a day at no spread; a half and a quarter of them are left at these spreads. */
const LAW = { bid: { a: 48, k: Math.LN2 / 40 }, ask: { a: 24, k: Math.LN2 / 30 } }

describe('observed over expected fills', () => {
  test('are the law at what stood, by its share of the takers, over the time it stood', () => {
    const run = trailRun({ law: LAW })
    run.quote(0, 40, 60)
    run.routed(0, 'bid', 1)
    run.routed(0, 'ask', 1)
    run.routed(12, 'ask', 0.5)
    run.fill(13, 'bid', 100, 40)
    run.quote(24, 80, null)
    run.routed(24, 'ask', 0)
    run.routed(36, 'bid', 0)
    const { observedToExpected } = run.end(48).metrics()
    // Bid: 48 / 2 for a day, then 48 / 4 for half a day. Ask: 24 / 4 for half a day, and half of that.
    expect(observedToExpected?.expected).toBeCloseTo(24 + 6 + 3 + 1.5, 9)
    expect(observedToExpected?.observed).toBe(1)
    expect(observedToExpected?.ratio).toBeCloseTo(1 / 34.5, 9)
    // Garwood for one: 0.0513 to 4.744.
    expect((observedToExpected?.ci90?.[0] ?? 0) * 34.5).toBeCloseTo(0.0513, 3)
    expect((observedToExpected?.ci90?.[1] ?? 0) * 34.5).toBeCloseTo(4.744, 3)
  })

  test('are null without a law, and have no ratio where no one was expected', () => {
    expect(trailRun().end(24).metrics().observedToExpected).toBeNull()
    const off = trailRun({ law: LAW })
    off.quote(0, null, null)
    expect(off.end(24).metrics().observedToExpected).toEqual({
      observed: 0,
      expected: 0,
      ratio: null,
      ci90: null,
    })
  })
})

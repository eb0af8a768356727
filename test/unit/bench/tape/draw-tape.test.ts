import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { batchesOf, rowsOf } from '../../../../bench/tape/batches.ts'
import { drawTape, type TapeChoice } from '../../../../bench/tape/draw-tape.ts'
import { recompute } from '../../../../bench/tape/recompute.ts'
import { batchOfRows, rowsOfBatch } from '../../../../src/store/tape/model/batch.ts'

const choices: fc.Arbitrary<TapeChoice> = fc.record({
  kind: fc.constantFrom('still', 'walk'),
  mids: fc.integer({ min: 1, max: 30_000 }),
  takerEvery: fc.option(fc.integer({ min: 40, max: 500 })),
  stepMs: fc.constantFrom(6_000, 60_000),
})

describe('the drawn tape', () => {
  test('every mid of a walk differs from the one before by one shilling and stays between 2,300 and 2,700', () => {
    const { mids } = drawTape({ kind: 'walk', mids: 300_000, takerEvery: null, stepMs: 6_000 })
    const steps = new Set(mids.slice(1).map((mid, i) => Math.abs(mid - mids[i]!)))
    expect([...steps]).toEqual([1])
    expect(mids.reduce((low, mid) => Math.min(low, mid))).toBeGreaterThanOrEqual(2_300)
    expect(mids.reduce((high, mid) => Math.max(high, mid))).toBeLessThanOrEqual(2_700)
    expect(new Set(mids).size).toBeGreaterThan(300)
  })

  test('a still tape has one mid a day, and no day moves it by more than five shillings', () => {
    const { mids } = drawTape({ kind: 'still', mids: 14_400 * 40, takerEvery: null, stepMs: 6_000 })
    const changes = [...mids.keys()].filter((i) => i > 0 && mids[i] !== mids[i - 1])
    expect(changes.length).toBeGreaterThan(20)
    for (const i of changes) {
      expect(i % 14_400).toBe(0)
      expect(Math.abs(mids[i]! - mids[i - 1]!)).toBeLessThanOrEqual(5)
    }
  })

  test('takers are twenty mids apart, of both sides, and accept odd half-spreads from 51 to 99 bps', () => {
    const { takers } = drawTape({ kind: 'walk', mids: 100_000, takerEvery: 100, stepMs: 6_000 })
    expect(takers.length).toBe(1_000)
    expect(new Set(takers.side)).toEqual(new Set([1, -1]))
    expect(new Set(takers.bps).size).toBe(25)
    for (const [i, bps] of takers.bps.entries()) {
      expect(bps % 2 === 1 && bps >= 51 && bps <= 99).toBe(true)
      if (i > 0) expect(takers.mid[i]! - takers.mid[i - 1]!).toBeGreaterThanOrEqual(20)
    }
  })

  test('equal choices give equal tapes', () => {
    fc.assert(
      fc.property(choices, (choice) => {
        expect(drawTape(choice)).toEqual(drawTape(choice))
      }),
      { numRuns: 20 },
    )
  })

  test('takers that would come too close together are refused', () => {
    expect(() => drawTape({ kind: 'walk', mids: 100, takerEvery: 39, stepMs: 1 })).toThrow(
      '39 mids: at least 40',
    )
  })
})

describe('the batches of a drawn tape', () => {
  test('have every mid and every taker once, in the order of a tape', () => {
    fc.assert(
      fc.property(choices, (choice) => {
        const tape = drawTape(choice)
        const batches = [...batchesOf(tape, recompute(tape).ownBps)]
        expect(batches.reduce((sum, { rows }) => sum + rows, 0)).toBe(rowsOf(tape))
        expect(batches.reduce((sum, { fills }) => sum + fills.length, 0)).toBe(tape.takers.length)
        const mids = batches.flatMap(({ rates }) => Array.from(rates.mid, (place) => rates.mids[place]))
        expect(mids).toEqual(Array.from(tape.mids, (mid) => BigInt(mid) * 10n ** 18n))
        const times = batches.flatMap((batch) => [...rowsOfBatch(batch)].map(({ t }) => t))
        expect(times).toEqual(times.toSorted((a, b) => a - b))
      }),
      { numRuns: 20 },
    )
  })

  test('are what the tape makes of its own rows', () => {
    const tape = drawTape({ kind: 'walk', mids: 500, takerEvery: 50, stepMs: 6_000 })
    const batches = [...batchesOf(tape, recompute(tape).ownBps)]
    expect(batches).toHaveLength(1)
    expect(batchOfRows([...rowsOfBatch(batches[0]!)])).toEqual({
      ...batches[0]!,
      competition: expect.objectContaining({ length: 0 }) as unknown,
    })
  })
})

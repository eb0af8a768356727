import { describe, expect, test } from 'vitest'
import { batchesOf } from '../../../../bench/tape/batches.ts'
import { drawTape, type DrawnTape } from '../../../../bench/tape/draw-tape.ts'
import { recompute } from '../../../../bench/tape/recompute.ts'
import { checkExact, runTape } from '../../../../bench/tape/run-tape.ts'
import { bigintLoop } from '../../../../bench/plain/bigint-loop.ts'
import { plainRows } from '../../../../bench/plain/plain-rows.ts'

const byHand: DrawnTape = {
  kind: 'walk',
  stepMs: 6_000,
  mids: Int32Array.of(2_500, 2_501, 2_500, 2_499),
  takers: {
    length: 4,
    mid: Int32Array.of(0, 1, 2, 3),
    side: Int8Array.of(1, 1, 1, -1),
    bps: Int16Array.of(61, 61, 99, 57),
  },
}

const KINDS = ['still', 'walk'] as const

describe('the recomputation in whole numbers', () => {
  test('gives fills, lots, cash and PnL as they come out by hand', () => {
    // 100 dollars bought at 2,500 less 60 bps. At 62 bps the second taker is too dear, the third is not; the fourth buys
    // at 2,499 and 56 bps more. What is held at the end is one lot, and the opening's 50,000 dollars lost a shilling each.
    const cash = -100n * 2_500n * 9_940n - 100n * 2_500n * 9_938n + 100n * 2_499n * 10_056n
    const exact = recompute(byHand)
    expect(exact).toMatchObject({ fills: 3, lots: 1, cash })
    expect([...exact.ownBps]).toEqual([60, 62, 62, 56])
    expect(exact.pnl).toBe(cash + 100n * 2_499n * 10_000n - 50_000n * 10_000n)
  })

  test.each(KINDS)('equals what the plain loop with a bigint ledger has on a %s tape', (kind) => {
    const tape = drawTape({ kind, mids: 60_000, takerEvery: 60, stepMs: 6_000 })
    const exact = recompute(tape)
    const { fills, pnlTzs36 } = bigintLoop(plainRows(tape, [...batchesOf(tape, exact.ownBps)]))
    expect(fills).toBe(exact.fills)
    expect(pnlTzs36 * 10_000n).toBe(exact.pnl * 10n ** 36n)
  })
})

describe('the judge of a run', () => {
  const tape = drawTape({ kind: 'walk', mids: 3_000, takerEvery: 60, stepMs: 6_000 })
  const exact = recompute(tape)
  const run = (quoting: 'steady' | 'following') => runTape(batchesOf(tape, exact.ownBps), quoting)

  test.each(['steady', 'following'] as const)('finds the core exact with a %s quote', async (quoting) => {
    const outcome = await run(quoting)
    expect(outcome.fills).toBeGreaterThan(10)
    expect(() => checkExact(tape, exact, outcome, quoting)).not.toThrow()
  })

  test('finds one base unit, one fill and a warning too many', async () => {
    const outcome = await run('steady')
    const { held, fills } = outcome
    const check = (change: object) => () => checkExact(tape, exact, { ...outcome, ...change }, 'steady')
    expect(check({ held: { ...held, USDC: held.USDC + 1n } })).toThrow(/PnL and holdings/)
    expect(check({ held: { ...held, NTZS: held.NTZS - 1n } })).toThrow(/cash \S+ instead of/)
    expect(check({ fills: fills + 1 })).toThrow(`fills ${fills + 1} instead of ${exact.fills}`)
    expect(check({ warnings: ['halted'] })).toThrow('warnings halted instead of')
  })
})

import { describe, expect, test } from 'vitest'
import { createFillModel } from '../../../src/research/backtest/fill-models/create-fill-model.ts'
import { DAY_MS } from '../../../src/base/time.ts'
import {
  balancesRow,
  bringsShillings,
  bringsUsdc,
  calibrationOf,
  MID,
  quoteRow,
  rateRow,
  runTape,
  START,
} from '../../support/backtest-tape.ts'
import { binomialPmf, chiSquareP, poissonPmf } from '../../support/chi-square.ts'
import { worldStrategy } from '../../support/world-strategies.ts'

const K = 1 / 60
const A = 40
const SEEDS = Array.from({ length: 250 }, (_, index) => index + 1)

describe('thinned, in law', () => {
  const D0 = 40
  const FILLS = 40
  const rows = [
    rateRow(START, MID),
    balancesRow(START, { NTZS: 10n ** 26n, USDC: 10n ** 24n }),
    quoteRow(START, D0, D0),
    ...Array.from({ length: FILLS }, (_, index) =>
      index % 2 === 0
        ? bringsUsdc(START + 60_000 * (index + 1), `f${index}`, 100)
        : bringsShillings(START + 60_000 * (index + 1), `f${index}`, 250_000),
    ),
    rateRow(START + DAY_MS, MID),
  ]
  const runAt = async (bps: number, seed: number) => {
    const fills = createFillModel({
      name: 'thinned',
      seed,
      calibration: calibrationOf(A, K, []),
      draws: false,
    })
    const strategy = worldStrategy({ use: 'fixed-spread', params: { bidBps: bps, askBps: bps } })
    return (await runTape(rows, { strategy, fills })).outcome
  }

  test('the number kept of the fills of a tape at d > d0 is Binomial(n, exp(-k (d - d0)))', async () => {
    const kept: number[] = []
    for (const seed of SEEDS) kept.push((await runAt(80, seed)).fills)
    const p = Math.exp(-K * (80 - D0))
    expect(chiSquareP(kept, binomialPmf(FILLS, p))).toBeGreaterThan(0.01)
    // The test sees a tenth more or less.
    expect(chiSquareP(kept, binomialPmf(FILLS, p * 1.1))).toBeLessThan(1e-4)
    expect(chiSquareP(kept, binomialPmf(FILLS, p * 0.9))).toBeLessThan(1e-4)
  })

  test('at d < d0 all are kept and Poisson(lambda(d) - lambda(d0)) are added on both sides, flagged', async () => {
    const added: number[] = []
    for (const seed of SEEDS) {
      const { fills, syntheticFills } = await runAt(15, seed)
      expect(fills - syntheticFills).toBe(FILLS)
      added.push(syntheticFills)
    }
    // The first quote lands a quarter of a second after the start of the day.
    const mean = 2 * A * (Math.exp(-K * 15) - Math.exp(-K * D0)) * (1 - 250 / DAY_MS)
    expect(chiSquareP(added, poissonPmf(mean))).toBeGreaterThan(0.01)
    expect(chiSquareP(added, poissonPmf(mean * 1.15))).toBeLessThan(1e-4)
    expect(chiSquareP(added, poissonPmf(mean / 1.15))).toBeLessThan(1e-4)
  })
})

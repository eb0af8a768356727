import { describe, expect, test } from 'vitest'
import { regretParts } from '../../../../../src/research/report/pages/difference-rows.ts'
import { regretCells, seedsNeeded } from '../../../../../src/research/tournament/regret/regret.ts'

const names = {
  market: 'some-market',
  isDevelopment: true,
  strategy: 'mine',
  baseline: 'skew',
  params: 'halfSpreadBps 45',
  tunedIn: 'some-market',
}
/** Differences of mean `mean` and standard deviation 10 over ten seeds. */
const around = (mean: number) => {
  const theirs = Array.from({ length: 10 }, (_, seed) => 1_000 + 300 * seed)
  const step = 10 * Math.sqrt(0.9)
  return { theirs, ours: theirs.map((usd, seed) => usd + mean + (seed % 2 === 0 ? step : -step)) }
}
const best = (usd: number) => Array.from({ length: 10 }, () => usd)

describe('a cell of a regret table', () => {
  test('passes while its lower one-sided 95 % bound is above 5 % of the best baseline, at least 75 USD', () => {
    // se = 10 / sqrt(10), t of 9 degrees of freedom at .95 is 1.8331.
    const [cell] = regretCells([{ ...names, ...around(-60), best: best(500) }])
    expect(cell?.mean).toBeCloseTo(-60, 9)
    expect(cell?.se).toBeCloseTo(3.1623, 4)
    expect(cell?.lowerUsd).toBeCloseTo(-60 - 1.8331 * 3.1623, 3)
    expect([cell?.allowedUsd, cell?.passes]).toEqual([75, true])
    const [head, row] = regretParts([cell!])[0]!.rows
    expect(row?.[head!.indexOf('allowed')]).toBe('75')
    const passes = (mean: number, bestUsd: number) =>
      regretCells([{ ...names, ...around(mean), best: best(bestUsd) }])[0]?.passes
    expect(passes(-70, 500)).toBe(false)
    expect(passes(-70, 4_000)).toBe(true)
    expect(passes(-195, 4_000)).toBe(false)
    expect(passes(-70, -4_000)).toBe(false)
  })

  test('stands before better ones, and claims to be better only after Holm over the whole table', () => {
    const cells = regretCells([3, 5, -50].map((mean) => ({ ...names, ...around(mean), best: best(500) })))
    expect(cells.map(({ mean }) => Math.round(mean))).toEqual([-50, 3, 5])
    expect(cells[0]?.betterHolm).toBeCloseTo(1, 6)
    const alone = regretCells([{ ...names, ...around(5), best: best(500) }])[0]?.betterHolm ?? 1
    expect(alone).toBeCloseTo(0.0742, 3)
    expect(cells[2]?.betterHolm).toBeCloseTo(3 * alone, 9)
  })

  test('needs seeds until the error of the difference is a third of the allowed regret', () => {
    expect(seedsNeeded({ ...around(0), best: best(500) })).toBe(1)
    const wide = around(0).theirs.map((usd, seed) => usd + (seed % 2 === 0 ? 500 : -500) * Math.sqrt(0.9))
    // (3 * 500 / 75)^2
    expect(seedsNeeded({ ours: wide, theirs: around(0).theirs, best: best(500) })).toBe(400)
    expect(seedsNeeded({ ours: wide, theirs: around(0).theirs, best: best(3_000) })).toBe(100)
  })
})

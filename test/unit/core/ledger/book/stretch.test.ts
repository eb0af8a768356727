import { describe, expect, test } from 'vitest'
import {
  beginStretch,
  deepestFall,
  extendStretch,
  steepestRise,
} from '../../../../../src/core/ledger/book/stretch.ts'

/** Deepest fall and steepest rise of a mark that begins with the first of these. */
function extremes(first: bigint, ...marks: readonly bigint[]) {
  const stretch = beginStretch(first)
  for (const mark of marks) extendStretch(stretch, mark)
  const { highest, lowest } = stretch
  return [highest, lowest, deepestFall(stretch), steepestRise(stretch)]
}

describe('a stretch of marks', () => {
  test('knows its highest and lowest mark, its deepest fall and its steepest rise', () => {
    expect(extremes(100n)).toEqual([100n, 100n, 0n, 0n])
    expect(extremes(100n, 90n)).toEqual([100n, 90n, 10n, 0n])
    expect(extremes(100n, 110n)).toEqual([110n, 100n, 0n, 10n])
    // The fall of 30 was before the highest mark, the one after it is smaller; and the same upside down.
    expect(extremes(100n, 70n, 120n, 110n)).toEqual([120n, 70n, 30n, 50n])
    expect(extremes(100n, 130n, 80n, 90n)).toEqual([130n, 80n, 50n, 30n])
    expect(extremes(100n, 90n, 105n, 60n)).toEqual([105n, 60n, 45n, 15n])
    expect(extremes(100n, 110n, 95n, 140n)).toEqual([140n, 95n, 15n, 45n])
    expect(extremes(100n, 100n, 90n, 90n, 95n)).toEqual([100n, 90n, 10n, 5n])
  })
})

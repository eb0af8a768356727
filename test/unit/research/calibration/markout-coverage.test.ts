import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { DEFAULT_HORIZONS, horizonNames } from '../../../../src/core/models/markouts/horizons.ts'
import { MARKOUT_CELLS, markoutCoverage } from '../../../support/markout-coverage.ts'

const HORIZONS = horizonNames(DEFAULT_HORIZONS)
const TAPES = 200
/** Of 200 tapes the share scatters by 2 points. */
const [LEAST, MOST] = [0.77, 0.99]

describe('the 90 % intervals of markouts over simulated weeks in which takers know nothing', () => {
  test.each(MARKOUT_CELLS.filter(({ weeks }) => weeks < 12))(
    'hold the half-spread eight to nine times in ten at every horizon: %o',
    (cell) => {
      const covered = markoutCoverage(cell, TAPES)
      expect([...covered.keys()]).toEqual(HORIZONS)
      for (const { covered: count, stated } of covered.values()) {
        expect(stated).toBe(TAPES)
        expect(count / stated).toBeGreaterThan(LEAST)
        expect(count / stated).toBeLessThanOrEqual(MOST)
      }
    },
  )
})

test('docs/calibration-model.md states a coverage of 80 to 99 % for every horizon, on both sides and on one', () => {
  const page = readFileSync(new URL('../../../../docs/calibration-model.md', import.meta.url), 'utf8')
  const rows = [...page.matchAll(/^\| (\d+) \| (both|one) \| (.*) \|$/gm)]
  expect(rows.map(([, weeks]) => Number(weeks))).toEqual(MARKOUT_CELLS.map(({ weeks }) => weeks))
  for (const [, , , cells = ''] of rows) {
    const shares = cells.split(' | ').map((cell) => Number(cell.replace(' %', '')))
    expect(shares).toHaveLength(HORIZONS.length)
    for (const share of shares) expect(share >= 80 && share <= 99).toBe(true)
  }
})

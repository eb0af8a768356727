import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { withCoverageTable } from '../../../../scripts/coverage-table.ts'
import { COVERAGE_CELLS } from '../../../support/calibration-coverage.ts'

const PAGE = readFileSync(new URL('../../../../docs/calibration-model.md', import.meta.url), 'utf8')
const coverage = { weeks: 200, a: 180, k: 171, kPriorOnly: 3, meanFills: 99.6 }

test('the table of coverage has shares of weeks, and the rest of the page stays as it is', () => {
  const made = withCoverageTable(PAGE, [{ truth: 'as the prior', tape: 'one spread', coverage }])
  expect(made).toContain('\n| as the prior | one spread | 200 | 100 | 90.0 % | 85.5 % | 1.5 % |\n')
  expect(withCoverageTable(made, [])).toBe(withCoverageTable(PAGE, []))
  expect(made.length).toBeLessThan(PAGE.length)
})

test('a page without the marks is refused instead of being cut', () => {
  expect(() => withCoverageTable('# Calibration', [])).toThrow(/has lost the marks/)
})

test('docs/calibration-model.md has every cell for truths as the prior has them and for three fixed ones', () => {
  for (const { title } of Object.values(COVERAGE_CELLS)) expect(PAGE.split(`| ${title} |`)).toHaveLength(5)
})

test('the page states a coverage of 85 to 95 % wherever the truth is as the prior has it and the tape names the rival', () => {
  const rows = [...PAGE.matchAll(/^\| as the prior \| (.*?) \| \d+ \| \d+ \| ([\d.]+) % \| ([\d.]+) % \|/gm)]
  const named = rows.filter(([, tape]) => tape !== COVERAGE_CELLS.rivalUnnamed.title)
  expect(named).toHaveLength(6)
  for (const [, , a, k] of named) {
    for (const percent of [Number(a), Number(k)]) {
      expect(percent).toBeGreaterThanOrEqual(85)
      expect(percent).toBeLessThanOrEqual(95)
    }
  }
})

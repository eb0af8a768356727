import { join } from 'node:path'
import { expect, test } from 'vitest'
import { drillPage, drillTable } from '../../../../src/cli/drill/drill-table.ts'
import type { DrillResult } from '../../../../src/simulator/drills/drill.ts'

const PEAK = {
  fillsPerMinute: 12,
  usdPerMinute: 340.4,
  requestsPerMinute: 44,
  source: 'the busiest minutes of a test',
}
const PASSED: DrillResult = {
  name: 'mid-lies',
  what: 'the mid is wrong',
  safeMeans: 'the venue holds the safe quote, or none',
  status: 'passed',
  why: null,
  noticeMs: 480,
  safeMs: 1_960,
  faultMs: 0,
  costUsd: 13.984,
  noticed: 'the mid stepped 500 bps',
  told: [
    { afterMs: 30_417, severity: 'warning', what: 'the mid <stepped>\u001B[31m' },
    { afterMs: 31_000, severity: 'critical', what: 'halted' },
  ],
  advice: null,
  settings: [],
}
const FAILED: DrillResult = {
  ...PASSED,
  name: 'leak',
  status: 'failed',
  why: 'it did not become safe',
  safeMs: null,
  told: [],
  noticed: null,
  noticeMs: null,
  advice: 'lower risk.unexplainedGraceMs',
}
const ABSENT: DrillResult = {
  ...FAILED,
  name: 'disk-full',
  status: 'not-applicable',
  why: 'no Linux',
  costUsd: null,
  advice: null,
}

test('each night has its row, its reason and its advice; what did not happen is a dash and never a zero', async () => {
  const mixed = drillTable([PASSED, FAILED, ABSENT], PEAK)
  const lasting = drillTable([{ ...PASSED, faultMs: 30_000, name: 'double-peak' }], PEAK, [
    'played on <SQLite>',
  ])
  expect(mixed + lasting).not.toContain('\u001B')
  await expect(`${mixed}\n\n\n${lasting}\n`).toMatchFileSnapshot(
    join(import.meta.dirname, 'drill-tables.txt'),
  )
})

test('no text of a log, a note or a venue is a command to the page', () => {
  const results = [PASSED, FAILED, ABSENT]
  const page = drillPage('<b>desk</b>', PEAK, results, Date.UTC(2026, 2, 2, 6), ['played on <SQLite>'])
  for (const shown of [
    '&lt;b&gt;desk',
    '&lt;stepped&gt;',
    '&lt;SQLite&gt;',
    ...results.map(({ name }) => name),
  ])
    expect(page).toContain(shown)
  expect(page).not.toMatch(/<script|<b>desk|<SQLite/)
})

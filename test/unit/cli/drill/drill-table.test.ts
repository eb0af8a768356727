import { expect, test } from 'vitest'
import { drillPage } from '../../../../src/cli/drill/drill-page.ts'
import { drillTable } from '../../../../src/cli/drill/drill-table.ts'
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

test('each night has its row, its reason and its advice; what did not happen is a dash and never a zero', () => {
  const text = drillTable([PASSED, FAILED, ABSENT], PEAK)
  expect(text).toContain(
    'drill      result  noticed   safe  cost USD\nmid-lies   passed    0.5 s  2.0 s     13.98',
  )
  expect(text).toContain(
    'leak       FAILED        -      -     13.98\ndisk-full  n/a           -      -         -',
  )
  expect(text).toContain('  failed: it did not become safe\n  what would help: lower risk.unexplainedGraceMs')
  expect(text).toContain('  not applicable: no Linux')
  expect(text).toContain('  told after 30.4 s, warning: the mid <stepped>')
  expect(text).toContain('(and 1 more)')
  expect(text).not.toContain('the fault lasts')
  expect(drillTable([{ ...PASSED, faultMs: 30_000 }], PEAK)).toContain(
    '  the fault lasts 30.0 s: what is allowed until it is safe is counted from its end',
  )
  expect(text.endsWith('1 of 2 passed, 1 do not apply')).toBe(true)
})

test('the peak counts what the desk sends, and notes stand before the summary', () => {
  const text = drillTable([{ ...PASSED, name: 'double-peak' }], PEAK, ['played on <SQLite>'])
  expect(text).toContain('12 fills, 340 USD and 44 requests a minute, from the busiest minutes of a test')
  expect(text.split('\n').slice(-2)).toEqual([
    'note: played on <SQLite>',
    expect.stringMatching(/^1 of 1 passed, 0 /),
  ])
  const page = drillPage('desk', PEAK, [PASSED], 0, ['played on <SQLite>'])
  expect(page).toContain('Note: played on &lt;SQLite&gt;.')
})

test('no text of a log or a venue is a command to the terminal or to the page', () => {
  expect(drillTable([PASSED], PEAK)).not.toContain('\u001B')
  const page = drillPage('<b>desk</b>', PEAK, [PASSED, FAILED, ABSENT], Date.UTC(2026, 2, 2, 6))
  expect(page).toContain('Drills of &lt;b&gt;desk&lt;/b&gt;')
  expect(page).toContain('the mid &lt;stepped&gt;')
  expect(page).not.toMatch(/<script|<b>desk/)
  for (const { name } of [PASSED, FAILED, ABSENT]) expect(page).toContain(name)
})

import { expect, test } from 'vitest'
import { statusLine } from '../../../../src/cli/daemon/status-line.ts'
import { exampleSummary } from '../../daemon/telemetry/example-summary.ts'

test('one position is shown with its quote, mid and PnL, and what is unknown as unknown', () => {
  const quoted = { bidBps: 45, askBps: null, mid: '2570.6831', pnlTodayUsd: '-1.5', fillsToday: 3 }
  expect(statusLine([exampleSummary(quoted)])).toBe(
    'desk-1 ACTIVE | bid 45 ask – bps | mid 2,570.68 | PnL today -1.50 USD | fills today 3',
  )
  const unknown = { tradingState: null, bidBps: null, askBps: null, mid: null, pnlTodayUsd: null }
  const why = ['the mid is old\u001B[2J']
  expect(statusLine([exampleSummary({ ...unknown, fillsToday: null, ready: false, why })])).toBe(
    'desk-1 NOT RUNNING | bid – ask – bps | no mid | PnL unknown | fills today – | not ready: the mid is old\uFFFD[2J',
  )
})

test.each([
  [{ tradingState: 'HALTED', paused: true }, 'desk-1 HALTED |'],
  [{ paused: true }, 'desk-1 PAUSED |'],
  [{ answered: false }, 'desk-1 SILENT |'],
  [{ mode: 'dry-run' }, 'desk-1 ACTIVE (dry run) |'],
] as const)('%o begins the line with its state', (change, start) => {
  expect(statusLine([exampleSummary(change)]).startsWith(start)).toBe(true)
})

test('several positions are counted by state, and those that need attention are named', () => {
  const halted = exampleSummary({ name: 'c', tradingState: 'HALTED', ready: false })
  const rows = [exampleSummary({ name: 'a' }), exampleSummary({ name: 'b' }), halted]
  expect(statusLine(rows)).toBe('3 positions: 2 ACTIVE, 1 HALTED | not ready: c')
  expect(statusLine(rows.slice(0, 2))).toBe('2 positions: 2 ACTIVE | all ready')
  expect(statusLine([])).toBe('no position runs')
})

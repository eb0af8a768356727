import { describe, expect, test } from 'vitest'
import type { StreamMessage } from '../../../../../src/daemon/console/answers.ts'
import { listStanding } from '../../../../../src/daemon/console/page/frame/list-standing.ts'
import { FIRST_VIEW, PAGE_ROWS, pageOf } from '../../../../../src/daemon/console/page/list/list-view.ts'
import {
  findShownPosition,
  FIRST_STATE,
  liveState,
} from '../../../../../src/daemon/console/page/live/live-state.ts'
import { absentSummary } from '../../../../../src/daemon/view/position-summary.ts'
import { exampleSummary } from '../../telemetry/example-summary.ts'

const after = (...messages: readonly StreamMessage[]) =>
  messages.reduce((state, message, i) => liveState(state, message, i), FIRST_STATE)
const some = (...names: readonly string[]) => names.map((name) => exampleSummary({ name }))

describe('the list of the page', () => {
  test('takes changes one by one, forgets what is gone, and begins anew with a whole list', () => {
    const first = after({ type: 'summaries', whole: true, positions: some('a', 'b', 'c'), gone: [] })
    const halted = exampleSummary({ name: 'b', tradingState: 'HALTED' })
    const next = liveState(first, { type: 'summaries', whole: false, positions: [halted], gone: ['a'] }, 9)
    expect([...next.list.keys()]).toEqual(['b', 'c'])
    expect(next.list.get('b')).toEqual({ summary: halted, receivedAt: 9 })
    expect(first.list.get('b')?.summary.tradingState).toBe('ACTIVE')
    const anew = liveState(next, { type: 'summaries', whole: true, positions: some('d'), gone: [] }, 10)
    expect([...anew.list.keys()]).toEqual(['d'])
  })

  test('is not drawn again for a sign of life', () => {
    const state = after({ type: 'summaries', whole: true, positions: some('a'), gone: [] })
    expect(liveState(state, { type: 'summaries', whole: false, positions: [], gone: [] }, 9)).toBe(state)
  })

  test('leads to a position whose state has not come yet, and to none that is not there', () => {
    const state = after({ type: 'summaries', whole: true, positions: some('a'), gone: [] })
    expect(findShownPosition(state, 'a')).toMatchObject({ name: 'a', view: null })
    expect(findShownPosition(state, 'z')).toBeNull()
  })

  test('stays on a page that there is, though fewer match by now', () => {
    const list = some(...Array.from({ length: PAGE_ROWS + 1 }, (_, n) => `desk-${n}`))
    const listed = list.map((summary) => ({ summary, receivedAt: 0 }))
    const second = pageOf(listed, { ...FIRST_VIEW, sort: 'name', page: 1 })
    expect(second).toMatchObject({ page: 1, pages: 2, matching: PAGE_ROWS + 1 })
    expect(second.rows.map(({ summary }) => summary.name)).toEqual([`desk-${PAGE_ROWS}`])
    expect(pageOf(listed.slice(1), { ...FIRST_VIEW, page: 7 })).toMatchObject({ page: 0, pages: 1 })
    expect(pageOf([], FIRST_VIEW)).toEqual({ rows: [], matching: 0, page: 0, pages: 1 })
  })
})

describe('the standing of a position in the list', () => {
  test.each([
    [
      'halted',
      { tradingState: 'HALTED', severity: 'critical', why: ['halted: loss'] },
      'HALTED',
      'bad',
      'Halted: loss',
    ],
    [
      'out of the market',
      { severity: 'critical', why: ['not in the market'] },
      'ACTIVE',
      'bad',
      'Not in the market',
    ],
    ['not ready', { ready: false, severity: 'warning', why: ['no mid'] }, 'NOT READY', 'warn', 'No mid'],
    ['starting', { ready: false, severity: 'info', why: [] }, 'ACTIVE', 'good', 'Quoting both sides.'],
    ['paused', { paused: true, severity: 'info' }, 'PAUSED', 'warn', 'An operator paused it.'],
    ['reducing', { tradingState: 'REDUCING', askBps: null }, 'REDUCING', 'warn', 'Quoting the bid only.'],
    [
      'in self-custody',
      { bidBps: null, askBps: null, outstandingUsd: '5' },
      'ACTIVE',
      'good',
      'Orders are placed.',
    ],
    ['off', { bidBps: null, askBps: null }, 'ACTIVE', 'good', 'No quote is confirmed.'],
  ] as const)('that is %s has one word, its gravity and why', (_what, changes, word, tone, reason) => {
    expect(listStanding(exampleSummary(changes))).toEqual({ word, tone, reason })
  })

  test('that does not answer is another one than that of a file that never ran', () => {
    const known = exampleSummary()
    expect(listStanding(absentSummary('a', 'restarting', known))).toMatchObject({
      word: 'SILENT',
      tone: 'bad',
    })
    const place = 'fleet/a.yaml:3:5: unknown key'
    expect(listStanding(absentSummary('a', place, null))).toEqual({
      word: 'NOT RUNNING',
      tone: 'bad',
      reason: place,
    })
  })
})

import { describe, expect, test } from 'vitest'
import {
  isScorecardDue,
  scorecardLines,
} from '../../../../../src/daemon/notify/daily-summary/summary-text.ts'
import { exampleScorecard } from '../../view/example-scorecard.ts'

const NOW = Date.UTC(2026, 10, 20, 8)
const DAY_MS = 86_400_000

describe('the scorecard in the daily summary', () => {
  test('comes with the first summary that has one and then once a week, however the clocks are set', () => {
    const card = exampleScorecard(NOW)
    expect(isScorecardDue(card, null, NOW)).toBe(true)
    expect(isScorecardDue(card, NOW - 6 * DAY_MS, NOW)).toBe(false)
    expect(isScorecardDue(card, NOW - 7 * DAY_MS, NOW)).toBe(true)
    expect(isScorecardDue(card, NOW - 7 * DAY_MS + 3_600_000, NOW)).toBe(true)
    expect(isScorecardDue(null, null, NOW)).toBe(false)
    expect(isScorecardDue({ ...card, card: null, problem: 'no tape' }, null, NOW)).toBe(false)
  })

  test('has what is outside of its band, and both sides together with their bands', () => {
    expect(scorecardLines(exampleScorecard(NOW))).toEqual([
      'the week against the calibration: outside of the band: bid markout next print; 1 of 14 measures; about 1.4 would be by chance',
      '  fills: 214, expected 188 to 233',
      '  edge at the mid: 61.2 bps, expected 57.0 to 63.0',
    ])
    expect(scorecardLines(null)).toEqual([])
  })
})

import { describe, expect, test } from 'vitest'
import { comparisonRows } from '../../../../../src/cli/inspect/status/sections.ts'
import type { PositionView } from '../../../../../src/daemon/view/position-view.ts'
import { exampleView } from '../../../daemon/telemetry/example-view.ts'
import { exampleChallenger, exampleCompared } from '../../../daemon/view/example-challenger.ts'
import { exampleRecalibration } from '../../../daemon/view/results/example-recalibration.ts'
import { exampleScorecard } from '../../../daemon/view/example-scorecard.ts'

const NOW = Date.UTC(2026, 10, 20, 14)

function rows(changes: Partial<PositionView>): string {
  const shown = comparisonRows(exampleView({ now: NOW, ...changes }), { width: 500, colour: false })
  return shown.map((line) => line.replaceAll(/ +/g, ' ')).join('\n')
}

describe('the rows of what commands compared last', () => {
  test('are none where nothing is configured', () => {
    expect(rows({})).toBe('')
  })

  test('have what of the scorecard is outside of its band, and why it could not be made', () => {
    expect(rows({ scorecard: exampleScorecard(NOW) })).toBe(
      'scorecard outside of the band: bid markout next print; 1 of 14 measures; about 1.4 would be by chance 30m 0s ago',
    )
    const failed = { at: NOW, card: null, outsideSince: null, problem: 'the tape cannot be read' }
    expect(rows({ scorecard: failed })).toBe('scorecard unknown the tape cannot be read 0s ago')
    expect(rows({ scorecard: { ...failed, at: null } })).not.toContain('ago')
  })

  test('have the verdict on a new calibration with its reason and age', () => {
    expect(rows({ recalibration: exampleRecalibration(NOW) })).toBe(
      'calibration keep: the lower bound is not above 0 30m 0s ago',
    )
  })

  test('have the paired difference of a challenger with its error, or why none exists', () => {
    expect(rows({ challenger: exampleChallenger(NOW) })).toBe(
      'challenger fixed-spread -36.93 +- 31.75 USD a day over 7 days (p 0.290); bid 61 ask off, 3,418 fills, edge +7,841.74 USD, against bid 61 ask off, 3,418 fills, edge +7,986.34 USD of the champion 30m 0s ago',
    )
    const early = exampleChallenger(NOW, { compared: exampleCompared(NOW, { difference: null }) })
    expect(rows({ challenger: early })).toContain('two days are')
    const suspended = { since: NOW - 5, why: 'quote threw' }
    expect(rows({ challenger: exampleChallenger(NOW, { compared: null, suspended }) })).toContain(
      'suspended: quote threw',
    )
    const missing = { since: null, at: null, compared: null, problem: 'no file' }
    expect(rows({ challenger: exampleChallenger(NOW, missing) })).toBe(
      'challenger fixed-spread unknown: no file',
    )
  })
})

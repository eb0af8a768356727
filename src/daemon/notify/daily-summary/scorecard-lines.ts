import { DAY_MS, HOUR_MS, type Ms } from '../../../base/time.ts'
import { measureText, scorecardSummary } from '../../view/scorecard-text.ts'
import type { ScorecardView } from '../../view/scorecard-view.ts'

/** A summary comes a little early where the clocks were put forward. */
const WEEK_MS = 7 * DAY_MS - 2 * HOUR_MS

/** Once a week the daily summary has the scorecard; `lastAt` null = it never had. */
export function isScorecardDue(scorecard: ScorecardView | null, lastAt: Ms | null, now: Ms): boolean {
  return scorecard !== null && scorecard.card !== null && (lastAt === null || now - lastAt >= WEEK_MS)
}

/** The week against what the calibration in force expects: both sides together, and what is outside of its band. */
export function scorecardLines(scorecard: ScorecardView | null): readonly string[] {
  const card = scorecard?.card ?? null
  if (card === null) return []
  const measures = card.both.measures.filter(({ verdict }) => verdict !== null).map(measureText)
  return [
    `the week against the calibration: ${scorecardSummary(card)}`,
    ...measures.map(
      ({ name, realised, unit, band }) => `  ${name}: ${realised ?? '0'}${unit}, expected ${band}`,
    ),
  ]
}

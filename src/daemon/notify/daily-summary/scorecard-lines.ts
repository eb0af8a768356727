import { DAY_MS, HOUR_MS, type Ms } from '../../../base/time.ts'
import { floatText } from '../../../base/text/numbers.ts'
import { MEASURE_NAMES, scorecardSummary } from '../../view/scorecard-text.ts'
import type { CardView, ScorecardView } from '../../view/scorecard-view.ts'

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
  return [`the week against the calibration: ${scorecardSummary(card)}`, ...measureLines(card)]
}

function measureLines({ both }: CardView): readonly string[] {
  return both.measures
    .filter(({ verdict }) => verdict !== null)
    .map(({ name, horizon, unit, expected, realised }) => {
      const digits = unit === 'fills' ? 0 : 1
      const [came, low, high] = [realised ?? 0, expected.low, expected.high].map((value) =>
        floatText(value, digits),
      )
      const what = [MEASURE_NAMES[name], ...(horizon === null ? [] : [horizon])].join(', ')
      return `  ${what}: ${came}${unit === 'fills' ? '' : ` ${unit}`}, expected ${low} to ${high}`
    })
}

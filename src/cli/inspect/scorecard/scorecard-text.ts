import type { Scorecard, SideScore } from '../../../research/calibration/scorecard.ts'
import type { Measure } from '../../../research/calibration/scorecard-measures.ts'
import { measureText, scorecardSummary } from '../../../daemon/view/scorecard-text.ts'
import { adviceFor } from '../../../core/alerts/position-notices.ts'
import { alignColumns } from '../../output/tables.ts'
import { countText, floatText } from '../../../base/text/numbers.ts'
import { timeText } from '../../../base/text/times.ts'

/** Renders a scorecard for a terminal: the alarm first, then every measure by side with its 90 % band. */
export function scorecardText(card: Scorecard): string {
  const { from, to, calibratedFrom, calibratedTo, warnings } = card
  return [
    ...warnings.map((text) => `warning  ${text}`),
    `compared ${timeText(from)} to ${timeText(to)}, with the calibration of ${timeText(calibratedFrom)} to ${timeText(calibratedTo)}`,
    ...alarmLines(card),
    '',
    ...alignColumns(
      [
        ['side', 'measure', 'expected', '90 % band', 'came', ''],
        ...(['both', 'bid', 'ask'] as const).flatMap((side) => rowsOf(side, card[side])),
      ],
      (column) => column < 2 || column === 5,
    ),
  ].join('\n')
}

function alarmLines(card: Scorecard): readonly string[] {
  const { outside } = card
  if (outside.length === 0) return [`result   ${scorecardSummary(card)}`]
  return [`ALARM    ${scorecardSummary(card)}`, `advice   ${adviceFor('scorecard') ?? ''}`]
}

function rowsOf(side: string, { measures, fills, exposureDays }: SideScore): readonly (readonly string[])[] {
  if (measures.length === 0)
    return [[side, `no time in which takers could reach us`, '', '', countText(fills, 'fill'), '']]
  return measures.map((measure, i) => {
    const { name, unit, expected, band, realised, isOutside } = measureText(measure)
    return [
      i === 0 ? side : '',
      name,
      `${expected}${unit}`,
      band,
      realised ?? 'none',
      isOutside ? (measure.verdict ?? '').toUpperCase() : noteOf(measure.name, exposureDays),
    ]
  })
}

function noteOf(name: Measure['name'], exposureDays: number): string {
  return name === 'fills' ? `in ${floatText(exposureDays, 1)} days with takers in reach` : ''
}

import type { Figure } from '../figure.ts'
import { figureText } from '../figure-text.ts'
import type { ReportData } from '../report-data.ts'

/** What was left of the edge some time after the fills. */
export function markoutFigure({ markouts }: Pick<ReportData, 'markouts'>): Figure {
  const known = markouts.filter(({ bps }) => Number.isFinite(bps))
  return {
    id: 'markouts',
    title: 'Markouts with 90 % intervals',
    unit: 'bps of the dollars traded',
    digits: 1,
    words:
      known.length === 0
        ? 'No markouts: no fill was followed by a later fair value.'
        : `What a dollar traded had earned by then, in bps: ${known.map(pointWords).join('; ')}.`,
    size: 'half',
    height: 'middle',
    chart:
      known.length === 0
        ? null
        : {
            kind: 'points',
            points: known.map(({ horizon, bps, low, high, fills }) => ({
              label: horizon,
              value: bps,
              low,
              high,
              note: figureText(fills, 0),
            })),
          },
  }
}

function pointWords({ horizon, bps, low, high, fills }: ReportData['markouts'][number]): string {
  const interval =
    Number.isFinite(low) && Number.isFinite(high)
      ? ` (${figureText(low, 1)} to ${figureText(high, 1)})`
      : ', no interval'
  return `${horizon} ${figureText(bps, 1)}${interval}, ${figureText(fills, 0)} ${fills === 1 ? 'fill' : 'fills'}`
}

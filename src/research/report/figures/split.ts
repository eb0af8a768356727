import { type Figure, figureText, pointsChart, signedText } from './figure.ts'
import type { ReportData } from '../report-data.ts'

/** Edge per dollar traded by side, token and size, one row each. */
export function splitFigure({ splits }: Pick<ReportData, 'splits'>): Figure {
  const traded = splits.filter(({ bps }) => Number.isFinite(bps))
  return {
    id: 'split',
    title: 'Edge by side, pair and size',
    unit: 'bps of the dollars traded',
    digits: 1,
    words:
      traded.length === 0
        ? 'The run has no trades.'
        : `${traded.map(({ name, bps }) => `${name} ${signedText(bps, 1)}`).join('; ')} bps.`,
    ...(traded.length > 9 ? { height: 'tall' } : {}),
    chart: pointsChart(
      'rows',
      'fills',
      traded.map(({ name, bps, fills }) => ({ label: name, value: bps, note: figureText(fills, 0) })),
    ),
  }
}

const HOURS = 24

/** Shows the hours of the day in which the edge is gained or lost. */
export function hoursFigure({ hours }: Pick<ReportData, 'hours'>): Figure {
  const isKnown = hours.length === HOURS && hours.some((usd) => usd !== 0)
  const best = hours.indexOf(Math.max(...hours))
  const worst = hours.indexOf(Math.min(...hours))
  return {
    id: 'hours',
    title: 'Edge by hour of the day',
    unit: 'USD',
    digits: 2,
    words: isKnown
      ? `Most at ${hourText(best)}: ${signedText(hours[best] ?? NaN, 2)} USD; least at ${hourText(worst)}: ${signedText(hours[worst] ?? NaN, 2)} USD.`
      : 'The run has no trades.',
    chart: isKnown
      ? {
          kind: 'plane',
          xUnit: 'h UTC',
          x: Float64Array.from({ length: HOURS + 1 }, (_, hour) => hour),
          step: true,
          toZero: true,
          // The last hour extends to midnight.
          lines: [
            {
              name: 'Edge',
              colour: 'green',
              values: Float64Array.from([...hours, hours[HOURS - 1] ?? 0]),
            },
          ],
        }
      : null,
  }
}

function hourText(hour: number): string {
  return `${String(hour).padStart(2, '0')}:00 UTC`
}

import { type Figure, figureText, pointsChart } from './figure.ts'
import type { ReportData } from '../report-data.ts'
import { seriesSummary, timeChart } from './time-chart.ts'

/** Share of the position in dollars, with the target share. */
export function inventoryFigure({ inventory }: Pick<ReportData, 'inventory'>): Figure {
  const { t } = inventory
  const share = inventory.usdShare.map((value) => value * 100)
  const target = inventory.target * 100
  const hasTarget = Number.isFinite(target)
  const { mean, lowest, highest, last, points } = seriesSummary(t, share)
  const aim = hasTarget ? `; target ${figureText(target, 1)} %` : ''
  return {
    id: 'inventory',
    title: 'Inventory in dollars',
    unit: '% of the position',
    digits: 1,
    words:
      points === 0
        ? 'The run has no balances.'
        : `Over time ${figureText(mean, 1)} % on average, between ${figureText(lowest, 1)} and ${figureText(highest, 1)} %, ${figureText(last, 1)} % at the end${aim}.`,
    chart: timeChart({
      t,
      lines: [{ name: 'Share in dollars', colour: 'green', values: share }],
      step: true,
      level: hasTarget ? { name: `Target ${figureText(target, 1)} %`, value: target } : null,
      lowest: 0,
      highest: 100,
    }),
  }
}

/** A series of the strategy's own. */
export function plotFigure({ name, t, values }: ReportData['plots'][number], index: number): Figure {
  const { mean, lowest, highest, last } = seriesSummary(t, values)
  const digits = highest - lowest < 10 ? 4 : 1
  return {
    id: `plot-${String.fromCodePoint(97 + index)}`,
    title: name,
    unit: 'plotted by the strategy',
    digits,
    words: `Over time ${figureText(mean, digits)} on average, between ${figureText(lowest, digits)} and ${figureText(highest, digits)}, ${figureText(last, digits)} at the end.`,
    chart: timeChart({ t, lines: [{ name, colour: 'blue', values }], step: true }),
  }
}

/** Edge that remains some time after the fills. */
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
        : `Earned per dollar traded by then, in bps: ${known.map(pointWords).join('; ')}.`,
    chart: pointsChart(
      'points',
      'fills',
      known.map(({ horizon, bps, ci90, fills }) => ({
        label: horizon,
        value: bps,
        interval: ci90,
        note: figureText(fills, 0),
      })),
    ),
  }
}

function pointWords({ horizon, bps, ci90, fills }: ReportData['markouts'][number]): string {
  const interval =
    ci90 === null ? ', no interval' : ` (${figureText(ci90[0], 1)} to ${figureText(ci90[1], 1)})`
  return `${horizon} ${figureText(bps, 1)}${interval}, ${figureText(fills, 0)} ${fills === 1 ? 'fill' : 'fills'}`
}

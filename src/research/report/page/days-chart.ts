import uPlot from 'uplot'
import { DAY_MS } from '../../../base/time.ts'
import { drawLevel, roomyRange, timeValues, utcDate } from '../../../base/charts/axes.ts'
import { colourOf } from '../../../base/charts/colours.ts'
import type { DaysChart } from '../figures/figure.ts'
import { FOLLOWING_CURSOR, frame, pathsOf, type ChartPlace, type PageLine } from './chart.ts'
import { momentText } from '../../../base/text/times.ts'

/** Narrower days leave no room for bars. */
const NARROWEST_DAY = 8
const TICK_DAYS = [1, 2, 5, 10, 30, 60, 90, 180, 365]

/** Draws one bar per day, or step lines if there are too many days. All days are always shown, because the other charts' zoom is finer. */
export function daysChart({ chart, box, readout }: ChartPlace<DaysChart>): uPlot {
  const midnights = Float64Array.from(chart.t, Number)
  const hasBars = box.clientWidth / midnights.length >= NARROWEST_DAY
  const t = hasBars ? midnights.map((midnight) => midnight + DAY_MS / 2) : midnights
  const window: [number, number] = [midnights[0] ?? 0, (midnights.at(-1) ?? 0) + DAY_MS]
  const common = frame(chart.unit, box, 'UTC', {
    values: timeValues,
    incrs: TICK_DAYS.map((days) => days * DAY_MS),
  })
  const options: uPlot.Options = {
    ...common,
    ms: 1,
    tzDate: utcDate,
    scales: {
      x: { time: true, range: () => window },
      y: { range: (_u, low, high) => (chart.percent ? [0, 100] : roomyRange(low, high, { level: 0 })) },
    },
    series: [
      {},
      ...chart.lines.map((line, index) =>
        hasBars ? barsOf(line, sideOf(index, chart.lines.length)) : stepsOf(line),
      ),
    ],
    cursor: { y: false, points: { show: false }, drag: { x: false, y: false }, sync: FOLLOWING_CURSOR },
    hooks: {
      ...common.hooks,
      ...(chart.percent ? {} : { draw: [(u: uPlot) => drawLevel(u, 0, colourOf('ink', 0.7))] }),
      setCursor: [
        (u) => {
          const { idx } = u.cursor
          if (idx === null || idx === undefined) return readout.rest()
          readout.show(momentText(midnights[idx] ?? 0, Infinity), (line) => u.data[line]?.[idx])
        },
      ],
    },
  }
  return new uPlot(options, [t, ...chart.lines.map(({ values }) => values)] as uPlot.AlignedData, box)
}

/** Returns on which side of the middle of its day a bar is: a single bar is in the middle. */
function sideOf(index: number, lines: number): -1 | 0 | 1 {
  return lines === 1 ? 0 : index === 0 ? -1 : 1
}

function barsOf({ colour }: PageLine, align: -1 | 0 | 1): uPlot.Series {
  const paths = uPlot.paths.bars?.({ size: [0.4, 28], align })
  return {
    stroke: () => colourOf(colour),
    fill: () => colourOf(colour, 0.75),
    width: 0,
    ...(paths === undefined ? {} : { paths }),
    points: { show: false },
  }
}

function stepsOf({ colour }: PageLine): uPlot.Series {
  return { stroke: () => colourOf(colour), width: 1.25, paths: pathsOf(true, true), points: { show: false } }
}

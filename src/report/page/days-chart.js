import { colourOf } from './colours.js'
import { frame } from './frame.js'
import { DAY_MS, timeText, timeTicks } from './time-text.js'

/** Days narrower than this have no room for bars. */
const NARROWEST_DAY = 8

/**
 * Draws bars by day, one beside the other, or step lines where there are too many days. All days are always
 * shown: the other charts' zoom is finer.
 */
export function daysChart({ chart, columns, box, readout }) {
  const midnights = columns[chart.x]
  const hasBars = box.clientWidth / midnights.length >= NARROWEST_DAY
  const t = hasBars ? midnights.map((midnight) => midnight + DAY_MS / 2) : midnights
  const window = [midnights[0], midnights[midnights.length - 1] + DAY_MS]
  const common = frame({
    unit: chart.unit,
    box,
    corner: 'UTC',
    xAxis: {
      values: (u, ticks, index, space, step) => timeTicks(ticks, step),
      incrs: [1, 2, 5, 10, 30, 60, 90, 180, 365].map((days) => days * DAY_MS),
    },
  })
  return new uPlot(
    {
      ...common,
      ms: 1,
      tzDate: (t) => uPlot.tzDate(new Date(t), 'UTC'),
      scales: { x: { time: true, range: () => window }, y: { range: () => [0, 100] } },
      series: [{}, ...chart.lines.map((line, index) => (hasBars ? barsOf(line, index) : stepsOf(line)))],
      cursor: {
        y: false,
        points: { show: false },
        drag: { x: false, y: false },
        sync: { key: 'time', scales: ['x', null], filters: { pub: (type) => type === 'mousemove' } },
      },
      hooks: {
        ...common.hooks,
        setCursor: [
          (u) => {
            const { idx } = u.cursor
            if (idx === null || idx === undefined) return readout.rest()
            readout.show(timeText(midnights[idx], Infinity).slice(0, -11), (line) => u.data[line][idx])
          },
        ],
      },
    },
    [t, ...chart.lines.map(({ y }) => columns[y])],
    box,
  )
}

function barsOf({ colour }, index) {
  return {
    stroke: () => colourOf(colour),
    fill: () => colourOf(colour, 0.75),
    width: 0,
    paths: uPlot.paths.bars({ size: [0.4, 28], align: [-1, 1][index] }),
    points: { show: false },
  }
}

function stepsOf({ colour }) {
  return {
    stroke: () => colourOf(colour),
    width: 1.25,
    paths: uPlot.paths.stepped({ align: 1, extend: true }),
    points: { show: false },
  }
}

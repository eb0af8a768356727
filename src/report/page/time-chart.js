import { colourOf } from './colours.js'
import { drawLevel, frame, roomyRange } from './frame.js'
import { createMarkers } from './markers.js'
import { timeText, timeTicks } from './time-text.js'

const DASHES = { solid: [], dashed: [6, 4], dotted: [2, 3] }

/** Draws lines over time, with what belongs to them, into a box. */
export function timeChart({ chart, columns, box, readout, zoom, near }) {
  const markers = chart.markers && createMarkers(chart.markers, columns)
  const lines = chart.lines.map(({ y }) => columns[y])
  const shaded = chart.band ? [columns[chart.band.low], columns[chart.band.high]] : []
  const common = frame({
    unit: chart.unit,
    box,
    corner: 'UTC',
    xAxis: { values: (u, ticks, index, space, step) => timeTicks(ticks, step) },
  })
  const options = {
    ...common,
    ms: 1,
    tzDate: (t) => uPlot.tzDate(new Date(t), 'UTC'),
    scales: {
      x: { time: true, range: () => zoom.shown() },
      y: { range: (u, low, high) => roomyRange(low, high, chart) },
    },
    series: [
      {},
      ...chart.lines.map((line, index) => lineSeries(line, lines[index], chart, index)),
      ...shaded.map(() => ({ stroke: 'transparent', width: 0, points: { show: false } })),
    ],
    bands: chart.band
      ? [{ series: [lines.length + 2, lines.length + 1], fill: () => colourOf(chart.lines[0].colour, 0.16) }]
      : [],
    cursor: cursorOf(chart, zoom),
    hooks: {
      ...common.hooks,
      draw: [
        (u) => {
          if (chart.level !== null) drawLevel(u, chart.level)
          markers?.draw(u)
        },
      ],
      setSelect: [(u) => selected(u, zoom)],
      setCursor: [(u) => tell(u, readout, zoom, markers, near)],
    },
  }
  const u = new uPlot(options, [columns[chart.x], ...lines, ...shaded], box)
  zoom.plots.push(u)
  return u
}

function lineSeries({ colour, stroke }, values, { step, toZero, markers }, index) {
  const alone = lonely(values)
  return {
    stroke: () => colourOf(colour),
    // Thin where markers must stand out from it, thick for the sum of the others.
    width: markers ? 1 : colour === 'ink' ? 2 : 1.5,
    dash: DASHES[stroke],
    paths: step ? uPlot.paths.stepped({ align: 1 }) : uPlot.paths.linear(),
    ...(toZero && index === 0 ? { fill: () => colourOf(colour, 0.18), fillTo: 0 } : {}),
    points: { show: false, filter: () => alone, size: 5, fill: () => colourOf(colour) },
  }
}

/** Points with a hole on either side, which no line would show; null where there are none. */
function lonely(values) {
  const isHole = (i) => values[i] === null || values[i] === undefined
  const found = [...values.keys()].filter((i) => !isHole(i) && isHole(i - 1) && isHole(i + 1))
  return found.length === 0 ? null : found
}

function cursorOf({ step }, zoom) {
  return {
    y: false,
    points: { show: false },
    drag: { x: true, y: false, setScale: false },
    bind: { dblclick: () => zoom.reset },
    sync: { key: 'time', scales: ['x', null], filters: { pub: (type) => type === 'mousemove' } },
    // On a step line the value that holds is the one before, however near the next one is.
    dataIdx: (u, index, nearest, t) =>
      step && nearest > 0 && u.data[0][nearest] > t ? nearest - 1 : nearest,
  }
}

function selected(u, zoom) {
  const { left, width } = u.select
  if (width < 4) return
  zoom.show(u.posToVal(left, 'x'), u.posToVal(left + width, 'x'))
  u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false)
}

function tell(u, readout, zoom, markers, near) {
  const { left, idx, idxs } = u.cursor
  const isOn = left >= 0 && idx !== null && idx !== undefined
  // A cursor that only follows another chart's has no event, and its height means nothing here.
  near?.show(isOn && u.cursor.event ? markers.near(u) : '')
  if (!isOn) return readout.rest()
  const [from, to] = zoom.shown()
  readout.show(timeText(u.posToVal(left, 'x'), to - from), (line) => u.data[line][idxs[line]])
}

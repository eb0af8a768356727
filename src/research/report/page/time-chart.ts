import uPlot from 'uplot'
import { drawLevel, roomyRange, timeValues, utcDate } from '../../../base/charts/axes.ts'
import { colourOf } from '../../../base/charts/colours.ts'
import type { TimeChart } from '../figures/figure.ts'
import {
  bandOf,
  dashOf,
  dataIndexOf,
  FOLLOWING_CURSOR,
  frame,
  pathsOf,
  type ChartPlace,
  type PageLine,
} from './chart.ts'
import { createMarkers, type FillMarkers } from './markers.ts'
import type { PageChart, PageColumn } from './unpack.ts'
import { momentText } from '../../../base/text/times.ts'
import type { Zoom } from './zoom.ts'

const NARROWEST_SELECTION = 4

/** Draws lines over time with their bands, markers and levels into a box. */
export function drawTimeChart(place: ChartPlace<TimeChart>): uPlot {
  const { chart, box, zoom } = place
  const { lines, step, lowest, highest } = chart
  const level = chart.level?.value ?? null
  const markers = chart.markers ? createMarkers(chart.markers) : null
  const band = bandOf(chart.band, lines.length, lines[0]?.colour ?? 'ink')
  const common = frame(chart.unit, box, 'UTC', { values: timeValues })
  const options: uPlot.Options = {
    ...common,
    ms: 1,
    tzDate: utcDate,
    scales: {
      x: { time: true, range: () => [...zoom.shown()] as [number, number] },
      y: { range: (_u, low, high) => roomyRange(low, high, { level, lowest, highest }) },
    },
    series: [{}, ...lines.map((line, index) => lineSeries(line, chart, index)), ...band.series],
    bands: band.bands,
    cursor: cursorOf(step, zoom),
    hooks: {
      ...common.hooks,
      draw: [
        (u) => {
          if (level !== null) drawLevel(u, level, colourOf('ink', 0.7), [2, 3])
          markers?.draw(u)
        },
      ],
      setSelect: [(u) => zoomToSelection(u, zoom)],
      setCursor: [(u) => showCursor(u, place, markers)],
    },
  }
  const data = [chart.t, ...lines.map(({ values }) => values), ...band.data]
  const u = new uPlot(options, data as uPlot.AlignedData, box)
  zoom.plots.push(u)
  return u
}

function lineSeries(
  line: PageLine,
  { step, toZero, markers }: PageChart<TimeChart>,
  index: number,
): uPlot.Series {
  const { colour } = line
  const alone = lonely(line.values)
  return {
    stroke: () => colourOf(colour),
    // Thin under markers, which must remain visible; thick for the sum of the other lines.
    width: markers ? 1 : colour === 'ink' ? 2 : 1.5,
    dash: dashOf(line),
    paths: pathsOf(step),
    ...(toZero && index === 0 ? { fill: () => colourOf(colour, 0.18), fillTo: 0 } : {}),
    points: { show: false, filter: () => alone, size: 5, fill: () => colourOf(colour) },
  }
}

/** Returns isolated points between gaps, which no line would show; null = none exist. */
function lonely(values: PageColumn): number[] | null {
  const isHole = (i: number) => values[i] === null || values[i] === undefined
  const found = [...values.keys()].filter((i) => !isHole(i) && isHole(i - 1) && isHole(i + 1))
  return found.length === 0 ? null : found
}

function cursorOf(isStepped: boolean | undefined, zoom: Zoom): uPlot.Cursor {
  return {
    y: false,
    points: { show: false },
    drag: { x: true, y: false, setScale: false },
    bind: {
      dblclick: () => () => {
        zoom.reset()
        return null
      },
    },
    sync: FOLLOWING_CURSOR,
    dataIdx: dataIndexOf(isStepped),
  }
}

function zoomToSelection(u: uPlot, zoom: Zoom): void {
  const { left, width } = u.select
  if (width < NARROWEST_SELECTION) return
  zoom.show(u.posToVal(left, 'x'), u.posToVal(left + width, 'x'))
  u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false)
}

function showCursor(
  u: uPlot,
  { readout, zoom, near }: ChartPlace<TimeChart>,
  markers: FillMarkers | null,
): void {
  const { left = -1, idx, idxs } = u.cursor
  const isOn = left >= 0 && idx !== null && idx !== undefined
  // A cursor that follows another chart has no event, and its height is meaningless here.
  near?.show(isOn && u.cursor.event && markers !== null ? markers.near(u) : '')
  if (!isOn) return readout.rest()
  const [from, to] = zoom.shown()
  readout.show(momentText(u.posToVal(left, 'x'), to - from), (line) => u.data[line]?.[idxs?.[line] ?? -1])
}

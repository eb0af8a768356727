import type { ReportTable } from '../report-data.ts'
import { floatText } from '../../../base/text/numbers.ts'
import type { Interval } from '../../backtest/result.ts'

/** A colour's name in page/colours.css: eight that colour-blind readers tell apart, and the text's own. */
export type Colour = 'blue' | 'red' | 'green' | 'purple' | 'ochre' | 'sky' | 'pink' | 'grey' | 'ink'

export type ChartLine = {
  readonly name: string
  readonly colour: Colour
  /** Absent = solid. */
  readonly stroke?: 'dashed' | 'dotted'
  readonly values: Float64Array
}

/** A shaded area around the first line of a chart. */
export type Band = { readonly name: string; readonly low: Float64Array; readonly high: Float64Array }

/** Lines over time. All times in milliseconds since the epoch. */
export type TimeChart = {
  readonly kind: 'time'
  readonly t: Float64Array
  readonly lines: readonly ChartLine[]
  /** Each point holds until the next one, instead of a straight line to it. */
  readonly step?: boolean
  readonly band?: Band | null
  /** Shades the area between the first line and zero. */
  readonly toZero?: boolean
  /** A horizontal line; one without a name is not in the legend. */
  readonly level?: { readonly name?: string; readonly value: number } | null
  readonly markers?: Markers | null
  /** Limits of the vertical axis; absent = it follows the lines. */
  readonly lowest?: number
  readonly highest?: number
}

/** Fills on a TimeChart: a marker's area is proportional to its dollars; a synthetic fill is hollow. */
export type Markers = {
  readonly t: Float64Array
  readonly price: Float64Array
  readonly usd: Float64Array
  /** Bit 0: at the bid; bit 1: synthetic. */
  readonly flags: Uint8Array
}

/** Bars by UTC day, side by side. */
export type DaysChart = {
  readonly kind: 'days'
  readonly t: Float64Array
  readonly lines: readonly ChartLine[]
  /** Percentages use an axis from 0 to 100; any other axis fits the values and includes zero. */
  readonly percent?: boolean
}

/** Lines and measured points over a number, such as a histogram or a curve with its measurements. */
export type PlaneChart = {
  readonly kind: 'plane'
  /** Unit of the horizontal axis. */
  readonly xUnit: string
  /** Ascending. */
  readonly x: Float64Array
  readonly lines: readonly ChartLine[]
  /** Each value holds up to the next `x`, instead of a straight line to it. */
  readonly step?: boolean
  readonly band?: Band
  /** The first line is shaded down to zero. */
  readonly toZero?: boolean
  /** Measured points, drawn with the lines. */
  readonly points?: { readonly name: string; readonly all: readonly PlanePoint[] } | null
}

export type PlanePoint = {
  readonly x: number
  readonly y: number
  readonly interval?: Interval
  /** Shown to a reader who points at it. */
  readonly label: string
}

/** Points with their intervals, in the order given. `rows` gives each a row with its whole name, for long names. */
export type PointsChart = {
  readonly kind: 'points' | 'rows'
  readonly points: readonly ChartPoint[]
  /** The unit of the notes, such as 'fills'. */
  readonly noteOf: string
}

export type ChartPoint = {
  readonly label: string
  readonly value: number
  readonly interval?: Interval
  readonly note: string
}

export type Chart = TimeChart | DaysChart | PlaneChart | PointsChart

export type Figure = {
  /** Letters and hyphens, unique on the page. */
  readonly id: string
  readonly title: string
  /** Unit of the vertical axis. */
  readonly unit: string
  /** Decimals of the figures next to the chart. */
  readonly digits: number
  /** Summary in words: shown below the title, and read aloud instead of the chart. */
  readonly words: string
  /** Absent = half of the page's width. */
  readonly size?: 'whole'
  /** Absent = middle. */
  readonly height?: 'low' | 'tall'
  /** Null = nothing to draw; `words` gives the reason. */
  readonly chart: Chart | null
  /** The figures themselves, below the chart; a table without rows is not shown. */
  readonly table?: ReportTable
}

/** Returns the chart of these points, or null without a point. */
export function pointsChart(
  kind: PointsChart['kind'],
  noteOf: string,
  points: readonly ChartPoint[],
): PointsChart | null {
  return points.length === 0 ? null : { kind, noteOf, points }
}

/** Returns '-1,234.50' with that number of decimals, 'unknown' for a figure that is not finite, and never '-0'. */
export function figureText(value: number, digits: number): string {
  return Number.isFinite(value) ? floatText(value, digits) : 'unknown'
}

/** Returns a figure with its sign: '+1,234.50'. */
export function signedText(value: number, digits: number): string {
  return Number.isFinite(value) ? floatText(value, digits, 'plus') : 'unknown'
}

/** Returns the text with non-breaking spaces. */
export function unbroken(text: string): string {
  return text.replaceAll(' ', '\u00a0')
}

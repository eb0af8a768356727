import type { ReportTable } from '../report-data.ts'
import { floatText } from '../../../base/text/numbers.ts'

/** A colour's name in page/colours.css: eight that colour-blind readers tell apart, and the text's own. */
export type Colour = 'blue' | 'red' | 'green' | 'purple' | 'ochre' | 'sky' | 'pink' | 'grey' | 'ink'

export type ChartLine = {
  readonly name: string
  readonly colour: Colour
  readonly stroke: 'solid' | 'dashed' | 'dotted'
  readonly values: Float64Array
}

/** Lines over time. All times in milliseconds since the epoch. */
export type TimeChart = {
  readonly kind: 'time'
  readonly t: Float64Array
  readonly lines: readonly ChartLine[]
  /** Each point holds until the next one, instead of a straight line to it. */
  readonly step: boolean
  /** A shaded area behind the first line. */
  readonly band: { readonly name: string; readonly low: Float64Array; readonly high: Float64Array } | null
  /** The first line is shaded down (or up) to zero. */
  readonly toZero: boolean
  /** A horizontal line; one without a name is not in the legend. */
  readonly level: { readonly name: string | null; readonly value: number } | null
  readonly markers: Markers | null
  /** What the vertical axis may not go beyond; null = it follows the lines. */
  readonly lowest: number | null
  readonly highest: number | null
}

/** Fills on a TimeChart: the area of a marker goes with its dollars, a synthetic one is hollow. */
export type Markers = {
  readonly t: Float64Array
  readonly price: Float64Array
  readonly usd: Float64Array
  /** Bit 0: at the bid; bit 1: synthetic. */
  readonly flags: Uint8Array
}

/** Bars by UTC day, one beside the other. */
type DaysChart = {
  readonly kind: 'days'
  readonly t: Float64Array
  readonly lines: readonly ChartLine[]
  /** Values in percent have an axis from 0 to 100; others have one of their own, with zero on it. */
  readonly percent: boolean
}

/** Lines and measured points over a number: what a histogram and a curve with its measurements are. */
export type PlaneChart = {
  readonly kind: 'plane'
  /** What the horizontal axis counts. */
  readonly xUnit: string
  /** Ascending. */
  readonly x: Float64Array
  readonly lines: readonly ChartLine[]
  /** Each value holds up to the next `x`, instead of a straight line to it. */
  readonly step: boolean
  /** A shaded area around the first line. */
  readonly band: { readonly name: string; readonly low: Float64Array; readonly high: Float64Array } | null
  /** The first line is shaded down to zero. */
  readonly toZero: boolean
  /** Measured beside the lines; NaN in `low` and `high` = no interval. Without a name there is no legend of them. */
  readonly points: {
    readonly name: string
    readonly all: readonly {
      readonly x: number
      readonly y: number
      readonly low: number
      readonly high: number
      /** What it is, for a reader who points at it. */
      readonly label: string
    }[]
  } | null
}

/** Points with their intervals, in the order given. */
type PointsChart = {
  readonly kind: 'points'
  readonly points: readonly {
    readonly label: string
    readonly value: number
    readonly low: number
    readonly high: number
    readonly note: string
  }[]
  /** What the notes count, such as 'fills'. */
  readonly noteOf: string
}

/** The same with a row for each point and its whole name beside it: what is compared has long names. */
type RowsChart = Omit<PointsChart, 'kind'> & { readonly kind: 'rows' }

export type Chart = TimeChart | DaysChart | PlaneChart | PointsChart | RowsChart

export type Figure = {
  /** Of letters and hyphens, unique on the page. */
  readonly id: string
  readonly title: string
  /** What the vertical axis counts. */
  readonly unit: string
  /** Decimals of the figures beside the chart. */
  readonly digits: number
  /** In words what matters of it: shown below the title, and read out instead of the picture. */
  readonly words: string
  readonly size: 'half' | 'whole'
  readonly height: 'low' | 'middle' | 'tall'
  /** Null = there is nothing to draw, and `words` says why. */
  readonly chart: Chart | null
  /** The figures themselves, below the chart; a folded one opens where someone asks for it. */
  readonly table?: ReportTable
}

/** '-1,234.50' with so many decimals; a figure that is not finite is 'unknown'. Never '-0'. */
export function figureText(value: number, digits: number): string {
  return Number.isFinite(value) ? floatText(value, digits) : 'unknown'
}

/** A dollar amount, or whatever counts by sign: '+1,234.50'. */
export function signedText(value: number, digits: number): string {
  return Number.isFinite(value) ? floatText(value, digits, 'plus') : 'unknown'
}

/** The text with spaces that no line breaks at. */
export function unbroken(text: string): string {
  return text.replaceAll(' ', '\u00a0')
}

import type { Colour } from './figures/figure.ts'

/** The charts as `packCharts` writes them and the page reads them: columns are named by their numbers. */
export type PackedCharts = {
  /** From the first to the last time of any chart over time, milliseconds. */
  readonly window: readonly [number, number]
  readonly charts: readonly PackedChart[]
  readonly columns: readonly ColumnHead[]
}

/** What the page must know to read a column back. */
export type ColumnHead = {
  readonly kind: 'time' | 'value' | 'flags'
  readonly count: number
  readonly base: number
  readonly step: number
}

export type PackedLine = {
  readonly colour: Colour
  readonly stroke: 'solid' | 'dashed' | 'dotted'
  readonly y: number
}

type Common = { readonly id: string; readonly unit: string; readonly digits: number }

export type PackedTimeChart = Common & {
  readonly kind: 'time'
  readonly x: number
  readonly lines: readonly PackedLine[]
  readonly band: { readonly low: number; readonly high: number } | null
  readonly markers: PackedMarkers | null
  readonly step: boolean
  readonly toZero: boolean
  readonly level: number | null
  readonly lowest: number | null
  readonly highest: number | null
}

export type PackedMarkers = {
  readonly t: number
  readonly price: number
  readonly usd: number
  readonly flags: number
}

export type PackedDaysChart = Common & {
  readonly kind: 'days'
  readonly x: number
  readonly lines: readonly PackedLine[]
  readonly percent: boolean
}

export type PackedPlaneChart = Common & {
  readonly kind: 'plane'
  readonly xUnit: string
  readonly x: number
  readonly lines: readonly PackedLine[]
  readonly band: { readonly low: number; readonly high: number } | null
  readonly step: boolean
  readonly toZero: boolean
  readonly points: readonly PackedPlanePoint[]
}

export type PackedPlanePoint = {
  readonly x: number
  readonly y: number
  /** JSON has no NaN: a bound that is not known is null. */
  readonly low: number | null
  readonly high: number | null
  readonly label: string
}

export type PackedPoint = {
  readonly label: string
  readonly value: number
  /** JSON has no NaN: a bound that is not known is null. */
  readonly low: number | null
  readonly high: number | null
  readonly note: string
}

export type PackedPointsChart = Common & {
  readonly kind: 'points' | 'rows'
  readonly points: readonly PackedPoint[]
  readonly noteOf: string
}

export type PackedChart = PackedTimeChart | PackedDaysChart | PackedPlaneChart | PackedPointsChart

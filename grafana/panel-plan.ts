/** One query of a panel: PromQL, and how a series of it is called; in a table, the column. */
export type PanelQuery = { readonly expr: string; readonly legend: string } & Partial<Look>

/** How a figure is shown. */
export type Look = {
  /** A unit of Grafana's, or one of UNITS. */
  readonly unit: string
  readonly decimals: number
  /** What is fine and what is not, from the lowest value up. */
  readonly colours: readonly { readonly from: number | null; readonly colour: string }[]
  /** What a figure means in a word, with its colour. */
  readonly words: Readonly<Record<string, readonly [text: string, colour: string]>>
}

export type PanelPlan = {
  /** timeline: what held when; table: one line a position. */
  readonly kind: 'stat' | 'chart' | 'timeline' | 'table'
  readonly title: string
  /** Shown at the panel's corner: what the figure says and when to worry. */
  readonly description: string
  /** Of the 24 columns. */
  readonly width: number
  readonly queries: readonly PanelQuery[]
  /** For a stat whose series' name is the message. */
  readonly showName?: boolean
  /** For a chart: areas on top of each other, whose sum is the message. */
  readonly stacked?: boolean
} & Partial<Look>

export type RowPlan = { readonly title: string; readonly panels: readonly PanelPlan[] }

export type DashboardPlan = {
  readonly uid: string
  readonly title: string
  readonly description: string
  /**
   * Which positions can be chosen: a single one; several, of which it opens with the first, because the lines of hundreds
   * are no picture; or all, with which it opens. Where it can be more than one, legends name them.
   */
  readonly positions: 'one' | 'first' | 'all'
  readonly rows: readonly RowPlan[]
}

/** Matches the positions chosen at the top of the dashboard. */
export const CHOSEN = 'position=~"$position"'

export const UNITS = {
  bps: 'suffix: bps',
  tzs: 'suffix: TZS',
  usd: 'currencyUSD',
  count: 'none',
  seconds: 's',
} as const

/** One query of a panel: PromQL, and how a series of it is called in the legend. */
export type PanelQuery = { readonly expr: string; readonly legend: string }

export type PanelPlan = {
  readonly kind: 'stat' | 'chart'
  readonly title: string
  /** Shown at the panel's corner: what the figure says and when to worry. */
  readonly description: string
  /** A unit of Grafana's; 'none' for bare numbers. */
  readonly unit: string
  readonly decimals?: number
  /** Of the 24 columns. */
  readonly width: number
  readonly queries: readonly PanelQuery[]
  /** For a stat: what is fine and what is not, from the lowest value up. */
  readonly colours?: readonly { readonly from: number | null; readonly colour: string }[]
  /** For a stat whose series' name is the message. */
  readonly showName?: boolean
}

export type RowPlan = { readonly title: string; readonly panels: readonly PanelPlan[] }

/** Matches the positions chosen at the top of the dashboard. */
export const CHOSEN = 'position=~"$position"'

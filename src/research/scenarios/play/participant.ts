import type { TakerSide } from '../draw/takers.ts'

/** A half-spread on each side, bps of the mid; null = the side is off. */
export type Quotes = { readonly bidBps: number | null; readonly askBps: number | null }

/** A trade with us. `ask` = we bought `usd` below the mid, `bid` = we sold them above it. */
export type WorldFill = {
  readonly what: 'fill'
  readonly hour: number
  readonly side: TakerSide
  readonly usd: number
  readonly bps: number
  /** The mid at that moment, in log bps from the opening mid. */
  readonly midBps: number
  readonly by: 'retail' | 'informed'
}

/** Both sides returned to their targets: `usd` dollars arrived (negative: left) against shillings of equal value. */
type Restocking = {
  readonly what: 'restocking'
  readonly hour: number
  readonly usd: number
  readonly midBps: number
}

export type WorldNews = WorldFill | Restocking

/** Information for a participant's decision. It excludes the true rate. */
export type WorldView = {
  readonly hour: number
  /** Each half hour, and at each update of the mid. */
  readonly cause: 'clock' | 'update'
  readonly midBps: number
  /** When the mid was published; negative = before the world began. */
  readonly midHour: number
  /** The reading of the feed at this half hour; null = no new reading, and the last one ages. */
  readonly feedBps: number | null
  /** Amount that each side can pay, in dollars' worth: `bid` in dollars, `ask` in shillings. */
  readonly stock: Readonly<Record<TakerSide, number>>
  /** Best spread of the other providers on each side; null = no provider quotes it. */
  readonly others: Quotes
  /** Whether probes can show our quotes: the router leaves out a suspended provider. */
  readonly isRouted: boolean
  /** Since the last decision, in order. */
  readonly news: readonly WorldNews[]
}

/** A quoting strategy: called at each decision; its quotes hold until the next one. */
export type Participant = (view: WorldView) => Quotes

/** Result of one world, dollars; the four parts sum to `pnlUsd` in whole millionths. */
export type WorldResult = {
  readonly pnlUsd: number
  /** Each fill at the true rate of its moment. */
  readonly retailUsd: number
  readonly informedUsd: number
  readonly restockingUsd: number
  /** Gain or loss from holding the position. */
  readonly carryUsd: number
  /** One entry per day, marked at the true rate. */
  readonly dailyUsd: readonly number[]
  /** Deepest fall of the marked PnL below its peak so far, half-hourly. */
  readonly drawdownUsd: number
  /** Share of the half hours in which a side could pay no more than 500 USD. */
  readonly emptyShare: number
  /** Mean distance from the opening position, half-hourly. */
  readonly inventoryUsd: number
  readonly fills: { readonly retail: number; readonly informed: number }
  readonly tradedUsd: number
  readonly restockings: number
}

import type { Binding, RecordedFill } from '../recorder.ts'

/** What we held: dollars at 18 decimals, and their share of all we held at the fair value. */
export type HeldDollars = { readonly dollars18: bigint; readonly share: number }

/** A fill with all that a list shows of it. */
export type Trade = RecordedFill & {
  /** The best other provider on its side; null = not known. */
  readonly bestOtherBps: number | null
  readonly before: HeldDollars
  readonly after: HeldDollars
  /** Of the decision that set the quote which the taker took; empty before the first one had arrived. */
  readonly because: readonly string[]
  readonly bound: readonly Binding[]
  /** By horizon, in the order of `horizons`; null = not known. */
  readonly markoutsBps: readonly (number | null)[]
}

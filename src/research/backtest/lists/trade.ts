import type { Binding, RecordedFill } from '../recorder.ts'

/** Dollars held, with 18 decimals, and their share of the position's value at the fair value. */
export type HeldDollars = { readonly dollars18: bigint; readonly share: number }

/** A fill with everything that a list shows. */
export type Trade = RecordedFill & {
  /** The best other provider on its side; null = unknown. */
  readonly bestOtherBps: number | null
  readonly before: HeldDollars
  readonly after: HeldDollars
  /** Reasons of the decision behind the filled quote; empty before the first decision took effect. */
  readonly because: readonly string[]
  readonly bound: readonly Binding[]
  /** Markouts in the order of `horizons`; null = unknown. */
  readonly markoutsBps: readonly (number | null)[]
}

import type { Ms } from '../base/time.ts'
import type { Asset } from '../money/asset.ts'
import type { Rate } from '../money/rate.ts'
import type { Side } from '../money/side.ts'

/** One minute of a position in plain numbers: whole tokens, TZS per USD, bps; null = not known then. */
export type SampleRow = {
  readonly t: Ms
  readonly mid: number | null
  readonly fairValue: number | null
  readonly bidBps: number | null
  readonly askBps: number | null
  readonly bestBidBps: number | null
  readonly bestAskBps: number | null
  readonly ntzs: number | null
  /** All dollars together. */
  readonly usd: number | null
  readonly postedSpread: number | null
  readonly staleMid: number | null
  readonly inventory: number | null
  readonly costs: number | null
  readonly unexplained: number | null
  readonly totalUsd: number | null
}

/** A fill as it was booked, in base units. */
export type FillRow = {
  readonly seq: number
  readonly n: number
  readonly id: string
  readonly side: Side
  readonly inAsset: Asset
  readonly amountIn: bigint
  readonly outAsset: Asset
  readonly amountOut: bigint
  readonly midAtFill: Rate | null
  readonly formula: string
  /** |dollars|, at 18 decimals. */
  readonly volumeUsd: bigint
  readonly txHash: string | null
  /** When it was executed; where the venue does not say, when it was booked. */
  readonly at: Ms
}

/** An observation as it was written: its type, and the observation as `encodeJson` wrote it. */
export type NoticeRecord = {
  readonly seq: number
  readonly n: number
  readonly t: Ms
  readonly type: string
  readonly body: string
}

/** Where reading stopped: the event's number and the place in it. */
export type Place = { readonly seq: number; readonly n: number }

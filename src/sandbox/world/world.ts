import type { Ms } from '../../base/time.ts'
import type { Amounts, Asset } from '../../money/asset.ts'
import type { Rate } from '../../money/rate.ts'

/** Something that happens at the venue without our doing. */
export type WorldStep = { readonly at: Ms } & (
  | { readonly type: 'print'; readonly mid: Rate }
  | {
      readonly type: 'swap'
      readonly taker: string
      readonly from: Asset
      readonly to: Asset
      readonly amountIn: bigint
      /** The taker swaps only at this spread against the venue's mid or better; negative = not at all. */
      readonly maxSpreadBps: number
    }
  | {
      readonly type: 'competitorQuote'
      readonly name: string
      /** Null = that side off. */
      readonly bidBps: number | null
      readonly askBps: number | null
    }
  | { readonly type: 'outage'; readonly untilMs: Ms }
  | { readonly type: 'notQuotable'; readonly untilMs: Ms }
)

export type CompetitorOpening = {
  readonly name: string
  readonly bidBps: number | null
  readonly askBps: number | null
  readonly amounts: Amounts
}

/** One run of a scenario: the same seed and start give the same steps, whatever anybody trades. */
export type World = {
  readonly openingMid: Rate
  readonly openingPrintedAt: Ms
  readonly competitors: readonly CompetitorOpening[]
  /** What the market pays for a dollar at that time, whatever the venue publishes; absent = nobody knows. */
  marketRateAt?(at: Ms): Rate
  /** When the next step happens. */
  peekAt(): Ms
  /** Takes the next step. `seenMid` is the venue's mid at that time, which takers look at. */
  next(seenMid: Rate): WorldStep
}

/** One cause of steps, in order of time. Infinity when it has no more. */
export type Source = {
  peekAt(): Ms
  next(seenMid: Rate): WorldStep
}

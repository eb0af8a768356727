import type { Ms } from '../../../base/time.ts'
import type { TokenAmounts, Asset } from '../../../base/money/asset.ts'
import type { Rate } from '../../../base/money/rate.ts'
import type { Side } from '../../../base/money/side.ts'
import type { Quotes } from '../../../research/scenarios/play/participant.ts'

/** An event at the venue that we do not cause. */
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
      /** An informed taker takes whole stocks, from the cheapest provider upward, while that pays. */
      readonly type: 'takeStocks'
      readonly taker: string
      readonly side: Side
      /** Spreads below this one pay. */
      readonly limitBps: number
      /** Maximum amount that it takes, whole dollars. */
      readonly usd: number
    }
  | {
      readonly type: 'competitorQuote'
      readonly name: string
      /** Null = that side off. */
      readonly bidBps: number | null
      readonly askBps: number | null
    }
  | {
      /** Our dollars return to the opening amount, against shillings at this rate. */
      readonly type: 'restock'
      readonly rate: Rate
      /** Only if a side holds less than this share of its opening; null = always. */
      readonly belowShare: number | null
      /** Share of the moved amount. */
      readonly costBps: number
    }
  | { readonly type: 'outage'; readonly untilMs: Ms }
  | { readonly type: 'notQuotable'; readonly untilMs: Ms }
)

export type CompetitorOpening = {
  readonly name: string
  readonly bidBps: number | null
  readonly askBps: number | null
  readonly amounts: TokenAmounts
  /** Small takers do not deplete it, and a day after an informed one it is full again. Default no. */
  readonly refills?: boolean
}

/** One run of a market: equal arguments give equal steps, except for rivals that react to our quote. */
export type World = {
  readonly openingMid: Rate
  readonly openingPrintedAt: Ms
  readonly competitors: readonly CompetitorOpening[]
  /** The market price of a dollar at that time, regardless of the venue's publications; absent = unknown. */
  marketRateAt?(at: Ms): Rate
  /** When the next step happens. */
  peekAt(): Ms
  /**
   * Takes the next step. `seenMid` is the venue's mid at that time, `shown` returns the visible part of our quote; both influence rivals.
   */
  next(seenMid: Rate, shown: () => Quotes): WorldStep
}

import type { Ms } from '../../base/time.ts'
import type { PositionView } from '../../view/position-view.ts'

/** What the page is sent by GET /api/v1/stream (server-sent events); `type` is the event's name too. */
export type StreamMessage =
  /** The first message of every connection. */
  | {
      readonly type: 'hello'
      readonly version: string
      readonly now: Ms
      readonly positions: readonly string[]
      /** Whether commands can be given at all: a token is configured. */
      readonly takesCommands: boolean
    }
  /** A position as it is now: when it changed, at most a few times a second, and at least every two seconds. */
  | { readonly type: 'state'; readonly position: string; readonly view: PositionView }
  /** A position does not answer. */
  | { readonly type: 'silent'; readonly position: string; readonly why: string }
  | { readonly type: 'notice'; readonly position: string; readonly notice: NoticeRow }
  /** The reader was too slow: so many messages were left out for it. */
  | { readonly type: 'dropped'; readonly count: number }

/** One line of the event log, as the store has it. */
export type NoticeRow = {
  /** Event number and place in it: where to go on reading. */
  readonly id: string
  readonly t: Ms
  /** The observation's type: alert, tradingStateChanged, refusal, requote, operator, orderPlaced ... */
  readonly kind: string
  readonly severity: 'info' | 'warning' | 'critical'
  /** A sentence. */
  readonly text: string
}

/** GET /api/v1/notices, newest first. `next` continues; null = that was all. */
export type NoticesAnswer = { readonly notices: readonly NoticeRow[]; readonly next: string | null }

/** One fill with what it earned. Amounts are exact decimal text; bps are numbers. */
export type FillAnswerRow = {
  readonly id: string
  readonly at: Ms
  readonly side: 'bid' | 'ask'
  readonly amountIn: string
  readonly inAsset: string
  readonly amountOut: string
  readonly outAsset: string
  readonly usd: number
  /** Earned against the mid at the fill, after the fee that we paid, bps of its dollars; null where no mid was known. */
  readonly edgeBps: number | null
  /** What the mid did for us within that time after it, bps, ours positive; null = not so long ago yet. */
  readonly markoutBps: { readonly m5: number | null; readonly h1: number | null; readonly d1: number | null }
  readonly formula: string
  readonly txHash: string | null
}

/** GET /api/v1/fills, newest first. */
export type FillsAnswer = { readonly fills: readonly FillAnswerRow[]; readonly next: string | null }

/**
 * GET /api/v1/history: columns of equal length over [from, to], at most `points` of them, evenly spaced by
 * `stepMs`. A value is the last one at or before its moment; null = not known then. Fills are counted per step.
 */
export type HistoryAnswer = {
  readonly from: Ms
  readonly to: Ms
  readonly stepMs: Ms
  readonly t: readonly Ms[]
  readonly mid: readonly (number | null)[]
  readonly fairValue: readonly (number | null)[]
  readonly bidBps: readonly (number | null)[]
  readonly askBps: readonly (number | null)[]
  readonly bestBidBps: readonly (number | null)[]
  readonly bestAskBps: readonly (number | null)[]
  /** Holdings in whole tokens, and the share of the value in dollars, 0..1. */
  readonly ntzs: readonly (number | null)[]
  readonly usd: readonly (number | null)[]
  readonly usdShare: readonly (number | null)[]
  /** PnL since the start, TZS, by component, and the total in dollars. */
  readonly pnl: {
    readonly spreadCapture: readonly (number | null)[]
    readonly staleMid: readonly (number | null)[]
    readonly inventory: readonly (number | null)[]
    readonly costs: readonly (number | null)[]
    readonly unreconciled: readonly (number | null)[]
    readonly totalUsd: readonly (number | null)[]
  }
  readonly fills: { readonly bid: readonly number[]; readonly ask: readonly number[] }
  /** Halts and reloads within the range. */
  readonly marks: readonly {
    readonly t: Ms
    readonly kind: 'halt' | 'resume' | 'reload'
    readonly text: string
  }[]
}

/** POST /api/v1/preview: what would stand now under other parameters; nothing is changed. */
export type PreviewAnswer = {
  readonly ok: boolean
  /** Why the change cannot be taken; null where it can. */
  readonly problem: string | null
  readonly before: PreviewedQuote
  readonly after: PreviewedQuote | null
}

export type PreviewedQuote = {
  readonly bidBps: number | null
  readonly askBps: number | null
  readonly tradingState: string
  readonly because: readonly string[]
}

/** GET /api/v1/parameters: what the strategy runs with, and what its own schema lets be set. */
export type ParametersAnswer = {
  readonly use: string
  readonly params: unknown
  /** JSON Schema of the parameters; null = it cannot be written as one. */
  readonly schema: object | null
  /** What operators set and the file has otherwise; it lasts until the daemon is started anew. */
  readonly changed: readonly { readonly path: string; readonly file: unknown; readonly now: unknown }[]
  /** What may be set without touching the file: paths that are one of these, or lie below one. */
  readonly changeable: readonly string[]
}

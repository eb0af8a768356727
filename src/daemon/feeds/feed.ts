import type { Result } from '../../base/result.ts'
import type { Ms } from '../../base/time.ts'
import type { FeedSettings } from '../../core/market/feeds.ts'
import type { Rate } from '../../base/money/rate.ts'

/** A value that may be a key: it is revealed only where it is used, and not stored. */
type Hidden = { readonly reveal: () => string }

/** The source of a feed; `path` and `timePath` locate the rate and its date in the JSON. */
export type FeedSource =
  | {
      readonly kind: 'http'
      readonly url: Hidden
      readonly path: string
      readonly timePath: string | null
      readonly headers: Readonly<Record<string, Hidden>>
      readonly timeoutMs: Ms
    }
  | {
      readonly kind: 'csv'
      readonly file: string
      readonly column: string
      readonly timeColumn: string | null
    }
  | {
      readonly kind: 'file'
      readonly file: string
      readonly path: string | null
      readonly timePath: string | null
    }
  | { readonly kind: 'fixed'; readonly mid: Rate }

export type Feed = { readonly settings: FeedSettings; readonly everyMs: Ms; readonly source: FeedSource }

/** The current rate of a source, before any plausibility check. */
export type FeedFigure = { readonly mid: Rate; readonly datedAt: Ms | null }

/** Reads a source once, within its own deadline. Never rejects; the error is a sentence without an address or a key. */
export type FeedReader = {
  readonly read: () => Promise<Result<FeedFigure, string>>
  readonly close: () => Promise<void>
}

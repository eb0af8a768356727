import type { Ms } from '../../../base/time.ts'
import type { Asset, TokenAmount } from '../../../base/money/asset.ts'
import type { PollKind } from '../../pacing/state.ts'
import type { QuotedSpread } from '../../quoting/quote-state.ts'

/** A request that went out and has no answer yet. */
export type InFlight =
  | { readonly what: PollKind; readonly sentAt: Ms }
  | { readonly what: 'patch'; readonly sentAt: Ms; readonly spread: QuotedSpread }
  | { readonly what: 'activate'; readonly sentAt: Ms; readonly isActive: boolean }
  | {
      readonly what: 'withdraw'
      readonly sentAt: Ms
      readonly asset: Asset
      readonly amount: TokenAmount
      readonly key?: string
    }
  | { readonly what: 'solver'; readonly sentAt: Ms }
  | { readonly what: 'chainRead'; readonly sentAt: Ms }
  | { readonly what: 'reserveOrder'; readonly sentAt: Ms; readonly salt: bigint }
  | { readonly what: 'placeOrder' | 'withholdOrder'; readonly sentAt: Ms; readonly salt: bigint }
  | { readonly what: 'cancelOrders'; readonly sentAt: Ms; readonly salts: readonly bigint[] }

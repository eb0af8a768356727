import { MINUTE_MS, type Ms } from '../../../base/time.ts'
import type { TokenAmounts } from '../../../base/money/asset.ts'
import type { Rate } from '../../../base/money/rate.ts'
import type { Hex, RfqOrder } from '../../../core/rfq/rfq-order.ts'
import type { RfqSettings } from '../../../core/rfq/rfq-settings.ts'
import type { ExchangeDomain, SigningFailure } from '../order-signer.ts'

/**
 * The signer's own limits, read once at start. It signs nothing beyond them, whatever the rest of the program requests.
 * USD amounts have 18 decimals.
 */
export type SigningPolicy = {
  readonly domain: ExchangeDomain
  /** Must include the shilling, which is one side of every order. */
  readonly tokens: RfqSettings['tokens']
  /** The configured solver; a solver confirmed on disk takes precedence. */
  readonly solver: Hex | null
  /** Price limits of every order, TZS per USD; null = not configured, and no order is signed. */
  readonly corridor: { readonly min: Rate; readonly max: Rate } | null
  readonly maxOrderUsd: bigint
  /** Limit on the unfilled value of all live signatures, including the new one. */
  readonly maxOutstandingUsd: bigint
  /** Live signatures plus the filled part of those that ended within the last hour and day. */
  readonly maxAtRiskUsdPerHour: bigint
  readonly maxAtRiskUsdPerDay: bigint
  readonly maxSignaturesPerMinute: number
  /** The longest life of an order by the signer's clock; never beyond `LONGEST_LIFE_MS`. */
  readonly maxLifeMs: Ms
  /** The largest allowance of each token; an unlisted token gets none. */
  readonly approve: Partial<TokenAmounts>
  /** The highest gas price of any transaction, including the tip, in wei. */
  readonly maxFeePerGas: bigint
  /** Blocks on top of the one that shows an order's end before its value is released. */
  readonly confirmations: number
  /** A chain whose newest block is older does not prove the time. */
  readonly maxChainLagMs: Ms
  /** Limit on how far the chain's clock may be ahead of ours. */
  readonly maxClockOffsetMs: Ms
}

/** An order to sign, and the exchange for which the caller wants the signature. */
export type OrderRequest = { readonly order: RfqOrder; readonly domain: ExchangeDomain }

/** No order lives longer, whatever is configured: this bounds how long a mistake can be filled. */
export const LONGEST_LIFE_MS = 15 * MINUTE_MS

export function isSameAddress(one: Hex, other: Hex): boolean {
  return one.toLowerCase() === other.toLowerCase()
}

/** A refusal by the policy: certainly no signature exists. */
export function policyRefusal(code: string, message: string): SigningFailure {
  return { code, message: `not signed: ${message}`, isVoid: true }
}

import type { Ms } from '../base/time.ts'
import type { Amounts } from '../money/asset.ts'
import type { Hex } from '../rfq/rfq-order.ts'
import type { Secret } from './secret.ts'

/** What the shell needs for self-custody beyond what the core knows: endpoints, the key's place, gas. */
export type LoadedRfq = {
  readonly rpc: {
    /** Secret, for many an endpoint has its key in the path. */
    readonly urls: readonly Secret[]
    readonly quorum: number
    readonly timeoutMs: Ms
  }
  readonly signer: LoadedSigner
  readonly gas: { readonly maxFeeGwei: number; readonly tipGwei: number; readonly replaceAfterMs: Ms }
  /** What the exchange is to be allowed, in base units; a token not named gets no allowance. */
  readonly approve: Partial<Amounts>
  /** The signer's own limits, USD with 18 decimals; it reads them at its start only. */
  readonly limits: {
    readonly maxOrderUsd: bigint
    readonly maxOutstandingUsd: bigint
    readonly maxAtRiskUsdPerHour: bigint
    readonly maxAtRiskUsdPerDay: bigint
    readonly maxSignaturesPerMinute: number
  }
}

/** Structurally what the signing room asks for; files are absolute. */
export type LoadedSigner =
  | { readonly kind: 'keystore'; readonly file: string; readonly passwordFile: string }
  | { readonly kind: 'env'; readonly key: Secret; readonly allowInLive: boolean }
  | { readonly kind: 'web3signer'; readonly url: string; readonly address: Hex }

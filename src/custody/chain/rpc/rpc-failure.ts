import type { Hex } from '../../../core/rfq/rfq-order.ts'
import type { Result } from '../../../base/result.ts'
import type { Ms } from '../../../base/time.ts'
import type { VenueFailure, VenueFailureKind } from '../../../core/engine/model/venue-answer.ts'

/** Why an endpoint, or the chain through it, returned no usable answer. */
export type RpcFailure = {
  readonly kind: VenueFailureKind
  /** The kind in upper case, or the specific fault: CHAIN_MISMATCH, HEAD_MOVED, NO_QUORUM, RPC_DISAGREES ... */
  readonly code: string
  /** A sentence that names endpoints by their host only. */
  readonly words: string
  readonly status: number | null
  /** False = the request certainly never reached the endpoint. */
  readonly wasSent: boolean
  /** Whether the same request may succeed later. */
  readonly retriable: boolean
  readonly retryAfterMs: Ms | null
  /** Whether the failure is the chain's answer: the endpoint works, and others would answer the same. */
  readonly isAnswer: boolean
}

/** Returns a failure with the usual defaults. */
export function rpcFailure(
  kind: VenueFailureKind,
  words: string,
  more: Partial<Omit<RpcFailure, 'kind' | 'words'>> = {},
): RpcFailure {
  return {
    kind,
    code: kind.toUpperCase().replace('-', '_'),
    words,
    status: null,
    wasSent: true,
    retriable: true,
    retryAfterMs: null,
    isAnswer: false,
    ...more,
  }
}

/** Returns the failure in the form of the engine's events. */
export function toChainFailure(
  route: string,
  failure: RpcFailure,
  outcome: VenueFailure['outcome'] = 'failed',
): VenueFailure {
  const { kind, code, status, words, retriable, retryAfterMs } = failure
  return { kind, code, status, route, message: `${route}: ${words}`, retriable, outcome, retryAfterMs }
}

export type RpcReply = Result<unknown, RpcError>

/** A node's error for one request. */
export type RpcError = {
  readonly code: number
  /** On one line, shortened, without parts of the URL. */
  readonly message: string
  /** The data of the contract's revert; null if the node returns no data. */
  readonly data: Hex | null
}

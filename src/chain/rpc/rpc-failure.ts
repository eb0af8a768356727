import type { Ms } from '../../base/time.ts'
import type { VenueFailure, VenueFailureKind } from '../../engine/model/venue-answer.ts'

/** Why an endpoint, or the chain through it, gave no answer that can be used. */
export type RpcFailure = {
  readonly kind: VenueFailureKind
  /** The kind in upper case, or what exactly is wrong: CHAIN_MISMATCH, HEAD_MOVED, NO_QUORUM, RPC_DISAGREES ... */
  readonly code: string
  /** For people. Names endpoints by their host only. */
  readonly words: string
  readonly status: number | null
  /** False = the request certainly never reached the endpoint. */
  readonly wasSent: boolean
  /** Whether the same request can end otherwise later. */
  readonly retriable: boolean
  readonly retryAfterMs: Ms | null
  /** The chain itself said it: the endpoint is well, and another one would say the same. */
  readonly isAnswer: boolean
}

/** A failure with what is true of most of them filled in. */
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

/** The same as the rest of the program knows failures. */
export function toChainFailure(
  route: string,
  failure: RpcFailure,
  outcome: VenueFailure['outcome'] = 'failed',
): VenueFailure {
  const { kind, code, status, words, retriable, retryAfterMs } = failure
  return { kind, code, status, route, message: `${route}: ${words}`, retriable, outcome, retryAfterMs }
}

import type { VenueFailure, VenueFailureKind } from '../../src/core/engine/model/venue-answer.ts'

/** A failure of this kind with the outcome it usually has; tests change what they are about. */
export function failureOf(kind: VenueFailureKind, change: Partial<VenueFailure> = {}): VenueFailure {
  return {
    kind,
    code: kind.toUpperCase(),
    status: null,
    route: 'a route',
    message: `the venue: ${kind}`,
    retriable: false,
    outcome: kind === 'timeout' || kind === 'network' || kind === 'server' ? 'unknown' : 'failed',
    retryAfterMs: null,
    ...change,
  }
}

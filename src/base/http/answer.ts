import type { Ms } from '../time.ts'
import type { HttpAnswer } from './exchange.ts'

type Headers = HttpAnswer['headers']

/** Only the simulated venue sends it, with every answer: how the simulation differs from a real day. */
export const SIMULATION_HEADER = 'x-mizani-simulation'

const MAX_RETRY_AFTER_SECONDS = 86_400

/** Returns the delay of Retry-After in ms; null = the header is missing. `receivedAt` is on our clock. */
export function retryAfterOf(headers: Headers, receivedAt: Ms): Ms | null {
  const text = headerOf(headers, 'retry-after')
  if (text === null) return null
  if (/^\d+$/.test(text)) return Math.min(Number(text), MAX_RETRY_AFTER_SECONDS) * 1_000
  const until = parseHttpDate(text)
  if (until === null) return null
  // Takes both times from the server's clock if it is known, so that an offset between the clocks does not matter.
  const wait = until - (dateOf(headers) ?? receivedAt)
  return Math.min(Math.max(0, wait), MAX_RETRY_AFTER_SECONDS * 1_000)
}

/** Returns the server's time at its answer; null = unknown. */
export function dateOf(headers: Headers): Ms | null {
  const text = headerOf(headers, 'date')
  return text === null ? null : parseHttpDate(text)
}

export function headerOf(headers: Headers, name: string): string | null {
  const value = headers[name]
  return typeof value === 'string' ? value : (value?.[0] ?? null)
}

/** Parses the form that servers send (RFC 9110, IMF-fixdate); other forms would depend on the local time zone. */
function parseHttpDate(text: string): Ms | null {
  if (!/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text)) return null
  const at = Date.parse(text)
  return Number.isFinite(at) ? at : null
}

/** Returns the kind of failure for a status whose body has no code. */
export function kindOfStatus(
  status: number,
): 'auth' | 'rate-limit' | 'timeout' | 'server' | 'refused' | 'malformed' {
  if (status === 401 || status === 403) return 'auth'
  if (status === 429) return 'rate-limit'
  if (status === 408) return 'timeout'
  if (status >= 500) return 'server'
  return status >= 400 ? 'refused' : 'malformed'
}

/**
 * Returns the outcome of a failed request and whether it may be retried. `isUnclear`: the server may have performed it.
 * An unclear write is retried only if a duplicate has no further effect.
 */
export function requestOutcomeOf(
  request: { readonly isWrite: boolean; readonly isRepeatable: boolean },
  { isUnclear, canHelp }: { readonly isUnclear: boolean; readonly canHelp: boolean },
): { readonly outcome: 'failed' | 'unknown'; readonly retriable: boolean } {
  const outcome = request.isWrite && isUnclear ? 'unknown' : 'failed'
  return { outcome, retriable: canHelp && (outcome === 'failed' || request.isRepeatable) }
}

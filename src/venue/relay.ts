import type { Result } from '../base/result.ts'
import type { HttpAnswer, Silence } from '../base/http/exchange.ts'
import type { VenueCall } from './call.ts'
import type { VenueSettings } from './settings.ts'

/**
 * A read of the venue as a command hands it to the daemon, which sends it with its own key out of its own
 * budget: one budget a key, no matter who asks. It holds no key, and no write can be expressed in it.
 */
export type RelayedRead = {
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly isPublic: boolean
}

export type RelayedAnswer = Result<HttpAnswer, Silence>

/** Carries a read to the daemon. Null = none is there, and the read goes out by itself. */
export type Relay = (read: RelayedRead) => Promise<RelayedAnswer | null>

/** The read as it is handed on; null for writes, which a daemon takes as commands only. */
export function relayedRead({
  method,
  path,
  query,
  isPublic,
  isWrite,
}: VenueCall<unknown>): RelayedRead | null {
  return method === 'GET' && !isWrite ? { path, query, isPublic } : null
}

/** Whether it is one of the reads of this API: nothing else is sent with the key for someone else. */
export function isReadOfApi(read: RelayedRead, { prefix, publicPrefix }: VenueSettings): boolean {
  const { path, isPublic, query } = read
  const names = ['account', 'balances', 'rate', 'quote', 'fills', 'rfq/info']
  const isKnown = isPublic
    ? path === `${publicPrefix}/swap/rate`
    : names.some((name) => path === `${prefix}/${name}`)
  return isKnown && Object.values(query).every((value) => typeof value === 'string' && value.length <= 100)
}

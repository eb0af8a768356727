import type { Result } from '../base/result.ts'
import type { HttpAnswer, Silence } from '../base/http/exchange.ts'
import type { VenueCall } from './call.ts'
import { READS } from './endpoints.ts'
import { pathOf } from './lp/endpoint.ts'
import type { VenueSettings } from './settings.ts'

/**
 * A read that a command hands to the daemon, which sends it with its own key within its own budget, so that a key has
 * one budget. It holds no key and cannot express a write.
 */
export type RelayedRead = {
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly isPublic: boolean
}

export type RelayedAnswer = Result<HttpAnswer, Silence>

/** Carries a read to the daemon; null = no daemon runs, and the command sends the read itself. */
export type Relay = (read: RelayedRead) => Promise<RelayedAnswer | null>

/** Returns a call as a read for the daemon; null for writes, which a daemon accepts as commands only. */
export function relayedRead({
  method,
  path,
  query,
  isPublic,
  isWrite,
}: VenueCall<unknown>): RelayedRead | null {
  return method === 'GET' && !isWrite ? { path, query, isPublic } : null
}

/** Returns whether this API has the read; commands may send nothing else with the key. */
export function isReadOfApi({ path, isPublic, query }: RelayedRead, settings: VenueSettings): boolean {
  const isKnown = READS.some((read) => read.isPublic === isPublic && pathOf(read, settings) === path)
  return isKnown && Object.values(query).every((value) => typeof value === 'string' && value.length <= 100)
}

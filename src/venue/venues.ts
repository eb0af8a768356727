import { createVenueClient } from './client.ts'
import { guardRequests, type GuardedQuote } from './endpoints.ts'
import type { VenueParts, VenuePort } from './port.ts'
import type { VenueSecrets } from './sender.ts'
import type { VenueSettingsInput } from './settings.ts'
import type { GuardRequests } from './wire/guard.ts'
import type { VenueKind } from './wire/kinds.ts'

/** What daemon and commands need of one kind of venue; the guard reads its answers by `GUARD_DIALECTS`. */
type Venue = {
  /** Returns a client, and sends nothing. */
  readonly open: (settings: VenueSettingsInput, secrets: VenueSecrets, parts: VenueParts) => VenuePort
  /** Returns the guard's requests, prepared once, so that the guard sends the same requests as the client. */
  readonly guardRequests: (settings: VenueSettingsInput, quote: GuardedQuote) => GuardRequests
}

export const VENUES: Readonly<Record<VenueKind, Venue>> = {
  lp: { open: createVenueClient, guardRequests },
}

import { err, ok, type Result } from '../base/result.ts'
import type { LoadedConfig } from '../config/loaded-config.ts'
import { createVenueClient, type VenueClient, type VenueClientParts } from '../venue/client.ts'
import { venueSettingsSchema } from '../venue/settings.ts'

/**
 * A client whose key the venue has not refused. A venue that does not answer is no reason not to start:
 * the loop deals with that, and somebody has to watch what stands. A refused key is: nothing could be
 * read, set or made safe with it.
 */
export async function connectVenue(
  config: LoadedConfig,
  parts: Pick<VenueClientParts, 'onRequest' | 'onMethod'>,
): Promise<Result<VenueClient, string>> {
  const secrets = { apiKey: config.apiKey.reveal() }
  const client = createVenueClient(venueSettingsSchema.parse(config.venue), secrets, parts)
  const account = await client.account()
  if (account.ok || account.error.kind !== 'auth') return ok(client)
  await client.close()
  const { status, message } = account.error
  const cure =
    status === 403 ? 'the key is valid but not allowed to do this' : 'check the key that venue.apiKey names'
  return err(`${config.core.name}: the venue refused the key (${status ?? 'no status'}: ${message}); ${cure}`)
}

import { err, ok, type Result } from '../../base/result.ts'
import type { LoadedConfig } from '../../config/load/loaded-config.ts'
import {
  createVenueClient,
  type VenueClient,
  type VenueClientParts,
  type VenueClientSecrets,
} from '../../venue/client.ts'
import { venueSettingsSchema } from '../../venue/settings.ts'

/**
 * A client whose key the venue has not refused. A venue that does not answer is no reason not to start:
 * the loop deals with that, and somebody has to watch what stands. A refused key is: nothing could be
 * read, set or made safe with it.
 */
export async function connectVenue(
  config: LoadedConfig,
  parts: Pick<VenueClientParts, 'onRequest' | 'onMethod'>,
): Promise<Result<VenueClient, string>> {
  const client = createVenueClient(venueSettingsSchema.parse(config.venue), venueSecrets(config), parts)
  const account = await client.account()
  if (account.ok || account.error.kind !== 'auth') return ok(client)
  await client.close()
  const { status, message } = account.error
  const cure =
    status === 403 ? 'the key is valid but not allowed to do this' : 'check the key that venue.apiKey names'
  return err(`${config.core.name}: the venue refused the key (${status ?? 'no status'}: ${message}); ${cure}`)
}

/** The key, and the routes that this configuration uses. */
export function venueSecrets({ apiKey, withdraw }: LoadedConfig): VenueClientSecrets {
  return { apiKey: apiKey.reveal(), allows: withdraw.enabled ? ['POST /withdraw'] : [] }
}

/**
 * Another key takes the place of the one in use: the venue has to take it, and it has to be of the same wallet. Why
 * not, in a sentence, and the old one stays; null = it is in use from the next request on.
 */
export async function exchangeKey(client: VenueClient, config: LoadedConfig): Promise<string | null> {
  const problem = await tryKey(config, client)
  if (problem === null) client.exchangeKey(config.apiKey.reveal())
  return problem
}

async function tryKey(config: LoadedConfig, client: VenueClient): Promise<string | null> {
  const other = createVenueClient(venueSettingsSchema.parse(config.venue), venueSecrets(config))
  try {
    const [before, after] = await Promise.all([client.account(), other.account()])
    if (!after.ok) return `venue.apiKey: the venue does not take the new key (${after.error.message})`
    // The old key may be revoked already; then there is nothing to compare with.
    if (!before.ok) return null
    const isSame = before.value.walletAddress === after.value.walletAddress
    return isSame
      ? null
      : 'venue.apiKey: the new key is of another account; that needs a store of its own and a restart'
  } finally {
    await other.close()
  }
}

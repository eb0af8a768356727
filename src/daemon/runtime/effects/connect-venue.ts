import { err, ok, type Result } from '../../../base/result.ts'
import type { LoadedConfig } from '../../config/load/loaded-config.ts'
import { createVenueClient, type VenueClientParts, type VenueClientSecrets } from '../../../venue/client.ts'
import type { VenuePort } from '../../../venue/perform.ts'
import { venueSettingsSchema } from '../../../venue/settings.ts'

/**
 * Opens the venue of a position: the one place that decides which venue that is. Returns an error if the venue refuses
 * the key, because nothing could be read, set or made safe. A venue that does not answer is no error: the loop handles
 * it, and has to watch the quote.
 */
export async function connectVenue(
  config: LoadedConfig,
  parts: Pick<VenueClientParts, 'onRequest' | 'onMethod' | 'gate'>,
): Promise<Result<VenuePort, string>> {
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
export function venueSecrets({ apiKey, withdraw, core }: LoadedConfig): VenueClientSecrets {
  const mayWithdraw = withdraw.enabled && core.mode !== 'dry-run'
  return { apiKey: apiKey.reveal(), allows: mayWithdraw ? ['POST /withdraw'] : [] }
}

/**
 * Replaces the key in use by another one, which the venue has to accept and which has to belong to the same wallet.
 * Returns null when the next request uses it, else the reason, a sentence; then the old key stays.
 */
export async function exchangeKey(client: VenuePort, config: LoadedConfig): Promise<string | null> {
  const problem = await tryKey(config, client)
  if (problem === null) client.exchangeKey(config.apiKey.reveal())
  return problem
}

async function tryKey(config: LoadedConfig, client: VenuePort): Promise<string | null> {
  const other = createVenueClient(venueSettingsSchema.parse(config.venue), venueSecrets(config))
  try {
    const [before, after] = await Promise.all([client.account(), other.account()])
    if (!after.ok) return `venue.apiKey: the venue does not take the new key (${after.error.message})`
    // A revoked key leaves nothing to compare with. Any other failure proves nothing about the account.
    if (!before.ok)
      return before.error.kind === 'auth'
        ? null
        : `venue.apiKey: the account of the present key cannot be read (${before.error.message}), so it is not known whether the new key is of the same one; try again`
    const isSame = before.value.walletAddress === after.value.walletAddress
    return isSame
      ? null
      : 'venue.apiKey: the new key is of another account; that needs a store of its own and a restart'
  } finally {
    await other.close()
  }
}

import { err, ok, type Result } from '../../../base/result.ts'
import type { LoadedConfig } from '../../config/load/loaded-config.ts'
import type { CustodyPort, VenueParts, VenuePort } from '../../../venue/port.ts'
import { VENUES } from '../../../venue/venues.ts'

/**
 * Returns a client of the configured venue, and sends nothing. Daemon and commands open every client here. `mayWithdraw` absent = as `withdraw.enabled`; a dry run never withdraws.
 */
export function openVenueClient(
  { venue, apiKey, withdraw, core }: Pick<LoadedConfig, 'venue' | 'apiKey' | 'withdraw' | 'core'>,
  { mayWithdraw = withdraw.enabled, ...parts }: VenueParts & { readonly mayWithdraw?: boolean } = {},
): VenuePort {
  const mayPayOut = mayWithdraw && core.mode !== 'dry-run'
  return VENUES[venue.kind].open(venue, { apiKey: apiKey.reveal(), mayPayOut }, parts)
}

/** Returns the parts of a venue that self-custody needs; an error if the venue does not support signed orders. */
export function selfCustodyOf({ selfCustody }: Pick<VenuePort, 'selfCustody'>): Result<CustodyPort, string> {
  return selfCustody === null
    ? err('this venue does not support signed orders; remove the rfq section')
    : ok(selfCustody)
}

/**
 * Opens the venue of a position and reads the account. Returns an error if the venue refuses the key, because nothing could be
 * read, set or made safe. A venue that does not answer is not an error: the loop handles that, and has to watch the quote.
 */
export async function connectVenue(
  config: LoadedConfig,
  parts: Pick<VenueParts, 'onRequest' | 'onMethod' | 'gate'>,
): Promise<Result<VenuePort, string>> {
  const client = openVenueClient(config, parts)
  const account = await client.account()
  if (account.ok || account.error.kind !== 'auth') return ok(client)
  await client.close()
  const { status, message } = account.error
  const remedy =
    status === 403 ? 'the key is valid but not allowed to do this' : 'check the key that venue.apiKey names'
  return err(
    `${config.core.name}: the venue refused the key (${status ?? 'no status'}: ${message}); ${remedy}`,
  )
}

/**
 * Replaces the key in use by a new one, which the venue has to accept and which has to belong to the same wallet. Returns null
 * once the next request uses it; otherwise the reason as a sentence, and the old key stays in use.
 */
export async function exchangeKey(client: VenuePort, config: LoadedConfig): Promise<string | null> {
  const problem = await tryKey(config, client)
  if (problem === null) client.exchangeKey(config.apiKey.reveal())
  return problem
}

async function tryKey(config: LoadedConfig, client: VenuePort): Promise<string | null> {
  const other = openVenueClient(config)
  try {
    const [before, after] = await Promise.all([client.account(), other.account()])
    if (!after.ok) return `venue.apiKey: the venue does not accept the new key (${after.error.message})`
    // A revoked key leaves nothing to compare with. Any other failure proves nothing about the account.
    if (!before.ok)
      return before.error.kind === 'auth'
        ? null
        : `venue.apiKey: the account of the current key cannot be read (${before.error.message}), so it is unknown whether the new key belongs to the same account; try again`
    const [ours, theirs] = [before, after].map(({ value }) => value.walletAddress?.toLowerCase())
    if (ours === undefined || theirs === undefined)
      return 'venue.apiKey: the venue does not name the wallet of both accounts, so it is unknown whether the new key belongs to the same account; restart with the new key'
    return ours === theirs
      ? null
      : 'venue.apiKey: the new key belongs to another account, which needs its own store and a restart'
  } finally {
    await other.close()
  }
}

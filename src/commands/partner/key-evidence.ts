import type { PartnerClient } from '../../treasury/api/client.ts'
import { isKeyHonoured } from '../../treasury/intents/keys.ts'
import type { KeyMemory } from '../../treasury/model/keys.ts'
import { storedTreasury } from '../treasury/read-treasury.ts'
import type { PartnerAccess } from './open-partner.ts'

/**
 * Whether a repetition under the same key is known to be no second payment: by what the daemon has seen of this route, at
 * this address and in this mode, or by the configuration. Throws StoreReadError.
 */
export function isKeyProven(
  { config, keysHonoured }: PartnerAccess,
  { baseUrl, prefix }: PartnerClient['settings'],
  mode: KeyMemory['mode'],
  route: string,
): boolean {
  const venue = `${baseUrl}${prefix}`
  const { seen } = (config === null ? null : keysOf(config)) ?? { seen: {} }
  return isKeyHonoured({ venue, mode, seen }, keysHonoured, route)
}

/** What the treasury's journal holds; null = none was written, or it is from before keys were distrusted. */
function keysOf(config: NonNullable<PartnerAccess['config']>): KeyMemory | null {
  const stored = storedTreasury(config)
  return 'why' in stored ? null : (stored.treasury.state()?.keys ?? null)
}

import { createHash } from 'node:crypto'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { errorText, err, ok, type Result } from '../../../../base/result.ts'
import type { PartnerClient } from '../../../../treasury/api/client.ts'
import { isKeyHonoured } from '../../../../treasury/intents/keys.ts'
import type { KeyMemory } from '../../../../treasury/model/keys.ts'
import { storedTreasury } from '../following/stored-treasury.ts'
import type { LoadedConfig } from '../../../config/load/loaded-config.ts'

/** The position's configuration; null = only the environment is known. */
type Access = { readonly config: LoadedConfig | null }

/**
 * Returns whether a repetition under the same key is proven not to pay twice: by the daemon's evidence for this
 * route, address and mode, or by the configuration. Throws StoreReadError.
 */
export function isKeyProven(
  { config, keysHonoured }: Access & { readonly keysHonoured: readonly string[] },
  { baseUrl, prefix }: PartnerClient['settings'],
  mode: KeyMemory['mode'],
  route: string,
): boolean {
  const venue = `${baseUrl}${prefix}`
  const { seen } = (config === null ? null : keysOf(config)) ?? { seen: {} }
  return isKeyHonoured({ venue, mode, seen }, keysHonoured, route)
}

/** Returns the key evidence in the treasury's journal; null = no journal, or one from before keys were distrusted. */
function keysOf(config: LoadedConfig): KeyMemory | null {
  const stored = storedTreasury(config)
  return stored.ok ? (stored.value.treasury.state()?.keys ?? null) : null
}

type UsedKey = {
  /** Forgets the key: its request was refused, or it did not reach the venue. */
  readonly release: () => void
}

/**
 * Records on disk, before a payment is sent, that its key is in use. Returns an error sentence if an earlier payment
 * used the key and was not refused, or if nothing can be recorded: a venue that ignores keys would pay again.
 */
export function claimKey(
  { config }: Access,
  { baseUrl, prefix }: PartnerClient['settings'],
  route: string,
  key: string,
): Result<UsedKey, string> {
  const folder = join(config?.store.path ?? stateFolder(), 'partner-keys')
  const name = createHash('sha256')
    .update(JSON.stringify([baseUrl, prefix, key]))
    .digest('hex')
  const file = join(folder, name)
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const record = { key, route, venue: `${baseUrl}${prefix}`, at: new Date().toISOString() }
    writeFileSync(file, `${JSON.stringify(record)}\n`, { flag: 'wx', mode: 0o600, flush: true })
    return ok({ release: () => rmSync(file, { force: true }) })
  } catch (error) {
    const isUsed = (error as NodeJS.ErrnoException).code === 'EEXIST'
    return err(
      isUsed
        ? `a payment was already sent with the key ${key} (${file}); sending it again could pay twice`
        : `the use of the key ${key} for a payment cannot be recorded, so nothing was sent: ${errorText(error)}`,
    )
  }
}

/** Without a configuration there is no store. */
function stateFolder(): string {
  const { XDG_STATE_HOME = '' } = process.env
  return join(XDG_STATE_HOME === '' ? join(homedir(), '.local', 'state') : XDG_STATE_HOME, 'mizani')
}

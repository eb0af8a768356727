import { encodeJson } from '../../../base/codec.ts'
import type { CoreConfig } from '../../../core/engine/model/config.ts'
import { ASSETS } from '../../../base/money/asset.ts'
import { loadConfig } from '../load/load-config.ts'
import type { Changes } from '../load/changes.ts'

/** New settings over HTTP, and their base: the same file with the earlier changes. */
type SetOnTop = {
  readonly file: string
  readonly strategiesFolder: string
  readonly before: Changes
  /** The new changes. */
  readonly changes: Changes
  /** The running configuration. */
  readonly running: CoreConfig
  /** The configuration to run. */
  readonly after: CoreConfig
}

/** The only settings with limits that may be set at run time. */
const LIMITED = /^(quote|inventory)(\.|$)/

/** Failure behaviour must not be changeable by every token. */
const FIXED = ['onExit', 'whenBothOff', 'pairs'] as const

/**
 * Returns a sentence about the limit that these changes would loosen; null = none. A token may tighten limits but
 * never loosen them. If the file no longer fits the earlier changes, the running limits are the base, so an invalid
 * file cannot bypass them.
 */
export async function loosenedBy({
  file,
  strategiesFolder,
  before,
  changes,
  running,
  after,
}: SetOnTop): Promise<string | null> {
  if (!Object.keys(changes).some((path) => LIMITED.test(path))) return null
  const known = await loadConfig(file, {}, { strategiesFolder, offline: true, changes: before })
  return loosened(known.ok ? known.value.core : running, after)
}

/** Returns the first limit that is wider in `after` than in `before`. */
export function loosened(before: CoreConfig, after: CoreConfig): string | null {
  const fixed = FIXED.find((name) => encodeJson(before.quote[name]) !== encodeJson(after.quote[name]))
  if (fixed !== undefined) return `quote.${fixed} cannot be set here; change the file and reload`
  if (after.quote.safeBps < before.quote.safeBps)
    return `quote.safeBps can only be raised here, from ${before.quote.safeBps}; change the file and reload`
  const wider = ASSETS.find((asset) => isWider(before.inventory.limits[asset], after.inventory.limits[asset]))
  return wider === undefined
    ? null
    : `inventory.limits.${wider} can only be narrowed here; change the file and reload`
}

type Limit = CoreConfig['inventory']['limits']['NTZS']

/** Null or a missing limit means unbounded. */
function isWider(before: Limit, after: Limit): boolean {
  const min = before?.min ?? null
  const max = before?.max ?? null
  const [newMin, newMax] = [after?.min ?? null, after?.max ?? null]
  const isLower = min !== null && (newMin === null || newMin < min)
  const isHigher = max !== null && (newMax === null || newMax > max)
  return isLower || isHigher
}

import { encodeJson } from '../../../base/codec.ts'
import type { CoreConfig } from '../../../core/engine/model/config.ts'
import { ASSETS } from '../../../base/money/asset.ts'
import { loadConfig } from '../load/load-config.ts'
import type { Changes } from '../load/changes.ts'

/** What is set over HTTP, and on top of what: the same file with the earlier changes. */
type SetOnTop = {
  readonly file: string
  readonly strategiesFolder: string
  readonly before: Changes
  /** What is new. */
  readonly changes: Changes
  /** What runs now. */
  readonly running: CoreConfig
  /** What is to run. */
  readonly after: CoreConfig
}

/** Only these hold limits among what may be set. */
const LIMITED = /^(quote|inventory)(\.|$)/

/** What the position does when things go wrong is not for anyone who has a token. */
const FIXED = ['onExit', 'whenBothOff', 'pairs'] as const

/**
 * Anyone who has a token may tighten limits and never loosen them: why these changes would loosen one, in a sentence;
 * null = they do not. Where the file no longer goes together with the earlier changes, the limits that run count:
 * a file that is broken halfway lets nothing through.
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

/** The first limit that `after` has wider than `before`. */
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

/** Null and a missing limit bound nothing. */
function isWider(before: Limit, after: Limit): boolean {
  const min = before?.min ?? null
  const max = before?.max ?? null
  const [newMin, newMax] = [after?.min ?? null, after?.max ?? null]
  const isLower = min !== null && (newMin === null || newMin < min)
  const isHigher = max !== null && (newMax === null || newMax > max)
  return isLower || isHigher
}

import { loadConfig, type LoadConfigOptions } from '../../config/load/load-config.ts'
import { acceptedTexts } from '../../config/load/parse-config.ts'
import type { LoadedConfig } from '../../config/load/loaded-config.ts'
import { type Changes, checkChanges } from '../../config/reload/changes.ts'
import { loosened } from '../../config/reload/loosened.ts'
import { strategiesFolder } from './strategy-registry.ts'

/** A configuration with what people set over HTTP on top of its file. */
export type Overridden = {
  readonly config: LoadedConfig
  /** What of it is in the configuration. */
  readonly set: Changes
  /** The paths of what is not, because the file does not take it any more or is stricter. */
  readonly dropped: readonly string[]
}

/**
 * What people set goes on over a file that was read anew, at a start and when the file changes. It was checked against
 * the file of its day; against the one of today it may be looser or make no sense, and then the file counts.
 */
export async function overridden(
  alone: LoadedConfig,
  set: Changes,
  probe?: LoadConfigOptions['probe'],
): Promise<Overridden> {
  if (Object.keys(set).length === 0) return { config: alone, set, dropped: [] }
  const whole = await fitting(alone, set, probe)
  if (whole !== null) return { config: whole, set, dropped: [] }
  // One that does not fit takes no other one along: a limit that somebody narrowed stays narrow.
  let kept: Overridden = { config: alone, set: {}, dropped: [] }
  for (const [path, value] of Object.entries(set)) {
    const more = { ...kept.set, [path]: value }
    const config = await fitting(alone, more, probe)
    kept = config === null ? { ...kept, dropped: [...kept.dropped, path] } : { ...kept, config, set: more }
  }
  return kept
}

/** The configuration of what the files held when `alone` was read, with these on top; null where they do not fit. */
async function fitting(
  alone: LoadedConfig,
  set: Changes,
  probe: LoadConfigOptions['probe'],
): Promise<LoadedConfig | null> {
  if (!checkChanges(set).ok) return null
  const loaded = await loadConfig(alone.file, process.env, {
    strategiesFolder: strategiesFolder(),
    changes: { ...alone.changes, ...set },
    texts: acceptedTexts(alone.sources),
    forTrading: true,
    ...(probe === undefined ? {} : { probe }),
  })
  return loaded.ok && loosened(alone.core, loaded.value.core) === null ? loaded.value : null
}

import { err, ok, type Result } from '../../../base/result.ts'
import { loadConfig, type LoadConfigOptions } from '../../config/load/load-config.ts'
import { acceptedTexts } from '../../config/load/parse-config.ts'
import type { LoadedConfig } from '../../config/load/loaded-config.ts'
import { type Changes, checkChanges } from '../../config/load/changes.ts'
import { loosened } from '../../config/reload/loosened.ts'
import type { Overrides } from '../../../core/engine/model/config-event.ts'
import { strategiesFolder } from './strategy-registry.ts'

/** A configuration with the operator settings on top of its file. */
export type Overridden = {
  readonly config: LoadedConfig
  /** The settings in force. */
  readonly set: Changes
  /** The settings dropped because the file no longer allows them or is stricter. */
  readonly dropped: Overrides['dropped']
}

/**
 * Applies operator settings to a newly read file, at a start and after a file change. They were checked against an earlier file; against
 * the current one a setting may be looser or invalid, and then the file wins.
 */
export async function overridden(
  alone: LoadedConfig,
  set: Changes,
  probe?: LoadConfigOptions['probe'],
): Promise<Overridden> {
  const paths = Object.keys(set)
  if (paths.length === 0) return { config: alone, set, dropped: [] }
  const whole = await fitting(alone, set, paths.some(isOfStrategy) ? probe : undefined)
  if (whole.ok) return { config: whole.value, set, dropped: [] }
  // A rejected override does not drop the others: a limit that an operator tightened stays tight.
  let kept: Overridden = { config: alone, set: {}, dropped: [] }
  for (const path of paths) {
    const more = { ...kept.set, [path]: set[path] }
    const fits = await fitting(alone, more, isOfStrategy(path) ? probe : undefined)
    kept = fits.ok
      ? { ...kept, config: fits.value, set: more }
      : { ...kept, dropped: [...kept.dropped, { path, why: fits.error }] }
  }
  return kept
}

/** Only strategy settings need a trial: a strategy that is too slow for it must not drop a limit. */
function isOfStrategy(path: string): boolean {
  return path.startsWith('strategy.')
}

/** Returns the configuration from the files that `alone` was read from, with these settings on top; the error is why they do not fit. */
async function fitting(
  alone: LoadedConfig,
  set: Changes,
  probe: LoadConfigOptions['probe'],
): Promise<Result<LoadedConfig, string>> {
  const allowed = checkChanges(set)
  if (!allowed.ok) return allowed
  const loaded = await loadConfig(alone.file, process.env, {
    strategiesFolder: strategiesFolder(),
    changes: { ...alone.changes, ...set },
    texts: acceptedTexts(alone.sources),
    forTrading: true,
    ...(probe === undefined ? {} : { probe }),
  })
  if (!loaded.ok) return err(loaded.error.map(({ path, message }) => `${path}: ${message}`).join('; '))
  const why = loosened(alone.core, loaded.value.core)
  return why === null ? ok(loaded.value) : err(why)
}

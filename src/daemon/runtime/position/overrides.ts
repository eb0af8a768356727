import { err, ok, type Result } from '../../../base/result.ts'
import { loadConfig, type LoadConfigOptions } from '../../config/load/load-config.ts'
import { acceptedTexts } from '../../config/load/parse-config.ts'
import type { LoadedConfig } from '../../config/load/loaded-config.ts'
import { type Changes, checkChanges } from '../../config/load/changes.ts'
import { loosened } from '../../config/reload/loosened.ts'
import type { Overrides } from '../../../core/engine/model/config-event.ts'
import { strategiesFolder } from './strategy-registry.ts'

/** A configuration with what people set over HTTP on top of its file. */
export type Overridden = {
  readonly config: LoadedConfig
  /** The part that is in the configuration. */
  readonly set: Changes
  /** The part that is not, because the file no longer allows it or is stricter. */
  readonly dropped: Overrides['dropped']
}

/**
 * What people set continues over a file that was read anew, at a start and when the file changes. It was checked against
 * the file of its day; against the one of today it may be looser or make no sense, and then the file counts.
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
  // One rejected override does not drop the others: a limit that an operator narrowed stays narrow.
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

/** Only these are tried: a strategy that is too slow for its trial must not cost a limit. */
function isOfStrategy(path: string): boolean {
  return path.startsWith('strategy.')
}

/** The configuration of what the files held when `alone` was read, with these on top; or why they do not fit. */
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

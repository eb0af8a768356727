import { loadConfig } from '../../config/load/load-config.ts'
import type { LoadedConfig } from '../../config/load/loaded-config.ts'
import { CHANGEABLE } from '../../config/load/changes.ts'
import { strategyJsonSchema } from '../../config/schema/json-schema.ts'
import type { ParametersAnswer } from '../../console/answers.ts'
import type { Reloader } from './reloader.ts'
import { strategiesFolder } from '../position/strategy-registry.ts'

/** Returns the strategy's current parameters, its schema, and what operators set over HTTP next to the file's values. */
export async function parametersOf({
  current,
  set,
}: Pick<Reloader, 'current' | 'set'>): Promise<ParametersAnswer> {
  const config = current()
  const given = set()
  const paths = Object.keys(given)
  const inFile = paths.length === 0 ? null : await fileAlone(config, paths)
  return {
    use: config.core.strategy.use,
    params: plain(config.core.strategy.params),
    schema: strategyJsonSchema(config.strategy),
    changed: paths.map((path) => ({
      path,
      file: valueAt(inFile, path),
      now: valueAt(config, path),
      given: given[path],
    })),
    changeable: CHANGEABLE,
  }
}

/** Returns the configuration of the file without operator settings; null = it is unreadable now. */
async function fileAlone(config: LoadedConfig, set: readonly string[]): Promise<LoadedConfig | null> {
  const changes = Object.fromEntries(Object.entries(config.changes).filter(([path]) => !set.includes(path)))
  const options = { strategiesFolder: strategiesFolder(), changes, offline: true }
  const loaded = await loadConfig(config.file, process.env, options)
  return loaded.ok ? loaded.value : null
}

/** Returns a setting as JSON; null = it does not exist. */
function valueAt(config: LoadedConfig | null, path: string): unknown {
  let value: unknown = config?.core
  for (const key of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return null
    value = (value as Readonly<Record<string, unknown>>)[key]
  }
  return plain(value)
}

/** Returns the value as JSON writes it, with exact amounts as text. */
export function plain(value: unknown): unknown {
  const text = JSON.stringify(value, (_key, one: unknown) => (typeof one === 'bigint' ? String(one) : one))
  return text === undefined ? null : (JSON.parse(text) as unknown)
}

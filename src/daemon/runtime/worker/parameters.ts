import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { loadConfig } from '../../config/load/load-config.ts'
import type { LoadedConfig } from '../../config/load/loaded-config.ts'
import { CHANGEABLE } from '../../config/load/changes.ts'
import { describedParameters, strategyJsonSchema } from '../../config/schema/json-schema.ts'
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
    schema: withTexts(strategyJsonSchema(config.strategy), parameterTexts(config)),
    changed: paths.map((path) => ({
      path,
      file: valueAt(inFile, path),
      now: valueAt(config, path),
      given: given[path],
    })),
    changeable: CHANGEABLE,
  }
}

/** Returns the texts of the parameters in the head comment of the strategy's file; empty if it has none. */
function parameterTexts({ core, watchFiles }: LoadedConfig): ReadonlyMap<string, string> {
  const nameOf = (file: string) => basename(file).replace(/\.[jt]s$/, '')
  const file = watchFiles.find((one) => /\.[jt]s$/.test(one) && nameOf(one) === nameOf(core.strategy.use))
  try {
    const [comment = ''] = file === undefined ? [] : readFileSync(file, 'utf8').split('*/', 1)
    const [, section = ''] = comment.split(/^ \* Parameters:\n/m)
    const lines = section.split('\n').map((line) => line.replace(/^ \* ?/, ''))
    const end = lines.findIndex((line) => !line.startsWith(' '))
    return describedParameters(lines.slice(0, end))
  } catch {
    // The file was removed after it was loaded.
    return new Map()
  }
}

/** Adds the texts to the properties of a JSON Schema that have none. */
function withTexts(
  schema: ReturnType<typeof strategyJsonSchema>,
  texts: ReadonlyMap<string, string>,
): ReturnType<typeof strategyJsonSchema> {
  const { properties } = (schema ?? {}) as { readonly properties?: Readonly<Record<string, object>> }
  if (schema === null || properties === undefined) return schema
  const described = Object.entries(properties).map(([name, property]) => {
    const description = texts.get(name)
    return [name, description === undefined ? property : { description, ...property }] as const
  })
  return { ...schema, properties: Object.fromEntries(described) }
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

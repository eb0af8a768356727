import type { LoadedConfig } from '../config/loaded-config.ts'
import { EXIT_CODE } from './exit-code.ts'
import { loadOrExplain } from './load-or-explain.ts'
import { fail } from './say.ts'
import { servePositions } from './serve-positions.ts'

const VOICE = { json: false }

/** The daemon, in the foreground, until a signal ends it. */
export async function run(options: { readonly config: readonly string[] }): Promise<void> {
  const configs: LoadedConfig[] = []
  for (const file of options.config) {
    const config = await loadOrExplain(file, VOICE)
    if (config !== null) configs.push(config)
  }
  if (configs.length < options.config.length) return
  const clash = clashOf(configs)
  if (clash !== null) return fail(VOICE, EXIT_CODE.usage, clash)

  await servePositions(configs)
}

/** Positions of one process share one HTTP server, and nothing else. */
function clashOf(configs: readonly LoadedConfig[]): string | null {
  const names = configs.map((config) => config.core.name)
  const stores = configs.map((config) => config.store.path)
  const twice = (values: readonly string[]) => values.find((value, index) => values.indexOf(value) !== index)
  const name = twice(names)
  if (name !== undefined) return `two configurations are named ${name}; each position needs a name of its own`
  const store = twice(stores)
  if (store !== undefined)
    return `two configurations use the store ${store}; each position needs a store of its own`
  const [first] = configs
  const other = configs.find((c) => c.http.host !== first?.http.host || c.http.port !== first.http.port)
  if (other === undefined) return null
  return `${other.file}: http differs from ${first?.file ?? ''}; positions of one process share one HTTP server`
}
